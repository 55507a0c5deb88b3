// What each test of the delivery of webhooks has: an index with no rows, a database of organizations on SQLite, and a receiver.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Webhook, Delivery as WebhookDelivery } from '@orrery/identity'
import { withDatabases } from '@orrery/read-model/testing'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { type Delivery, openDelivery } from './delivery.ts'
import { type IndexedLedgers, indexedLedgers } from './indexed-ledgers.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'

interface Parts {
  /** Disposed after the test. */
  readonly stack: AsyncDisposableStack
  readonly index: IndexedLedgers
  readonly delivery: Delivery
  readonly receiver: Receiver
}

export interface DeliveryOfEachTest extends Parts {
  /** How far the clock of the delivery is ahead of that of the machine. */
  offsetMs: number
  /** Requests that the receiver answered with success. */
  accepted(): Received[]
  acceptedIds(): Set<string>
  stored(webhookId: string): Promise<Webhook | null>
  /** The log of deliveries, newest first. */
  log(webhookId: string): Promise<readonly WebhookDelivery[]>
  /** How many deliveries of the webhook wait. */
  pendingOf(webhookId: string): Promise<number>
}

/** To be called at the top of a test file. */
export function withDelivery(): DeliveryOfEachTest {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-delivery-'))
  const databases = withDatabases()
  let parts: Parts | undefined
  let count = 0
  const running = (): Parts => {
    if (parts === undefined) throw new Error('There is a delivery only while a test runs.')
    return parts
  }
  beforeEach(async () => {
    const stack = new AsyncDisposableStack()
    each.offsetMs = 0
    const index = stack.use(await indexedLedgers(await databases.database()))
    const url = `sqlite:${join(folder, `${++count}.sqlite`)}`
    const delivery = stack.use(await openDelivery(url, index.readModel, () => Date.now() + each.offsetMs))
    parts = { stack, index, delivery, receiver: stack.use(await startReceiver()) }
  })
  afterEach(() => running().stack.disposeAsync())
  afterAll(() => rmSync(folder, { recursive: true }))

  const each: DeliveryOfEachTest = {
    offsetMs: 0,
    get stack() {
      return running().stack
    },
    get index() {
      return running().index
    },
    get delivery() {
      return running().delivery
    },
    get receiver() {
      return running().receiver
    },
    accepted: () => running().receiver.received.filter(({ isAccepted }) => isAccepted),
    acceptedIds: () => new Set(each.accepted().map(({ event }) => event.id)),
    async stored(webhookId) {
      const { identity, organizationId } = running().delivery
      return (await identity.webhooks.get(organizationId, webhookId)) ?? null
    },
    async log(webhookId) {
      const { identity, organizationId } = running().delivery
      return (await identity.webhooks.deliveries(organizationId, webhookId, { status: null, after: null, limit: 500 })) ?? []
    },
    pendingOf: async (webhookId) => (await running().delivery.identity.webhooks.pendingCounts(webhookId, 1)).total,
  }
  return each
}
