// The promises of `Identity` about usage; part of `identityContract`.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Identity } from './identity.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const BY: Actor = { kind: 'operator', id: 'ann', address: '192.0.2.1' }

/** Each call of `open` opens the same database again. */
export function usageContract(driver: string, open: (now: () => number) => Promise<Identity>): void {
  describe(`usage on ${driver}`, () => {
    let identity: Identity
    const organization = async (slug: string) => (await identity.addOrganization({ slug, name: slug, plan: 'free' }, BY)).organization.id
    const addKey = async (organizationId: string) =>
      (await identity.addApiKey({ organizationId, name: 'a key', scopes: ['data:read'], expiresAtMs: null }, BY)).record

    beforeAll(async () => {
      identity = await open(() => NOON_MS)
    })
    afterAll(() => identity[Symbol.asyncDispose]())

    it('adds up the usage of a day by key, also of several writers at once, and keeps other days and organizations apart', async () => {
      const id = await organization('usage')
      const [first, second] = [await addKey(id), await addKey(id)]
      const count = (apiKeyId: string | null, requests: number, cost: number, day = '2026-01-01', organizationId = id) => ({
        ...{ day, organizationId, apiKeyId },
        ...{ requests, cost },
      })
      expect(await identity.usageOfDay(id, '2026-01-01')).toEqual({ requests: 0, cost: 0, byKey: [] })
      await identity.addUsage([])
      const batch = [count(second.id, 1, 11), count(first.id, 2, 2), count(null, 3, 3)]
      await Promise.all([identity.addUsage(batch), identity.addUsage(batch.toReversed())])
      // Cost without a request: the rest of a request that an earlier batch has.
      await identity.addUsage([count(first.id, 0, 10), count(null, 9, 9, '2026-01-02'), count(null, 8, 8, '2026-01-01', 'another')])
      expect(await identity.usageOfDay(id, '2026-01-01')).toEqual({
        requests: 12,
        cost: 42,
        byKey: [
          { id: first.id, prefix: first.prefix, requests: 4 },
          { id: second.id, prefix: second.prefix, requests: 2 },
        ],
      })
      expect(await identity.usageOfDay(id, '2026-01-02')).toEqual({ requests: 9, cost: 9, byKey: [] })
    })

    it('stores more rows of usage than one statement takes, and deletes days that are older than 31 days', async () => {
      const id = await organization('busy')
      const days = ['2025-12-01', '2025-11-30'] as const // 31 and 32 days before the first of January
      const rows = Array.from({ length: 2_500 }, (_, n) => ({
        day: days[0],
        organizationId: id,
        apiKeyId: `key ${n}`,
        requests: 1,
        cost: 2,
      }))
      await identity.addUsage([...rows, { day: days[1], organizationId: id, apiKeyId: null, requests: 1, cost: 1 }])
      expect(await identity.usageOfDay(id, days[0])).toMatchObject({ requests: 2_500, cost: 5_000 })
      expect(await identity.usageOfDay(id, days[1])).toMatchObject({ requests: 0 })
    })
  })
}
