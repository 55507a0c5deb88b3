// The promises of `WebhookStore`, checked on a real driver.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Identity } from '../identity.ts'
import type { AttemptResult, NewDelivery, NewWebhook, Webhook, WebhookFilter } from './webhook.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const HOUR_MS = 3_600_000
const BY: Actor = { kind: 'operator', id: 'ann', address: '192.0.2.1' }
const LEASE_MS = 30_000
const EVERYTHING: WebhookFilter = {
  ...{ addresses: [], protocols: [], contracts: [], activityTypes: [], events: null, healthFactorBelow: null },
}
const OK: AttemptResult = { is: 'delivered', status: 204 }
const failed = (retryAtMs: number | null, status: number | null = 500): AttemptResult => ({ is: 'failed', status, error: 'no', retryAtMs })

/**
 * Each call of `open` opens the same database again.
 *
 * @param races How often two instances ask at the same moment.
 */
export function webhookContract(driver: string, open: (now: () => number) => Promise<Identity>, races: number): void {
  describe(`webhooks on ${driver}`, () => {
    let nowMs = NOON_MS
    let identity: Identity
    let second: Identity
    const organizations = new Set<string>()
    const organization = async (slug: string, plan: 'free' | 'enterprise' = 'enterprise') => {
      const { organization: made } = await identity.addOrganization({ slug: `hooks-${slug}`, name: slug, plan }, BY)
      organizations.add(made.id)
      return made.id
    }
    const add = async (organizationId: string, given: Partial<NewWebhook> = {}): Promise<Webhook> => {
      const made = { organizationId, url: 'https://example.org/a', description: null, filter: EVERYTHING, enabled: true, fromLedger: 100 }
      return identity.webhooks.add({ ...made, seal: (id) => `sealed for ${id}`, ...given }, BY)
    }
    const delivery = (n: number, account = 'GA'): NewDelivery => ({
      ...{ id: `msg_${n}`, kind: 'activity', eventId: `100/activity/${n}`, account, ledger: 100, payload: `{"n":${n}}` },
    })
    /** A webhook with deliveries whose lease `one` has. */
    const working = async (slug: string, accounts: readonly string[]) => {
      const webhook = await add(await organization(slug))
      await identity.webhooks.lease('one', LEASE_MS)
      const lease = { instance: 'one', webhookId: webhook.id }
      const made = accounts.map((account, n) => delivery(n, account))
      expect(await identity.webhooks.append(lease, 99, 100, made)).toBe(true)
      return { webhook, lease }
    }
    const dueIds = async (webhookId: string, limit = 100) => (await identity.webhooks.due(webhookId, limit)).map(({ id }) => id)

    beforeAll(async () => {
      identity = await open(() => nowMs)
      second = await open(() => nowMs)
    })
    afterEach(async () => {
      for (const id of organizations) {
        for (const webhook of await identity.webhooks.list(id)) await identity.webhooks.remove(id, webhook.id, BY)
      }
      for (const instance of ['one', 'two']) await identity.webhooks.release(instance)
      nowMs = NOON_MS
    })
    afterAll(async () => {
      await second[Symbol.asyncDispose]()
      await identity[Symbol.asyncDispose]()
    })

    it('keeps a webhook as it was given, and shows it to its organization only', async () => {
      const [id, other] = [await organization('kept'), await organization('other')]
      const filter: WebhookFilter = { ...EVERYTHING, addresses: ['GA'], events: ['health_factor'], healthFactorBelow: '1.1' }
      const made = await add(id, { filter, description: '  Prod "main" ', url: 'https://example.org/p?x=1' })
      expect(made).toMatchObject({
        organizationId: id,
        filter,
        description: 'Prod "main"',
        enabled: true,
        createdAtMs: NOON_MS,
        ledger: 99,
      })
      expect(await identity.webhooks.list(id)).toEqual([made])
      expect(await identity.webhooks.get(id, made.id)).toEqual(made)
      for (const text of [made.id, 'x', '\u0000', crypto.randomUUID()]) expect(await identity.webhooks.get(other, text)).toBeNull()
      expect(await identity.webhooks.change(other, made.id, { enabled: false }, BY)).toBeNull()
      expect(await identity.webhooks.rotateSecret(other, made.id, () => 'x', BY)).toBeNull()
      expect(await identity.webhooks.addTest(other, made.id, () => '{}', BY)).toBeNull()
      expect(await identity.webhooks.deliveries(other, made.id, { status: null, after: null, limit: 1 })).toBeNull()
      expect(await identity.webhooks.remove(other, made.id, BY)).toBe(false)
      expect(await identity.webhooks.get(id, made.id)).toEqual(made)
    })

    it('refuses one more than the plan allows, also for two requests at the same moment', async () => {
      const id = await organization('small', 'free')
      await add(id)
      const settled = await Promise.allSettled([
        add(id),
        second.webhooks.add({ ...WEBHOOK, organizationId: id }, BY),
        second.webhooks.add({ ...WEBHOOK, organizationId: id }, BY),
      ])
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(add(id)).rejects.toMatchObject({
        kind: 'invalid',
        code: 'webhook_limit',
        message: expect.stringContaining('2 webhooks'),
      })
      expect(await identity.webhooks.list(id)).toHaveLength(2)
    })

    it('writes each change with its actor, the host of an address and no secret', async () => {
      const id = await organization('audited')
      const { id: webhookId } = await add(id, { url: 'https://example.org/secret-path' })
      await identity.webhooks.change(id, webhookId, { url: 'https://example.com/secret-path' }, BY)
      await identity.webhooks.rotateSecret(id, webhookId, () => 'another secret', BY)
      await identity.webhooks.addTest(id, webhookId, () => '{}', BY)
      await identity.webhooks.remove(id, webhookId, BY)
      const entries = await identity.auditLog(id, 10)
      expect(entries.map(({ action }) => action).reverse()).toEqual([
        ...['organization.create', 'webhook.create', 'webhook.change', 'webhook.rotate_secret', 'webhook.test', 'webhook.delete'],
      ])
      expect(entries.slice(0, 5).every(({ target, by }) => target === webhookId && by.id === 'ann')).toBe(true)
      expect(entries.find(({ action }) => action === 'webhook.change')?.details).toEqual({ members: ['url'], host: 'example.com' })
      expect(JSON.stringify(entries)).not.toMatch(/secret-path|another secret|sealed/)
    })

    it('has two secrets for 24 hours after a rotation', async () => {
      const id = await organization('rotated')
      const made = await add(id)
      const leased = async () => (await identity.webhooks.lease('one', LEASE_MS))[0]
      expect(await leased()).toMatchObject({ sealedSecret: `sealed for ${made.id}`, sealedPreviousSecret: null })
      const rotated = await identity.webhooks.rotateSecret(id, made.id, () => 'sealed again', BY)
      expect(rotated?.previousSecretUntilMs).toBe(NOON_MS + 24 * HOUR_MS)
      expect(await leased()).toMatchObject({ sealedSecret: 'sealed again', sealedPreviousSecret: `sealed for ${made.id}` })
      nowMs = NOON_MS + 24 * HOUR_MS
      expect(await leased()).toMatchObject({ sealedSecret: 'sealed again', sealedPreviousSecret: null })
    })

    it('moves the place and adds the deliveries together, and an event that is added again stays as it is', async () => {
      const { webhook, lease } = await working('appended', ['GA', 'GB'])
      expect((await identity.webhooks.get(webhook.organizationId, webhook.id))?.ledger).toBe(100)
      // The place is another one by now, or the lease is another's: nothing happens.
      expect(await identity.webhooks.append(lease, 99, 105, [delivery(7)])).toBe(false)
      expect(await identity.webhooks.append({ ...lease, instance: 'two' }, 100, 105, [delivery(7)])).toBe(false)
      expect((await identity.webhooks.pendingCounts(webhook.id, 10)).total).toBe(2)
      await identity.webhooks.finish(lease, 'msg_0', OK)
      expect(await identity.webhooks.append(lease, 100, 105, [delivery(0), delivery(7)])).toBe(true)
      expect(await dueIds(webhook.id)).toEqual(['msg_1', 'msg_7'])
      // More than one statement takes.
      const many = Array.from({ length: 2_500 }, (_, n) => delivery(1_000 + n, `G${n}`))
      expect(await identity.webhooks.append(lease, 105, 106, many)).toBe(true)
      expect((await identity.webhooks.pendingCounts(webhook.id, 10)).total).toBe(2_502)
    })

    it('a delivery is due when no earlier one of its account is pending, and a failing one holds back only its account', async () => {
      const { webhook, lease } = await working('ordered', ['GA', 'GB', 'GA', 'GB', 'GC'])
      expect(await dueIds(webhook.id)).toEqual(['msg_0', 'msg_1', 'msg_4'])
      expect(await dueIds(webhook.id, 2)).toEqual(['msg_0', 'msg_1'])
      await identity.webhooks.finish(lease, 'msg_0', failed(nowMs + 5_000))
      await identity.webhooks.finish(lease, 'msg_1', OK)
      expect(await dueIds(webhook.id)).toEqual(['msg_3', 'msg_4'])
      nowMs += 5_000
      expect(await dueIds(webhook.id)).toEqual(['msg_0', 'msg_3', 'msg_4'])
      expect((await identity.webhooks.due(webhook.id, 1))[0]).toEqual({
        ...{ id: 'msg_0', kind: 'activity', account: 'GA', payload: '{"n":0}', attempts: 1, firstAttemptAtMs: NOON_MS },
      })
      await identity.webhooks.finish(lease, 'msg_0', failed(null))
      expect(await dueIds(webhook.id)).toEqual(['msg_2', 'msg_3', 'msg_4'])
      expect(await identity.webhooks.dueWebhooks('one')).toEqual(new Set([webhook.id]))
      expect(await identity.webhooks.dueWebhooks('two')).toEqual(new Set())
      expect(await identity.webhooks.pendingOf('one')).toEqual({ count: 3, oldestAtMs: NOON_MS })
      expect(await identity.webhooks.pendingOf('two')).toEqual({ count: 0, oldestAtMs: null })
    })

    it('counts what is pending in all, and of each account that advances at most as many as are asked for', async () => {
      const { webhook, lease } = await working('counted', ['GA', 'GA', 'GA', 'GB', 'GB', 'GB', 'GC'])
      const counts = (mostOfAccount: number) => identity.webhooks.pendingCounts(webhook.id, mostOfAccount)
      expect([await counts(100), await counts(2)]).toEqual([
        { total: 7, advancing: 7 },
        { total: 7, advancing: 5 },
      ])
      // All of an account whose oldest delivery failed wait for it.
      await identity.webhooks.finish(lease, 'msg_0', failed(nowMs + 5_000))
      expect([await counts(100), await counts(2)]).toEqual([
        { total: 7, advancing: 4 },
        { total: 7, advancing: 3 },
      ])
      await identity.webhooks.finish(lease, 'msg_6', OK)
      await identity.webhooks.finish(lease, 'msg_3', failed(null))
      expect(await counts(100)).toEqual({ total: 5, advancing: 2 })
      await identity.webhooks.finish(lease, 'msg_0', OK)
      expect(await counts(100)).toEqual({ total: 4, advancing: 4 })
      for (const n of [1, 2, 4, 5]) await identity.webhooks.finish(lease, `msg_${n}`, OK)
      expect(await counts(100)).toEqual({ total: 0, advancing: 0 })
    })

    it('lists deliveries newest first, page by page and by status, and sends a dead one again before what follows of its account', async () => {
      const { webhook, lease } = await working('listed', ['GA', 'GA', 'GB'])
      const { organizationId, id } = webhook
      const page = async (after: string | null, status: 'dead' | 'pending' | null = null) =>
        (await identity.webhooks.deliveries(organizationId, id, { status, after, limit: 2 }))?.map((one) => one.id) ?? null
      expect([await page(null), await page('msg_1'), await page('msg_0'), await page('msg_9')]).toEqual([
        ['msg_2', 'msg_1'],
        ['msg_0'],
        [],
        null,
      ])
      await identity.webhooks.finish(lease, 'msg_0', failed(null, 503))
      expect([await page(null, 'dead'), await page(null, 'pending'), await dueIds(id)]).toEqual([
        ['msg_0'],
        ['msg_2', 'msg_1'],
        ['msg_1', 'msg_2'],
      ])
      const [dead] = (await identity.webhooks.deliveries(organizationId, id, { status: 'dead', after: null, limit: 1 })) ?? []
      expect(dead).toMatchObject({
        status: 'dead',
        attempts: 1,
        lastStatus: 503,
        lastError: 'no',
        lastAttemptAtMs: nowMs,
        nextAttemptAtMs: null,
      })
      expect(await identity.webhooks.redeliver(organizationId, id, 'msg_0', BY)).toMatchObject({
        status: 'pending',
        nextAttemptAtMs: nowMs,
      })
      expect(await identity.webhooks.redeliver(organizationId, id, "'; DROP TABLE webhooks;--", BY)).toBeNull()
      expect(await dueIds(id)).toEqual(['msg_0', 'msg_2'])
    })

    it('a webhook is disabled at once by 410, and when every attempt has failed for 24 hours', async () => {
      const { webhook, lease } = await working('failing', ['GA', 'GB', 'GC'])
      const { organizationId, id } = webhook
      const stored = () => identity.webhooks.get(organizationId, id)
      const finish = (deliveryId: string, result: AttemptResult) => identity.webhooks.finish(lease, deliveryId, result)
      expect(await finish('msg_0', failed(nowMs + 1))).toEqual({ disabled: null })
      expect(await stored()).toMatchObject({ failingSinceMs: NOON_MS, enabled: true })
      expect(await finish('msg_1', OK)).toEqual({ disabled: null })
      expect(await stored()).toMatchObject({ failingSinceMs: null })
      expect(await finish('msg_0', failed(nowMs + 1))).toEqual({ disabled: null })
      nowMs += 24 * HOUR_MS - 1
      expect(await finish('msg_0', failed(nowMs + 1))).toEqual({ disabled: null })
      nowMs += 1
      expect(await finish('msg_0', failed(null))).toEqual({ disabled: 'failing' })
      expect(await stored()).toMatchObject({ enabled: false, disabledReason: 'failing', disabledAtMs: nowMs })
      expect((await identity.auditLog(organizationId, 1))[0]).toMatchObject({
        ...{ action: 'webhook.disable', target: id, by: { kind: 'system', id: 'notify' }, details: { reason: 'failing' } },
      })
      expect(await dueIds(id)).toEqual([])
      expect(await identity.webhooks.change(organizationId, id, { enabled: true }, BY)).toMatchObject({
        enabled: true,
        disabledReason: null,
      })
      expect(await dueIds(id)).toEqual(['msg_2'])
      expect(await finish('msg_2', failed(nowMs, 410))).toEqual({ disabled: 'gone' })
      // What waits is kept, with another 24 hours when the webhook is enabled again.
      await identity.webhooks.change(organizationId, id, { enabled: true }, BY)
      expect(await identity.webhooks.due(id, 9)).toMatchObject([{ id: 'msg_2', attempts: 1, firstAttemptAtMs: null }])
    })

    it('a test is attempted also while the webhook is disabled, and its failure disables nothing', async () => {
      const { webhook, lease } = await working('tested', ['GA'])
      const { organizationId, id } = webhook
      await identity.webhooks.change(organizationId, id, { enabled: false }, BY)
      expect(await identity.webhooks.lease('one', LEASE_MS)).toEqual([])
      const made = await identity.webhooks.addTest(organizationId, id, (atMs) => JSON.stringify({ atMs }), BY)
      expect(made).toMatchObject({ kind: 'test', account: '', status: 'pending' })
      expect(await identity.webhooks.lease('one', LEASE_MS)).toMatchObject([{ id, enabled: false }])
      expect(await identity.webhooks.due(id, 9)).toMatchObject([{ id: made?.id, kind: 'test', payload: `{"atMs":${NOON_MS}}` }])
      await identity.webhooks.finish(lease, made?.id ?? '', failed(null))
      expect(await identity.webhooks.get(organizationId, id)).toMatchObject({ failingSinceMs: null, disabledReason: null })
    })

    it('instances share the webhooks evenly; leases end, and what an instance does without its lease counts for nothing', async () => {
      const id = await organization('shared')
      for (let n = 0; n < 5; n++) await add(id)
      const first = await identity.webhooks.lease('one', LEASE_MS)
      expect(first).toHaveLength(5)
      nowMs += LEASE_MS / 2
      // The other has no share yet: the first gives up what is beyond its own only when its leases end.
      expect(await second.webhooks.lease('two', LEASE_MS)).toEqual([])
      const kept = await identity.webhooks.lease('one', LEASE_MS)
      expect(kept).toHaveLength(3)
      nowMs += LEASE_MS / 2
      const given = await second.webhooks.lease('two', LEASE_MS)
      expect([...kept, ...given].map((one) => one.id).sort()).toEqual(first.map((one) => one.id).sort())
      const webhookId = given[0]?.id ?? ''
      expect(await identity.webhooks.append({ instance: 'one', webhookId }, 99, 100, [delivery(1)])).toBe(false)
      expect(await identity.webhooks.append({ instance: 'two', webhookId }, 99, 100, [delivery(1)])).toBe(true)
      expect(await identity.webhooks.finish({ instance: 'one', webhookId }, 'msg_1', OK)).toBeNull()
      // An instance that was killed: its leases end by themselves. One that stops gives them back at once.
      nowMs += LEASE_MS
      expect(await identity.webhooks.lease('one', LEASE_MS)).toHaveLength(5)
      await identity.webhooks.release('one')
      expect(await second.webhooks.lease('two', LEASE_MS)).toHaveLength(5)
    })

    it('two instances that ask at the same moment never have the same webhook', async () => {
      const id = await organization('crowded')
      for (let n = 0; n < 6; n++) await add(id)
      for (let round = 0; round < races; round++) {
        const settled = await Promise.allSettled([identity.webhooks.lease('one', LEASE_MS), second.webhooks.lease('two', LEASE_MS)])
        // A database may refuse one of two that lock the same rows; it asks again.
        const ids = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.map((webhook) => webhook.id) : []))
        expect(new Set(ids).size).toBe(ids.length)
        nowMs += LEASE_MS
      }
    })

    it('deletes what was delivered after three days, and what is dead after thirty', async () => {
      const { webhook, lease } = await working('old', ['GA', 'GB', 'GC'])
      await identity.webhooks.finish(lease, 'msg_0', OK)
      await identity.webhooks.finish(lease, 'msg_1', failed(null))
      const left = async () => (await identity.webhooks.deliveries(webhook.organizationId, webhook.id, PAGE))?.map(({ id }) => id)
      nowMs += 3 * 24 * HOUR_MS
      expect([await identity.webhooks.trim(), await left()]).toEqual([0, ['msg_2', 'msg_1', 'msg_0']])
      nowMs += 1
      expect([await identity.webhooks.trim(), await left()]).toEqual([1, ['msg_2', 'msg_1']])
      nowMs += 27 * 24 * HOUR_MS
      expect([await identity.webhooks.trim(), await left()]).toEqual([1, ['msg_2']])
    })
  })
}

const PAGE = { status: null, after: null, limit: 10 }
const WEBHOOK = {
  ...{ url: 'https://example.org/a', description: null, filter: EVERYTHING, enabled: true, fromLedger: null },
  seal: () => 'sealed',
}
