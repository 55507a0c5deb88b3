// Secrets from files, as containers and service managers mount them: `ORRERY_CURSOR_KEY_FILE` names a file with the value of ORRERY_CURSOR_KEY.

import { readFileSync } from 'node:fs'
import { OrreryError } from '@orrery/errors'

/** Variables whose values are secrets or may hold one, such as the password in an address. */
export const SECRET_VARIABLES = [
  'ORRERY_CLICKHOUSE_PASSWORD',
  'ORRERY_KAFKA_PASSWORD',
  'ORRERY_IDENTITY',
  'ORRERY_REDIS',
  'ORRERY_ADMIN_TOKEN',
  'ORRERY_API_KEY',
  'ORRERY_CURSOR_KEY',
  'ORRERY_WEBHOOK_KEY',
  'ORRERY_RPC',
  'ORRERY_LAKE',
] as const

type Variables = Readonly<Record<string, string | undefined>>

/**
 * `env` with the values of the secrets whose `…_FILE` names a file. A line end after the value is not part of it.
 * @throws OrreryError `invalid`/`secret_file_unusable` with every problem: a file that cannot be read or is empty, or a variable that is given both ways.
 */
export function withSecretFiles(env: Variables): Variables {
  const found: Record<string, string> = {}
  const problems: string[] = []
  for (const name of SECRET_VARIABLES) {
    const file = env[`${name}_FILE`]
    if (file === undefined || file === '') continue
    const { value, problem } = env[name] ? { value: undefined, problem: `is set beside ${name}: set one of them` } : valueIn(file)
    if (value === undefined) problems.push(`  ${name}_FILE ${problem}`)
    else found[name] = value
  }
  if (problems.length === 0) return { ...env, ...found }
  const text = `Files with secrets cannot be used. Nothing was started.\n${problems.join('\n')}`
  throw new OrreryError('invalid', 'secret_file_unusable', text)
}

function valueIn(
  file: string,
): { readonly value: string; readonly problem?: never } | { readonly value?: never; readonly problem: string } {
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return value === '' ? { problem: `names an empty file: ${file}` } : { value }
  } catch (error) {
    const { code = '' } = error as { readonly code?: string }
    return {
      problem: code === 'ENOENT' ? `names a file that does not exist: ${file}` : `names a file that cannot be read (${code}): ${file}`,
    }
  }
}
