import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('secrets from files', () => {
  it('are the values of their variables, without the line end of the file', () => {
    const env = {
      ORRERY_CURSOR_KEY_FILE: fileWith('key', 'aa\n'),
      ORRERY_REDIS_FILE: fileWith('redis', 'redis://:pass word @host:6379'),
      ORRERY_IDENTITY: 'sqlite:identity.sqlite',
      ORRERY_IDENTITY_FILE: '',
    }
    expect(withSecretFiles(env)).toEqual({ ...env, ORRERY_CURSOR_KEY: 'aa', ORRERY_REDIS: 'redis://:pass word @host:6379' })
  })

  it('are refused all at once when a file is absent, empty or a folder, or a value is given as well, and no value is shown', () => {
    const env = {
      ORRERY_CURSOR_KEY: 'never-shown',
      ORRERY_CURSOR_KEY_FILE: fileWith('other', 'bb'),
      ORRERY_REDIS_FILE: join(folder, 'absent'),
      ORRERY_ADMIN_TOKEN_FILE: fileWith('empty', '\n'),
      ORRERY_CLICKHOUSE_PASSWORD_FILE: folder,
    }
    expect(() => withSecretFiles(env)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'secret_file_unusable',
        message: [
          'Files with secrets cannot be used. Nothing was started.',
          `  ORRERY_CLICKHOUSE_PASSWORD_FILE names a file that cannot be read (EISDIR): ${folder}`,
          `  ORRERY_REDIS_FILE names a file that does not exist: ${join(folder, 'absent')}`,
          `  ORRERY_ADMIN_TOKEN_FILE names an empty file: ${join(folder, 'empty')}`,
          '  ORRERY_CURSOR_KEY_FILE is set beside ORRERY_CURSOR_KEY: set one of them',
        ].join('\n'),
      }),
    )
  })
})
