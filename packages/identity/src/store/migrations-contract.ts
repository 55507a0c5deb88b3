// The contract of migrations: a database of an older release keeps its users and keys, and one of a newer release is refused.

import { type Dialect, Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { hashOf, makeApiKey, prefixOf } from '../api-key.ts'
import { openIdentity } from '../open.ts'
import { hashPassword } from '../password.ts'
import { MIGRATIONS } from './migrations.ts'
import type { Tables } from './tables.ts'

const BY = { kind: 'operator', id: 'test', address: 'here' } as const

/** The tables of the first migration, filled by hand: the current store writes columns that did not exist then. */
async function firstRelease(dialect: Dialect, key: string): Promise<void> {
  await using db = new Kysely<Tables>({ dialect })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  const { error } = await migrator.migrateTo('0001_organizations_keys_users')
  if (error !== undefined) throw error
  const organization = { id: 'o', slug: 'acme', name: 'Acme', plan: 'pro', requests_per_minute: null, created_at_ms: 1 } as const
  await db.insertInto('organizations').values(organization).execute()
  const unused = { last_used_at_ms: null, expires_at_ms: null, revoked_at_ms: null }
  const keyRow = { id: 'k', organization_id: 'o', name: 'ci', prefix: prefixOf(key) ?? '', hash: hashOf(key), created_at_ms: 2, ...unused }
  await db
    .insertInto('api_keys')
    .values({ ...keyRow, scopes: '["data:read"]' })
    .execute()
  const user = { id: 'u', organization_id: 'o', email: 'ann@example.org', created_at_ms: 3 }
  const password_hash = await hashPassword('correct horse battery')
  await (db as unknown as Kysely<{ users: typeof user & { password_hash: string } }>)
    .insertInto('users')
    .values({ ...user, password_hash })
    .execute()
}

export interface MigrationsOptions {
  /** How many open the database at the same moment. */
  readonly openers: number
  /** An empty database. */
  readonly make: () => Promise<{ readonly url: string; readonly dialect: Dialect }>
}

/** Registers the suite. */
export function migrationsContract(engine: string, { openers, make }: MigrationsOptions): void {
  it(`a database of the first release on ${engine} is migrated once, also by several openers at the same moment, and keeps its users and keys`, async () => {
    const { url, dialect } = await make()
    const key = makeApiKey()
    await firstRelease(dialect, key)
    const opened = await Promise.all(Array.from({ length: openers }, () => openIdentity(url, () => 10)))
    for (const identity of opened) {
      expect(await identity.keyByPrefix(prefixOf(key) ?? '')).toMatchObject({ hash: hashOf(key), caller: { requestsPerMinute: 1_200 } })
      const user = await identity.userOfPassword('ann@example.org', 'correct horse battery')
      expect(user).toEqual({
        id: 'u',
        organizationId: 'o',
        email: 'ann@example.org',
        disabledAtMs: null,
        passwordVersion: 1,
        requestsPerMinute: 1_200,
      })
      if (user === null) throw new Error('The password was right.')
      expect(await identity.sessionById(await identity.addSession(user, 20, BY))).toMatchObject({ organizationId: 'o' })
      expect(await identity.billing('o')).toMatchObject({ companyName: null })
    }
    expect(await opened[0]?.auditLog('o', 10)).toHaveLength(openers)
    await Promise.all(opened.map((identity) => identity[Symbol.asyncDispose]()))
  })

  it(`a database of a newer release on ${engine} is refused with the migration that this build lacks, and stays as it is`, async () => {
    const { url, dialect } = await make()
    await using old = await openIdentity(url)
    const { organization } = await old.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
    await using db = new Kysely<Tables>({ dialect })
    const tomorrow: Migration = {
      up: (tables) => tables.schema.alterTable('organizations').addColumn('region', 'text').execute(),
    }
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS, '9999_regions': tomorrow }) } })
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    await expect(openIdentity(url)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'identity_newer_than_code',
      context: { migration: '9999_regions' },
      message: expect.stringMatching(/newer Orrery: it has 9999_regions, .* Nothing was changed\. Run the newer version\.$/),
    })
    // A running process continues: migrations only add.
    expect(await old.organizationBySlug('acme')).toEqual(organization)
    expect((await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)).toBe(true)
  })
}
