// The promises of `Identity`, checked on a real driver. A new driver calls this and nothing else to show that it keeps them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApiKey } from './api-key.ts'
import type { Identity } from './identity.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)

/** Each call of `open` opens the same database again, which is empty at first. */
export function identityContract(driver: string, open: (now: () => number) => Promise<Identity>): void {
  describe(`identity on ${driver}`, () => {
    let nowMs = NOON_MS
    let identity: Identity
    const now = () => nowMs
    const organization = async (slug: string) => (await identity.addOrganization({ slug, name: slug, plan: 'free' })).organization
    const keyFor = async (slug: string, expiresAtMs: number | null = null) =>
      identity.addApiKey({ organizationId: (await organization(slug)).id, name: 'a key', scopes: ['data:read'], expiresAtMs })

    beforeAll(async () => {
      identity = await open(now)
    })
    afterAll(() => identity[Symbol.asyncDispose]())

    it('makes an organization once; the same slug is reused and keeps its name and plan', async () => {
      const first = await identity.addOrganization({ slug: 'acme', name: '  Acme ', plan: 'pro' })
      expect(first).toMatchObject({ reused: false, organization: { slug: 'acme', name: 'Acme', plan: 'pro', createdAtMs: nowMs } })
      const second = await identity.addOrganization({ slug: 'acme', name: 'Other', plan: 'free' })
      expect(second).toEqual({ reused: true, organization: first.organization })
      expect(await identity.organizationBySlug('acme')).toEqual(first.organization)
      expect(await identity.organizationBySlug('nobody')).toBeNull()
    })

    it('makes one organization of many calls at once', async () => {
      const made = await Promise.all(
        Array.from({ length: 8 }, () => identity.addOrganization({ slug: 'crowd', name: 'Crowd', plan: 'free' })),
      )
      expect(new Set(made.map((m) => m.organization.id)).size).toBe(1)
      expect(made.filter((m) => !m.reused)).toHaveLength(1)
    })

    it.each(['', '-a', 'a-', 'A', 'a b', 'a_b', 'ä', 'a'.repeat(64)])('refuses the slug "%s"', async (slug) => {
      await expect(organization(slug)).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_organization_slug' })
    })

    it.each(['a', '0', 'a-b', 'a'.repeat(63)])('takes the slug "%s"', async (slug) => {
      expect(await organization(slug)).toMatchObject({ slug })
    })

    it.each(['', '   ', 'x'.repeat(201)])('refuses the name "%s"', async (name) => {
      await expect(identity.addOrganization({ slug: 'named', name, plan: 'free' })).rejects.toMatchObject({ code: 'invalid_name' })
    })

    it('lets a key in that it made, and says for whom it speaks', async () => {
      const { key, record } = await keyFor('reader')
      expect(key.startsWith(`${record.prefix}_`)).toBe(true)
      expect(await identity.callerOf(key)).toEqual({
        apiKeyId: record.id,
        scopes: ['data:read'],
        organizationId: record.organizationId,
        organizationSlug: 'reader',
        requestsPerMinute: 120,
      })
    })

    it('refuses whatever is not exactly the key', async () => {
      const { key, record } = await keyFor('exact')
      const last = key.endsWith('A') ? 'B' : 'A'
      for (const wrong of [
        '',
        record.prefix,
        key.slice(0, -1),
        `${key.slice(0, -1)}${last}`,
        ` ${key}`,
        `${key}\n`,
        `${key}x`,
        makeApiKey(),
      ]) {
        expect(await identity.callerOf(wrong)).toBeNull()
      }
    })

    it('stores a key that was made before, once', async () => {
      const { id } = await organization('kept')
      const key = makeApiKey()
      const given = { organizationId: id, name: 'kept', scopes: ['data:read'], expiresAtMs: null, key }
      expect((await identity.addApiKey(given)).key).toBe(key)
      expect(await identity.callerOf(key)).toMatchObject({ organizationSlug: 'kept' })
      await expect(identity.addApiKey(given)).rejects.toThrow()
      await expect(identity.addApiKey({ ...given, key: 'secret' })).rejects.toMatchObject({ code: 'invalid_api_key' })
    })

    it('refuses a key without a scope', async () => {
      const { id } = await organization('scopeless')
      const given = { organizationId: id, name: 'none', scopes: [], expiresAtMs: null }
      await expect(identity.addApiKey(given)).rejects.toMatchObject({ code: 'invalid_scopes' })
    })

    it('refuses a key from the moment on at which it expires', async () => {
      const { key } = await keyFor('expiring', nowMs + 1000)
      expect(await identity.callerOf(key)).not.toBeNull()
      nowMs += 1000
      expect(await identity.callerOf(key)).toBeNull()
    })

    it('refuses a revoked key at once, and keeps the time of the first revocation', async () => {
      const { key, record } = await keyFor('revoking')
      expect(await identity.revokeApiKey(record.organizationId, record.id)).toBe(true)
      expect(await identity.callerOf(key)).toBeNull()
      const revokedAtMs = nowMs
      nowMs += 5000
      expect(await identity.revokeApiKey(record.organizationId, record.id)).toBe(true)
      expect(await identity.apiKeys(record.organizationId)).toMatchObject([{ revokedAtMs }])
    })

    it('does not let one organization revoke or list the keys of another', async () => {
      const { key, record } = await keyFor('owner')
      const stranger = await organization('stranger')
      expect(await identity.revokeApiKey(stranger.id, record.id)).toBe(false)
      expect(await identity.revokeApiKey(record.organizationId, 'no such id')).toBe(false)
      expect(await identity.apiKeys(stranger.id)).toEqual([])
      expect(await identity.callerOf(key)).not.toBeNull()
    })

    it('lists keys in the order in which they were made', async () => {
      const { id } = await organization('lister')
      for (const name of ['one', 'two', 'three'])
        await identity.addApiKey({ organizationId: id, name, scopes: ['data:read'], expiresAtMs: null })
      expect((await identity.apiKeys(id)).map((key) => key.name)).toEqual(['one', 'two', 'three'])
    })

    it('notes the last use of a key at most once a minute', async () => {
      const { key, record } = await keyFor('used')
      const lastUsed = async () => (await identity.apiKeys(record.organizationId))[0]?.lastUsedAtMs
      expect(await lastUsed()).toBeNull()
      const firstMs = nowMs
      await identity.callerOf(key)
      nowMs = firstMs + 59_999
      await identity.callerOf(key)
      expect(await lastUsed()).toBe(firstMs)
      nowMs = firstMs + 60_000
      await identity.callerOf(key)
      expect(await lastUsed()).toBe(firstMs + 60_000)
    })

    it('gives each plan its rate, and an override its own until it is taken away', async () => {
      for (const [plan, rate] of [
        ['free', 120],
        ['pro', 1200],
        ['enterprise', 12_000],
      ] as const) {
        const { organization: made } = await identity.addOrganization({ slug: `plan-${plan}`, name: plan, plan })
        const { key } = await identity.addApiKey({ organizationId: made.id, name: plan, scopes: ['data:read'], expiresAtMs: null })
        const rateNow = async () => (await identity.callerOf(key))?.requestsPerMinute
        expect(await rateNow()).toBe(rate)
        await identity.overrideRateLimit(made.id, 7)
        expect(await rateNow()).toBe(7)
        expect(await identity.organizationBySlug(made.slug)).toMatchObject({ requestsPerMinuteOverride: 7 })
        await identity.overrideRateLimit(made.id, null)
        expect(await rateNow()).toBe(rate)
      }
    })

    it('knows a user by the right password only, whatever the case of the address', async () => {
      const { id } = await organization('people')
      const user = await identity.addUser({ organizationId: id, email: 'Ann@Example.org', password: 'correct horse battery' })
      expect(user).toMatchObject({ organizationId: id, email: 'ann@example.org' })
      expect(await identity.userOfPassword('ANN@example.org', 'correct horse battery')).toEqual(user)
      expect(await identity.userOfPassword('ann@example.org', 'correct horse batter')).toBeNull()
      expect(await identity.userOfPassword('bob@example.org', 'correct horse battery')).toBeNull()
      expect(await identity.addUser({ organizationId: id, email: 'ann@example.org', password: 'another password' })).toBeNull()
      await expect(identity.addUser({ organizationId: id, email: 'x@example.org', password: 'too short' })).rejects.toMatchObject({
        code: 'invalid_password',
      })
    })

    it('keeps everything when it is opened again', async () => {
      const { key, record } = await keyFor('lasting')
      await identity[Symbol.asyncDispose]()
      identity = await open(now)
      expect(await identity.callerOf(key)).toMatchObject({ apiKeyId: record.id })
    })
  })
}
