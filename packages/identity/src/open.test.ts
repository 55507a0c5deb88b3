import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openApiKeyAuthenticator } from './api-key-authenticator.ts'
import { identityContract } from './contract.ts'
import type { Actor, Identity } from './identity.ts'
import { openIdentity } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))

identityContract('SQLite', (now) => openIdentity(`sqlite:${join(folder, 'contract.db')}`, now))

const BY: Actor = { kind: 'operator', id: 'ann', address: 'here' }
const authenticate = async (identity: Identity, key: string) => {
  await using authenticator = openApiKeyAuthenticator({ identity })
  return authenticator.authenticate(key)
}

describe('identity on SQLite alone', () => {
  it('the database file contains neither a key nor a password', async () => {
    const file = join(folder, 'secrets.db')
    const identity = await openIdentity(`sqlite:${file}`)
    const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
    const { key, record } = await identity.addApiKey(
      { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null },
      BY,
    )
    await identity.addUser({ organizationId: organization.id, email: 'a@example.org', password: 'correct horse battery' }, BY)
    await identity[Symbol.asyncDispose]()
    const stored = readFileSync(file, 'latin1')
    expect(stored).toContain(record.prefix)
    expect(stored).not.toContain(key.slice(record.prefix.length))
    expect(stored).not.toContain('correct horse')
  })

  it('the database file is readable only by its owner', async () => {
    const file = join(folder, 'private.db')
    await using identity = await openIdentity(`sqlite:${file}`)
    await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
    expect([file, `${file}-wal`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  })

  it('two openers share the database: what one revokes, the other refuses', async () => {
    const url = `sqlite:${join(folder, 'shared.db')}`
    await using one = await openIdentity(url)
    await using two = await openIdentity(url)
    const { organization } = await one.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
    const { key, record } = await one.addApiKey(
      { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null },
      BY,
    )
    expect(await authenticate(two, key)).toMatchObject({ organizationSlug: 'acme' })
    await one.revokeApiKey(organization.id, record.id, BY)
    expect(await authenticate(two, key)).toBeNull()
  })

  it('the database is made once when many processes open it at the same time', async () => {
    const url = `sqlite:${join(folder, 'new', 'crowd.db')}`
    const program = `import { openIdentity } from '${new URL('./open.ts', import.meta.url)}'; await (await openIdentity('${url}'))[Symbol.asyncDispose]()`
    const run = promisify(execFile)
    const ended = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', program])))
    expect(ended.map(({ stderr }) => stderr)).toEqual(['', '', '', ''])
  })

  it('the error of a file that cannot be used is `unavailable` and names the file', async () => {
    await expect(openIdentity(`sqlite:${folder}`)).rejects.toMatchObject({
      kind: 'unavailable',
      context: { file: folder },
    })
  })

  it.each([
    ['is none', (file: string) => writeFileSync(file, 'Dear diary, '.repeat(100))],
    [
      'has lost its pages',
      async (file: string) => {
        await (await openIdentity(`sqlite:${file}`))[Symbol.asyncDispose]()
        writeFileSync(file, readFileSync(file).fill(0xff, 100))
      },
    ],
  ])('the error of a database that %s calls it damaged and names the file, which stays as it is', async (what, make) => {
    const file = join(folder, `${what}.db`)
    await make(file)
    const before = readFileSync(file)
    await expect(openIdentity(`sqlite:${file}`)).rejects.toMatchObject({ kind: 'corrupt', code: 'identity_unreadable', context: { file } })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('the error of an unknown database URL names the known kinds', async () => {
    await expect(openIdentity('mysql://user:secret@host')).rejects.toMatchObject({
      code: 'unknown_identity_url',
      message:
        '`mysql:` is not a database of organizations and keys that this build knows. Use `sqlite:<file>` or `postgres://user:password@host/database`.',
    })
  })
})
