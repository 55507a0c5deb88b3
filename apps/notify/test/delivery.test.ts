import { sealWebhookSecret } from '@orrery/identity'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { BY, WEBHOOK_KEY } from './delivery.ts'
import { ACCOUNTS, closeTimeOf, FIRST_LEDGER, POOL, position } from './indexed-ledgers.ts'
import { outOfOrder, type Received } from './receiver.ts'
import { withDelivery } from './with-delivery.ts'

const at = withDelivery()
const [ANN, BOB] = ACCOUNTS as [string, string]

describe('a webhook', () => {
  it('gets each event of the index and of new ledgers, signed, in order for each account', async () => {
    for (let n = 0; n < 5; n++) await at.index.write(ACCOUNTS)
    const { webhook, secret } = await at.delivery.addWebhook(at.receiver.url)
    at.delivery.start()
    for (let n = 0; n < 5; n++) await at.index.write(ACCOUNTS)
    await expect.poll(() => at.acceptedIds().size).toBe(50)
    expect(outOfOrder(at.receiver.received)).toEqual([])
    for (const { event, account, headers, body, id } of at.receiver.received) {
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
    const isDelivered = async () =>
      (await at.log(webhook.id)).every(({ status, lastStatus }) => status === 'delivered' && lastStatus === 204)
    await expect.poll(isDelivered).toBe(true)
  })

  it('that was created without a ledger begins with the first one that closes after it', async () => {
    for (let n = 0; n < 3; n++) await at.index.write([ANN])
    at.offsetMs = closeTimeOf(FIRST_LEDGER + 4) * 1000 + 2_000 - Date.now()
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { fromLedger: null })
    at.delivery.start()
    // The index is behind the clock: these two closed before the webhook was made.
    for (let n = 0; n < 5; n++) await at.index.write([ANN])
    await expect.poll(() => at.acceptedIds().size).toBe(3)
    expect([...at.acceptedIds()].map((id) => Number(id.split('/')[0]))).toEqual([105, 106, 107])
    expect((await at.stored(webhook.id))?.ledger).toBe(107)
  })

  it('gets only events of its filter, and a new filter counts from the next ledger on', async () => {
    await at.index.write(ACCOUNTS)
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { filterOf: { addresses: [ANN], events: ['activity'] } })
    at.delivery.start()
    await expect.poll(() => at.acceptedIds().size).toBe(1)
    const filter = { ...webhook.filter, addresses: [BOB] }
    await at.delivery.identity.webhooks.change(at.delivery.organizationId, webhook.id, { filter }, BY)
    const leased = async () => (await at.stored(webhook.id))?.filter.addresses
    expect(await leased()).toEqual([BOB])
    // An instance sees the change within the time between two looks at the leases.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await at.index.write(ACCOUNTS)
    await expect.poll(() => at.acceptedIds().size).toBe(2)
    expect(at.accepted().map(({ account }) => account)).toEqual([ANN, BOB])
  })

  it('gets a health factor once when it falls below the threshold and once when it has recovered, also over a restart', async () => {
    await at.index.write([], { positionSnapshots: [position(FIRST_LEDGER, ANN, '1.5')] })
    await at.delivery.addWebhook(at.receiver.url, { filterOf: { events: ['health_factor'], healthFactorBelow: '1.1' } })
    const first = at.delivery.start()
    await at.index.write([], { positionSnapshots: [position(FIRST_LEDGER + 1, ANN, '1.05')] })
    await expect.poll(() => at.accepted().length).toBe(1)
    await first.stop()
    at.delivery.start()
    for (const [n, collateral] of ['1.09', '1.11', '1.05', '1.2', '1.3'].entries()) {
      await at.index.write([], { positionSnapshots: [position(FIRST_LEDGER + 2 + n, ANN, collateral)] })
    }
    await expect.poll(() => at.accepted().length).toBe(2)
    // Recovered at 2 % above the threshold: 1.122.
    expect(at.accepted().map(({ event: { id, data } }) => [id, data.crossed, data.health_factor, data.threshold])).toEqual([
      [`101/health_factor/blend/${POOL}/${ANN}`, 'below', '1.05', '1.1'],
      [`105/health_factor/blend/${POOL}/${ANN}`, 'recovered', '1.2', '1.1'],
    ])
  })

  it('that is disabled gets nothing, and goes on where it stopped when it is enabled again', async () => {
    await at.index.write([ANN])
    const { webhook } = await at.delivery.addWebhook(at.receiver.url)
    at.delivery.start()
    await expect.poll(() => at.acceptedIds().size).toBe(1)
    const enable = (enabled: boolean) => at.delivery.identity.webhooks.change(at.delivery.organizationId, webhook.id, { enabled }, BY)
    await enable(false)
    await expect.poll(() => at.delivery.metrics.webhookLeases.get().then(({ values }) => values[0]?.value)).toBe(0)
    for (let n = 0; n < 3; n++) await at.index.write([ANN])
    expect(at.receiver.received).toHaveLength(1)
    await enable(true)
    await expect.poll(() => at.acceptedIds().size).toBe(4)
    expect(outOfOrder(at.receiver.received)).toEqual([])
  })

  it('has requests with both signatures while its secret is rotated', async () => {
    const { webhook, secret } = await at.delivery.addWebhook(at.receiver.url)
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    const seal = (id: string) => sealWebhookSecret(WEBHOOK_KEY, id, other)
    await at.delivery.identity.webhooks.rotateSecret(at.delivery.organizationId, webhook.id, seal, BY)
    at.delivery.start()
    await at.index.write([ANN])
    await expect.poll(() => at.accepted().length).toBe(1)
    const [{ body, headers } = { body: '', headers: {} as Received['headers'] }] = at.accepted()
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const one of [secret, other]) expect(() => new StandardWebhook(one).verify(body, headers as Record<string, string>)).not.toThrow()
  })

  it('gets a test event while it is disabled, once, and the log has its outcome', async () => {
    const { webhook } = await at.delivery.addWebhook(at.receiver.url, { enabled: false })
    await at.index.write([ANN])
    at.receiver.behave = () => 503
    at.delivery.start()
    const payload = JSON.stringify({ type: 'test', id: 'test', timestamp: '2026-01-01T00:00:00Z', webhook_id: webhook.id, data: {} })
    await at.delivery.identity.webhooks.addTest(at.delivery.organizationId, webhook.id, () => payload, BY)
    await expect.poll(async () => (await at.log(webhook.id))[0]?.status).toBe('dead')
    expect(await at.log(webhook.id)).toMatchObject([{ kind: 'test', attempts: 1, lastStatus: 503, lastError: 'the receiver answered 503' }])
    expect(at.receiver.received.map(({ body }) => body)).toEqual([payload])
  })
})
