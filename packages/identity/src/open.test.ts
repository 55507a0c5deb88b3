import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { identityContract } from './contract.ts'
import { openIdentity } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))

identityContract('SQLite', (now) => openIdentity(`sqlite:${join(folder, 'contract.db')}`, now))

describe('identity on SQLite alone', () => {
  it('writes neither a key nor a password into its file', async () => {
    const file = join(folder, 'secrets.db')
    const identity = await openIdentity(`sqlite:${file}`)
    const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' })
    const { key, record } = await identity.addApiKey({
      organizationId: organization.id,
      name: 'k',
      scopes: ['data:read'],
      expiresAtMs: null,
    })
    await identity.addUser({ organizationId: organization.id, email: 'a@example.org', password: 'correct horse battery' })
    await identity[Symbol.asyncDispose]()
    const stored = readFileSync(file, 'latin1')
    expect(stored).toContain(record.prefix)
    expect(stored).not.toContain(key.slice(record.prefix.length))
    expect(stored).not.toContain('correct horse')
  })

  it('is a file that only its owner reads', async () => {
    const file = join(folder, 'private.db')
    await using identity = await openIdentity(`sqlite:${file}`)
    await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' })
    expect([file, `${file}-wal`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  })

  it('is shared by two openers: what one revokes, the other refuses', async () => {
    const url = `sqlite:${join(folder, 'shared.db')}`
    await using one = await openIdentity(url)
    await using two = await openIdentity(url)
    const { organization } = await one.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' })
    const { key, record } = await one.addApiKey({ organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null })
    expect(await two.callerOf(key)).toMatchObject({ organizationSlug: 'acme' })
    await one.revokeApiKey(organization.id, record.id)
    expect(await two.callerOf(key)).toBeNull()
  })

  it('says that a file it cannot use is unavailable, and names it', async () => {
    await expect(openIdentity(`sqlite:${folder}`)).rejects.toMatchObject({
      kind: 'unavailable',
      context: { file: folder },
    })
  })

  it('names the databases that it knows when asked for another', async () => {
    await expect(openIdentity('mysql://user:secret@host')).rejects.toMatchObject({
      code: 'unknown_identity_url',
      message: '`mysql:` is not a database of organizations and keys that this build knows. Use `sqlite:<file>`.',
    })
  })
})
