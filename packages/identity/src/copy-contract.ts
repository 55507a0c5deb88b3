// The contract of `copyIdentity`, from any database to any other.

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openApiKeyAuthenticator } from './api-key-authenticator.ts'
import type { Actor } from './identity.ts'
import { openDatabase, openIdentity } from './open.ts'
import { copyIdentity } from './store/copy-identity.ts'
import { utcDayOf } from './utc-day.ts'

const BY: Actor = { kind: 'operator', id: 'ann', address: '192.0.2.1' }
const PASSWORD = 'correct horse battery'
const DAY = utcDayOf(Date.now())
/** More than one statement reads or writes. */
const MANY_KEYS = 501

/** `make` returns the URL of an empty database. */
export function copyContract(name: string, from: () => Promise<string>, to: () => Promise<string>): void {
  describe(`a copy of organizations and keys from ${name}`, () => {
    it('has every row, and keys, passwords, sessions, limits, usage and the audit log work in it as before', async () => {
      const [source, target] = [await from(), await to()]
      await using old = await openIdentity(source)
      const { organization } = await old.addOrganization({ slug: 'acme', name: 'Äcme "& Söhne"', plan: 'pro' }, BY)
      const organizationId = organization.id
      await old.overrideRateLimit(organizationId, 7, BY)
      const key = { organizationId, name: 'ci', scopes: ['data:read'], expiresAtMs: null } as const
      const made = await old.addApiKey(key, BY)
      for (let n = 1; n < MANY_KEYS; n++) await old.addApiKey({ ...key, name: `key ${n}` }, BY)
      const revoked = await old.addApiKey({ ...key, name: 'revoked' }, BY)
      await old.revokeApiKey(organizationId, revoked.record.id, BY)
      const user = await old.addUser({ organizationId, email: 'ann@example.org', password: PASSWORD }, BY)
      if (user === null) throw new Error('The address is new.')
      await old.rememberLoginAddress(user.id, '192.0.2.7')
      const session = await old.addSession({ ...user, passwordVersion: 1, requestsPerMinute: 7 }, Date.now() + 60_000, BY)
      await old.changeBilling(organizationId, { country: 'DE', companyName: "O'Neil" }, BY)
      await old.addUsage([{ day: DAY, organizationId, apiKeyId: null, requests: 3, cost: 5 }])

      const filter = { addresses: [], protocols: ['blend'], contracts: [], activityTypes: [], events: null, healthFactorBelow: '1.05' }
      const hook = { organizationId, url: 'https://example.org/', description: 'Main', filter, enabled: true, fromLedger: 5 }
      const webhook = await old.webhooks.add({ ...hook, seal: () => 'sealed' }, BY)
      await old.webhooks.addTest(organizationId, webhook.id, () => '{"a":"\u00e4"}', BY)

      const tables = await copyIdentity(source, target)
      expect(Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))).toEqual({
        ...{ organizations: 1, users: 1, api_keys: MANY_KEYS + 1, login_addresses: 1, refresh_tokens: 1, billing: 1, usage: 1 },
        audit_log: (await old.auditLog(organizationId, 10_000)).length,
        ...{ webhooks: 1, webhook_deliveries: 1, notify_instances: 0 },
      })

      await using copy = await openIdentity(target)
      expect(await copy.organizations()).toEqual(await old.organizations())
      expect(await copy.apiKeys(organizationId)).toEqual(await old.apiKeys(organizationId))
      expect(await copy.auditLog(organizationId, 10_000)).toEqual(await old.auditLog(organizationId, 10_000))
      expect(await copy.billing(organizationId)).toEqual(await old.billing(organizationId))
      expect(await copy.usageOfDay(organizationId, DAY)).toEqual(await old.usageOfDay(organizationId, DAY))
      expect(await copy.webhooks.list(organizationId)).toEqual([webhook])
      expect(await copy.webhooks.deliveries(organizationId, webhook.id, { status: 'pending', after: null, limit: 5 })).toHaveLength(1)
      await using authenticator = openApiKeyAuthenticator({ identity: copy })
      expect(await authenticator.authenticate(made.key)).toMatchObject({ organizationSlug: 'acme', requestsPerMinute: 7 })
      expect(await authenticator.authenticate(revoked.key)).toBeNull()
      expect(await copy.userOfPassword('ann@example.org', PASSWORD)).toMatchObject({ id: user.id })
      expect(await copy.loginFacts('ann@example.org', '192.0.2.7')).toMatchObject({ isKnownAddress: true })
      expect(await copy.sessionById(session)).toMatchObject({ userId: user.id })
      // And it can be added to.
      expect(await copy.addApiKey({ ...key, name: 'new' }, BY)).toMatchObject({ record: { name: 'new' } })
    })

    it('is refused where the target has a row, and the target keeps what it had', async () => {
      const [source, target] = [await from(), await to()]
      await using old = await openIdentity(source)
      await old.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
      await using other = await openIdentity(target)
      const { organization } = await other.addOrganization({ slug: 'other', name: 'Other', plan: 'free' }, BY)
      await expect(copyIdentity(source, target)).rejects.toMatchObject({ code: 'identity_not_empty' })
      expect(await other.organizations()).toEqual([organization])
    })

    it('has no row at all where the last table could not be written', async () => {
      const [source, target] = [await from(), await to()]
      await using old = await openIdentity(source)
      const { organization } = await old.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
      {
        await using made = await openDatabase(target)
        await sql`ALTER TABLE audit_log DROP COLUMN details`.execute(made.db)
      }
      await expect(copyIdentity(source, target)).rejects.toThrow('details')
      await using copy = await openIdentity(target)
      expect(await copy.organizationById(organization.id)).toBeNull()
    })
  })
}
