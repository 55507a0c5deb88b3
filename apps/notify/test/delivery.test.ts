import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sealWebhookSecret } from '@orrery/identity'
import { withDatabases } from '@orrery/read-model/testing'
import { seededRandom } from '@orrery/testkit'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BY, type Delivery, openDelivery, WEBHOOK_KEY } from './delivery.ts'
import { ACCOUNTS, closeTimeOf, FIRST_LEDGER, type IndexedLedgers, indexedLedgers, POOL, position } from './indexed-ledgers.ts'
import { type Behaviour, outOfOrder, type Received, type Receiver, startReceiver } from './receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-delivery-'))
const databases = withDatabases()
let stack: AsyncDisposableStack
let index: IndexedLedgers
let delivery: Delivery
let receiver: Receiver
let count = 0
let offsetMs = 0
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  index = stack.use(await indexedLedgers(await databases.database()))
  offsetMs = 0
  delivery = stack.use(await openDelivery(`sqlite:${join(folder, `${++count}.sqlite`)}`, index.readModel, () => Date.now() + offsetMs))
  receiver = stack.use(await startReceiver())
})
afterEach(() => stack.disposeAsync())
afterAll(() => rmSync(folder, { recursive: true }))

const accepted = (): Received[] => receiver.received.filter(({ isAccepted }) => isAccepted)
const acceptedIds = (): Set<string> => new Set(accepted().map(({ event }) => event.id))
const stored = async (id: string) => (await delivery.identity.webhooks.get(delivery.organizationId, id)) ?? null
const log = async (id: string) =>
  (await delivery.identity.webhooks.deliveries(delivery.organizationId, id, { status: null, after: null, limit: 500 })) ?? []
const pendingOf = async (id: string) => (await delivery.identity.webhooks.pendingCounts(id, 1)).total
const [ANN, BOB] = ACCOUNTS as [string, string]

describe('a webhook', () => {
  it('gets each event of the index and of new ledgers, signed, in order for each account', async () => {
    for (let n = 0; n < 5; n++) await index.write(ACCOUNTS)
    const { webhook, secret } = await delivery.addWebhook(receiver.url)
    delivery.start()
    for (let n = 0; n < 5; n++) await index.write(ACCOUNTS)
    await expect.poll(() => acceptedIds().size).toBe(50)
    expect(outOfOrder(receiver.received)).toEqual([])
    for (const { event, account, headers, body, id } of receiver.received) {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
      expect(new StandardWebhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, String(headers[name])])))).toEqual(
        event,
      )
      const ledger = Number(event.data.ledger)
      expect(event).toMatchObject({
        ...{ type: 'activity', id: `${ledger}/activity/${event.data.id}`, webhook_id: webhook.id },
        ...{ data: { address: account, contract: POOL, amount: '1', activity_type: 'deposit' } },
        timestamp: `${new Date(closeTimeOf(ledger) * 1000).toISOString().slice(0, 19)}Z`,
      })
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Orrery-Webhooks/1' })
      expect(id).toMatch(/^msg_[0-9a-f]{32}$/)
    }
    // The receiver has a request before its answer is stored.
    const isDelivered = async () => (await log(webhook.id)).every(({ status, lastStatus }) => status === 'delivered' && lastStatus === 204)
    await expect.poll(isDelivered).toBe(true)
  })

  it('that was created without a ledger begins with the first one that closes after it', async () => {
    for (let n = 0; n < 3; n++) await index.write([ANN])
    offsetMs = closeTimeOf(FIRST_LEDGER + 4) * 1000 + 2_000 - Date.now()
    const { webhook } = await delivery.addWebhook(receiver.url, { fromLedger: null })
    delivery.start()
    // The index is behind the clock: these two closed before the webhook was made.
    for (let n = 0; n < 5; n++) await index.write([ANN])
    await expect.poll(() => acceptedIds().size).toBe(3)
    expect([...acceptedIds()].map((id) => Number(id.split('/')[0]))).toEqual([105, 106, 107])
    expect((await stored(webhook.id))?.ledger).toBe(107)
  })

  it('gets only events of its filter, and a new filter counts from the next ledger on', async () => {
    await index.write(ACCOUNTS)
    const { webhook } = await delivery.addWebhook(receiver.url, { filterOf: { addresses: [ANN], events: ['activity'] } })
    delivery.start()
    await expect.poll(() => acceptedIds().size).toBe(1)
    const filter = { ...webhook.filter, addresses: [BOB] }
    await delivery.identity.webhooks.change(delivery.organizationId, webhook.id, { filter }, BY)
    const leased = async () => (await stored(webhook.id))?.filter.addresses
    expect(await leased()).toEqual([BOB])
    // An instance sees the change within the time between two looks at the leases.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await index.write(ACCOUNTS)
    await expect.poll(() => acceptedIds().size).toBe(2)
    expect(accepted().map(({ account }) => account)).toEqual([ANN, BOB])
  })

  it('gets a health factor once when it falls below the threshold and once when it has recovered, also over a restart', async () => {
    await index.write([], { positionSnapshots: [position(FIRST_LEDGER, ANN, '1.5')] })
    await delivery.addWebhook(receiver.url, { filterOf: { events: ['health_factor'], healthFactorBelow: '1.1' } })
    const first = delivery.start()
    await index.write([], { positionSnapshots: [position(FIRST_LEDGER + 1, ANN, '1.05')] })
    await expect.poll(() => accepted().length).toBe(1)
    await first.stop()
    delivery.start()
    for (const [n, collateral] of ['1.09', '1.11', '1.05', '1.2', '1.3'].entries()) {
      await index.write([], { positionSnapshots: [position(FIRST_LEDGER + 2 + n, ANN, collateral)] })
    }
    await expect.poll(() => accepted().length).toBe(2)
    // Recovered at 2 % above the threshold: 1.122.
    expect(accepted().map(({ event: { id, data } }) => [id, data.crossed, data.health_factor, data.threshold])).toEqual([
      [`101/health_factor/blend/${POOL}/${ANN}`, 'below', '1.05', '1.1'],
      [`105/health_factor/blend/${POOL}/${ANN}`, 'recovered', '1.2', '1.1'],
    ])
  })

  it('that is disabled gets nothing, and goes on where it stopped when it is enabled again', async () => {
    await index.write([ANN])
    const { webhook } = await delivery.addWebhook(receiver.url)
    delivery.start()
    await expect.poll(() => acceptedIds().size).toBe(1)
    const enable = (enabled: boolean) => delivery.identity.webhooks.change(delivery.organizationId, webhook.id, { enabled }, BY)
    await enable(false)
    await expect.poll(() => delivery.metrics.webhookLeases.get().then(({ values }) => values[0]?.value)).toBe(0)
    for (let n = 0; n < 3; n++) await index.write([ANN])
    expect(receiver.received).toHaveLength(1)
    await enable(true)
    await expect.poll(() => acceptedIds().size).toBe(4)
    expect(outOfOrder(receiver.received)).toEqual([])
  })

  it('has requests with both signatures while its secret is rotated', async () => {
    const { webhook, secret } = await delivery.addWebhook(receiver.url)
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    const seal = (id: string) => sealWebhookSecret(WEBHOOK_KEY, id, other)
    await delivery.identity.webhooks.rotateSecret(delivery.organizationId, webhook.id, seal, BY)
    delivery.start()
    await index.write([ANN])
    await expect.poll(() => accepted().length).toBe(1)
    const [{ body, headers } = { body: '', headers: {} as Received['headers'] }] = accepted()
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const one of [secret, other]) expect(() => new StandardWebhook(one).verify(body, headers as Record<string, string>)).not.toThrow()
  })

  it('gets a test event while it is disabled, once, and the log has its outcome', async () => {
    const { webhook } = await delivery.addWebhook(receiver.url, { enabled: false })
    await index.write([ANN])
    receiver.behave = () => 503
    delivery.start()
    const payload = JSON.stringify({ type: 'test', id: 'test', timestamp: '2026-01-01T00:00:00Z', webhook_id: webhook.id, data: {} })
    await delivery.identity.webhooks.addTest(delivery.organizationId, webhook.id, () => payload, BY)
    await expect.poll(async () => (await log(webhook.id))[0]?.status).toBe('dead')
    expect(await log(webhook.id)).toMatchObject([{ kind: 'test', attempts: 1, lastStatus: 503, lastError: 'the receiver answered 503' }])
    expect(receiver.received.map(({ body }) => body)).toEqual([payload])
  })
})

describe('a receiver that misbehaves', () => {
  it('gets nothing again after it was accepted, and nothing out of order, also while the database answers late', async () => {
    const { webhooks } = delivery.identity
    const due: typeof webhooks.due = async (...given) => {
      const found = await webhooks.due(...given)
      await delay(20)
      return found
    }
    const random = seededRandom(1)
    receiver.behave = () => (random() < 0.2 ? 'cut' : { status: 200, afterMs: Math.floor(random() * 30) })
    await delivery.addWebhook(receiver.url)
    delivery.start({ webhooks: { ...webhooks, due } })
    await index.writeMany(20, ACCOUNTS)
    await expect.poll(() => acceptedIds().size).toBe(100)
    expect(accepted()).toHaveLength(100)
    expect(outOfOrder(receiver.received)).toEqual([])
  })

  it.each([1, 2, 3])('gets each event at least once, in order for each account, with stable ids (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const kinds: readonly Behaviour[] = [
      ...[500, 429, 404, 'cut' as const, 'silent' as const],
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { status: 200, afterMs: 30, body: 'x'.repeat(300_000) },
    ]
    receiver.behave = () => (random() < 0.5 ? (kinds[Math.floor(random() * kinds.length)] ?? 204) : 204)
    const { webhook } = await delivery.addWebhook(receiver.url)
    delivery.start({ sendTimes: { answer: 200 } })
    for (let n = 0; n < 8; n++) await index.write(ACCOUNTS)
    await expect.poll(() => acceptedIds().size).toBe(40)
    await expect.poll(async () => (await log(webhook.id)).filter(({ status }) => status === 'delivered').length).toBe(40)
    expect(outOfOrder(receiver.received)).toEqual([])
    const ids = new Map(receiver.received.map(({ event, id, body }) => [event.id, `${id} ${body}`]))
    expect(receiver.received.filter(({ event, id, body }) => ids.get(event.id) !== `${id} ${body}`)).toEqual([])
    expect(receiver.received.length).toBeGreaterThan(45)
  })

  it('that refuses the events of one account gets those of the others meanwhile', async () => {
    receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await delivery.addWebhook(receiver.url)
    delivery.start()
    for (let n = 0; n < 4; n++) await index.write([ANN, BOB])
    await expect.poll(() => acceptedIds().size).toBe(4)
    expect(new Set(receiver.received.filter(({ account }) => account === ANN).map(({ event }) => event.id)).size).toBe(1)
    receiver.behave = () => 204
    await expect.poll(() => acceptedIds().size).toBe(8)
    expect(outOfOrder(receiver.received)).toEqual([])
    expect((await stored(webhook.id))?.failingSinceMs).toBeNull()
  })

  it('that refuses more events of one account than may wait gets those of the others, also while that account catches up', async () => {
    receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await delivery.addWebhook(receiver.url, { filterOf: { events: ['activity'] } })
    delivery.start()
    await index.writeMany(1_200, [ANN])
    await expect.poll(() => pendingOf(webhook.id)).toBe(1_200)
    await index.write([ANN, BOB])
    await expect.poll(() => accepted().map(({ account }) => account)).toEqual([BOB])
    expect(new Set(receiver.received.filter(({ account }) => account === ANN).map(({ event }) => event.id)).size).toBe(1)
    // One after the other: minutes.
    receiver.behave = ({ account }) => ({ status: 204, afterMs: account === ANN ? 1_000 : 0 })
    await expect.poll(() => accepted().length).toBeGreaterThan(3)
    await index.write([BOB])
    await expect.poll(() => accepted().filter(({ account }) => account === BOB).length).toBe(2)
    expect(await pendingOf(webhook.id)).toBeGreaterThan(1_000)
    expect(outOfOrder(receiver.received)).toEqual([])
  })

  it('that refuses one account beyond the limit of all that waits gets no other events until that account is accepted, and then all of them', async () => {
    receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await delivery.addWebhook(receiver.url, { filterOf: { events: ['activity'] } })
    await index.writeMany(20, [ANN])
    delivery.start({ pendingLimits: { advancing: 1_000, ofAccount: 100, total: 20 } })
    await expect.poll(() => pendingOf(webhook.id)).toBe(20)
    await index.write([BOB])
    await expect.poll(() => receiver.received.length).toBeGreaterThan(20)
    expect(receiver.received.every(({ account }) => account === ANN)).toBe(true)
    expect((await stored(webhook.id))?.enabled).toBe(true)
    receiver.behave = () => 204
    await expect.poll(() => acceptedIds().size).toBe(21)
    expect(outOfOrder(receiver.received)).toEqual([])
  })

  it('that answers 410 gets nothing more, and its webhook is disabled with the reason, an audit entry and a log line', async () => {
    receiver.behave = () => 410
    const { webhook } = await delivery.addWebhook(`${receiver.url}/secret-path`)
    const other = stack.use(await startReceiver())
    await delivery.addWebhook(other.url)
    delivery.start()
    await index.write([ANN])
    await expect.poll(async () => (await stored(webhook.id))?.disabledReason).toBe('gone')
    await index.write([ANN])
    await expect.poll(() => other.received.length).toBe(2)
    expect(receiver.received).toHaveLength(1)
    expect(await log(webhook.id)).toMatchObject([{ status: 'pending', attempts: 1, lastStatus: 410 }])
    const [entry] = await delivery.identity.auditLog(delivery.organizationId, 1)
    expect(entry).toMatchObject({
      action: 'webhook.disable',
      target: webhook.id,
      by: { kind: 'system', id: 'notify' },
      details: { reason: 'gone' },
    })
    const warned = delivery.lines.find((line) => line.includes('Disabled a webhook'))
    expect(warned).toContain(new URL(receiver.url).host)
    expect(delivery.lines.join('\n')).not.toContain('secret-path')
  })

  it('that fails for 24 hours gets its webhook disabled, what failed is dead, and can be sent again', async () => {
    receiver.behave = () => 500
    const { webhook } = await delivery.addWebhook(receiver.url)
    // The real schedule, with a clock that jumps.
    delivery.start({ nextAttemptAt: ({ firstAttemptAtMs, nowMs }) => (nowMs - firstAttemptAtMs >= 24 * 3_600_000 ? null : nowMs) })
    await index.write([ANN])
    await index.write([ANN])
    await expect.poll(() => receiver.received.length).toBeGreaterThan(2)
    await expect.poll(() => pendingOf(webhook.id)).toBe(2)
    offsetMs += 24 * 3_600_000
    await expect.poll(async () => (await stored(webhook.id))?.disabledReason).toBe('failing')
    const [second, first] = await log(webhook.id)
    expect([first?.status, second?.status, second?.attempts]).toEqual(['dead', 'pending', 0])
    receiver.behave = () => 204
    await delivery.identity.webhooks.redeliver(delivery.organizationId, webhook.id, first?.id ?? '', BY)
    await delivery.identity.webhooks.change(delivery.organizationId, webhook.id, { enabled: true }, BY)
    await expect.poll(() => acceptedIds().size).toBe(2)
    expect(outOfOrder(receiver.received)).toEqual([])
  })

  it('that accepts nothing makes the rest wait in the index, not in the database', async () => {
    receiver.behave = () => 500
    const { webhook } = await delivery.addWebhook(receiver.url, { filterOf: { events: ['activity'] } })
    await index.writeMany(800, ACCOUNTS)
    const pendingLimits = { advancing: 1_000, ofAccount: 100, total: 1_000 }
    delivery.start({ nextAttemptAt: ({ nowMs }) => nowMs + 3_600_000, pendingLimits })
    await expect.poll(() => pendingOf(webhook.id)).toBeGreaterThan(1_000)
    for (let n = 0; n < 3; n++) await index.write(ACCOUNTS)
    const before = await stored(webhook.id)
    expect(await pendingOf(webhook.id)).toBeLessThan(4_000)
    expect(before?.ledger).toBeLessThan(FIRST_LEDGER + 803)
  })
})

describe('several instances', () => {
  it('share the webhooks, and one takes over what another had', async () => {
    const hooks = await Promise.all(Array.from({ length: 6 }, () => startReceiver()))
    for (const one of hooks) stack.use(one)
    for (const one of hooks) await delivery.addWebhook(one.url)
    const times = { leaseEvery: 50, leaseFor: 2_000, dueEvery: 20, followEvery: 20, drain: 5_000 }
    const options = { times, sendTimes: { answer: 500 } }
    const first = delivery.start(options)
    await expect.poll(() => first.status().webhooks).toBe(6)
    const second = delivery.start(options)
    await expect.poll(() => [first.status().webhooks, second.status().webhooks]).toEqual([3, 3])
    for (let n = 0; n < 5; n++) await index.write([ANN, BOB])
    const all = () => hooks.map(({ received }) => new Set(received.filter((one) => one.isAccepted).map(({ event }) => event.id)).size)
    await expect.poll(all).toEqual(Array(6).fill(10))
    await first.stop()
    await expect.poll(() => second.status().webhooks).toBe(6)
    for (let n = 0; n < 5; n++) await index.write([ANN, BOB])
    await expect.poll(all).toEqual(Array(6).fill(20))
    for (const { received } of hooks) expect(outOfOrder(received)).toEqual([])
  })
})
