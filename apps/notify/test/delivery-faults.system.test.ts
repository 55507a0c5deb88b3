// Webhooks whose receivers misbehave, and webhooks that several instances share, over HTTP.

import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { BY } from './delivery.ts'
import { ACCOUNTS, FIRST_LEDGER } from './indexed-ledgers.ts'
import { type Behaviour, outOfOrder, startReceiver } from './receiver.ts'
import { withDelivery } from './with-delivery.ts'

const at = withDelivery()
const [ANN, BOB] = ACCOUNTS as [string, string]

describe('a receiver that misbehaves', () => {
  it('gets nothing again after it was accepted, and nothing out of order, also while the database answers late', async () => {
    const { webhooks } = at.delivery.identity
    const due: typeof webhooks.due = async (...given) => {
      const found = await webhooks.due(...given)
      await delay(20)
      return found
    }
    const random = seededRandom(1)
    at.receiver.behave = () => (random() < 0.2 ? 'cut' : { status: 200, afterMs: Math.floor(random() * 30) })
    await at.delivery.addWebhook(at.receiver.url)
    at.delivery.start({ webhooks: { ...webhooks, due } })
    await at.index.writeMany(20, ACCOUNTS)
    await expect.poll(() => at.acceptedIds().size).toBe(100)
    expect(at.accepted()).toHaveLength(100)
    expect(outOfOrder(at.receiver.received)).toEqual([])
  })

  it.each([1, 2, 3])('gets each event at least once, in order for each account, with stable ids (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const kinds: readonly Behaviour[] = [
      ...[500, 429, 404, 'cut' as const, 'silent' as const],
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { status: 200, afterMs: 30, body: 'x'.repeat(300_000) },
    ]
    at.receiver.behave = () => (random() < 0.5 ? (kinds[Math.floor(random() * kinds.length)] ?? 204) : 204)
    const { webhook } = await at.delivery.addWebhook(at.receiver.url)
    at.delivery.start({ sendTimes: { answer: 200 } })
    for (let n = 0; n < 8; n++) await at.index.write(ACCOUNTS)
    await expect.poll(() => at.acceptedIds().size).toBe(40)
    await expect.poll(async () => (await at.log(webhook.id)).filter(({ status }) => status === 'delivered').length).toBe(40)
    expect(outOfOrder(at.receiver.received)).toEqual([])
    const ids = new Map(at.receiver.received.map(({ event, id, body }) => [event.id, `${id} ${body}`]))
    expect(at.receiver.received.filter(({ event, id, body }) => ids.get(event.id) !== `${id} ${body}`)).toEqual([])
    expect(at.receiver.received.length).toBeGreaterThan(45)
  })

  it('that refuses the events of one account gets those of the others meanwhile', async () => {
    at.receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await at.delivery.addWebhook(at.receiver.url)
    at.delivery.start()
    for (let n = 0; n < 4; n++) await at.index.write([ANN, BOB])
    await expect.poll(() => at.acceptedIds().size).toBe(4)
    expect(new Set(at.receiver.received.filter(({ account }) => account === ANN).map(({ event }) => event.id)).size).toBe(1)
    at.receiver.behave = () => 204
    await expect.poll(() => at.acceptedIds().size).toBe(8)
    expect(outOfOrder(at.receiver.received)).toEqual([])
    expect((await at.stored(webhook.id))?.failingSinceMs).toBeNull()
  })

  it('that refuses more events of one account than may wait gets those of the others, also while that account catches up', async () => {
    at.receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { filterOf: { events: ['activity'] } })
    at.delivery.start()
    await at.index.writeMany(1_200, [ANN])
    await expect.poll(() => at.pendingOf(webhook.id)).toBe(1_200)
    await at.index.write([ANN, BOB])
    await expect.poll(() => at.accepted().map(({ account }) => account)).toEqual([BOB])
    expect(new Set(at.receiver.received.filter(({ account }) => account === ANN).map(({ event }) => event.id)).size).toBe(1)
    // One after the other: minutes.
    at.receiver.behave = ({ account }) => ({ status: 204, afterMs: account === ANN ? 1_000 : 0 })
    await expect.poll(() => at.accepted().length).toBeGreaterThan(3)
    await at.index.write([BOB])
    await expect.poll(() => at.accepted().filter(({ account }) => account === BOB).length).toBe(2)
    expect(await at.pendingOf(webhook.id)).toBeGreaterThan(1_000)
    expect(outOfOrder(at.receiver.received)).toEqual([])
  })

  it('that refuses one account beyond the limit of all that waits gets no other events until that account is accepted, and then all of them', async () => {
    at.receiver.behave = ({ account }) => (account === ANN ? 500 : 204)
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { filterOf: { events: ['activity'] } })
    await at.index.writeMany(20, [ANN])
    at.delivery.start({ pendingLimits: { advancing: 1_000, ofAccount: 100, total: 20 } })
    await expect.poll(() => at.pendingOf(webhook.id)).toBe(20)
    await at.index.write([BOB])
    await expect.poll(() => at.receiver.received.length).toBeGreaterThan(20)
    expect(at.receiver.received.every(({ account }) => account === ANN)).toBe(true)
    expect((await at.stored(webhook.id))?.enabled).toBe(true)
    at.receiver.behave = () => 204
    await expect.poll(() => at.acceptedIds().size).toBe(21)
    expect(outOfOrder(at.receiver.received)).toEqual([])
  })

  it('that answers 410 gets nothing more, and its webhook is disabled with the reason, an audit entry and a log line', async () => {
    at.receiver.behave = () => 410
    const { webhook } = await at.delivery.addWebhook(`${at.receiver.url}/secret-path`)
    const other = at.stack.use(await startReceiver())
    await at.delivery.addWebhook(other.url)
    at.delivery.start()
    await at.index.write([ANN])
    await expect.poll(async () => (await at.stored(webhook.id))?.disabledReason).toBe('gone')
    await at.index.write([ANN])
    await expect.poll(() => other.received.length).toBe(2)
    expect(at.receiver.received).toHaveLength(1)
    expect(await at.log(webhook.id)).toMatchObject([{ status: 'pending', attempts: 1, lastStatus: 410 }])
    const [entry] = await at.delivery.identity.auditLog(at.delivery.organizationId, 1)
    expect(entry).toMatchObject({
      action: 'webhook.disable',
      target: webhook.id,
      by: { kind: 'system', id: 'notify' },
      details: { reason: 'gone' },
    })
    const warned = at.delivery.lines.find((line) => line.includes('Disabled a webhook'))
    expect(warned).toContain(new URL(at.receiver.url).host)
    expect(at.delivery.lines.join('\n')).not.toContain('secret-path')
  })

  it('that fails for 24 hours gets its webhook disabled, what failed is dead, and can be sent again', async () => {
    at.receiver.behave = () => 500
    const { webhook } = await at.delivery.addWebhook(at.receiver.url)
    // The real schedule, with a clock that jumps.
    at.delivery.start({ nextAttemptAt: ({ firstAttemptAtMs, nowMs }) => (nowMs - firstAttemptAtMs >= 24 * 3_600_000 ? null : nowMs) })
    await at.index.write([ANN])
    await at.index.write([ANN])
    await expect.poll(() => at.receiver.received.length).toBeGreaterThan(2)
    await expect.poll(() => at.pendingOf(webhook.id)).toBe(2)
    at.offsetMs += 24 * 3_600_000
    await expect.poll(async () => (await at.stored(webhook.id))?.disabledReason).toBe('failing')
    const [second, first] = await at.log(webhook.id)
    expect([first?.status, second?.status, second?.attempts]).toEqual(['dead', 'pending', 0])
    at.receiver.behave = () => 204
    await at.delivery.identity.webhooks.redeliver(at.delivery.organizationId, webhook.id, first?.id ?? '', BY)
    await at.delivery.identity.webhooks.change(at.delivery.organizationId, webhook.id, { enabled: true }, BY)
    await expect.poll(() => at.acceptedIds().size).toBe(2)
    expect(outOfOrder(at.receiver.received)).toEqual([])
  })

  it('that accepts nothing makes the rest wait in the index, not in the database', async () => {
    at.receiver.behave = () => 500
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { filterOf: { events: ['activity'] } })
    await at.index.writeMany(800, ACCOUNTS)
    const pendingLimits = { advancing: 1_000, ofAccount: 100, total: 1_000 }
    at.delivery.start({ nextAttemptAt: ({ nowMs }) => nowMs + 3_600_000, pendingLimits })
    await expect.poll(() => at.pendingOf(webhook.id)).toBeGreaterThan(1_000)
    for (let n = 0; n < 3; n++) await at.index.write(ACCOUNTS)
    const before = await at.stored(webhook.id)
    expect(await at.pendingOf(webhook.id)).toBeLessThan(4_000)
    expect(before?.ledger).toBeLessThan(FIRST_LEDGER + 803)
  })
})

describe('several instances', () => {
  it('share the webhooks, and one takes over what another had', async () => {
    const hooks = await Promise.all(Array.from({ length: 6 }, () => startReceiver()))
    for (const one of hooks) at.stack.use(one)
    for (const one of hooks) await at.delivery.addWebhook(one.url)
    const times = { leaseEvery: 50, leaseFor: 2_000, dueEvery: 20, followEvery: 20, drain: 5_000 }
    const options = { times, sendTimes: { answer: 500 } }
    const first = at.delivery.start(options)
    await expect.poll(() => first.status().webhooks).toBe(6)
    const second = at.delivery.start(options)
    await expect.poll(() => [first.status().webhooks, second.status().webhooks]).toEqual([3, 3])
    for (let n = 0; n < 5; n++) await at.index.write([ANN, BOB])
    const all = () => hooks.map(({ received }) => new Set(received.filter((one) => one.isAccepted).map(({ event }) => event.id)).size)
    await expect.poll(all).toEqual(Array(6).fill(10))
    await first.stop()
    await expect.poll(() => second.status().webhooks).toBe(6)
    for (let n = 0; n < 5; n++) await at.index.write([ANN, BOB])
    await expect.poll(all).toEqual(Array(6).fill(20))
    for (const { received } of hooks) expect(outOfOrder(received)).toEqual([])
  })
})
