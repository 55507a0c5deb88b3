// Turns the events of one webhook into deliveries, from its place on: the past portion by portion with its own filter, then the ledgers that one
// reader of the process reads for all webhooks. The place and the deliveries up to it are stored together, so a crash at any moment loses nothing.

import { setTimeout as delay } from 'node:timers/promises'
import {
  endOfLedger,
  eventsFor,
  type HealthWatch,
  healthWatch,
  type LiveStream,
  type PortionEvents,
  portionEvents,
  type StreamFilter,
  type StreamReader,
  webhookEventsOf,
} from '@orrery/api/stream'
import type { LeasedWebhook, WebhookStore } from '@orrery/identity'
import type { LedgerTime, ReadModel } from '@orrery/read-model'
import type { Logger, Metrics } from '@orrery/service-kit'
import { newDelivery } from './new-delivery.ts'

export interface ReaderParts {
  readonly instance: string
  readonly webhooks: Pick<WebhookStore, 'append' | 'pendingCounts'>
  readonly readModel: Pick<ReadModel, 'watermark' | 'closeTimeOf' | 'ledgerAtOrBefore'>
  readonly reader: StreamReader
  readonly live: LiveStream
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits: PendingLimits
  /** Called when deliveries were stored. */
  readonly onStored: () => void
}

/** How many deliveries of a webhook wait: beyond it no more is read. The rest waits in the index. */
export interface PendingLimits {
  /** Of accounts whose oldest delivery has not failed. Read on when half of them are gone. */
  readonly advancing: number
  /** An account counts for no more of these, so that the others need not wait while one catches up after a failure. */
  readonly ofAccount: number
  /** With those of accounts that fail. */
  readonly total: number
}

/** An account with an activity in each ledger has 17,280 a day: all that it has while its first delivery is retried. */
export const PENDING_LIMITS: PendingLimits = { advancing: 1_000, ofAccount: 100, total: 20_000 }
/** Portions of new ledgers that wait to be stored. Beyond it they are read again with the webhook's own filter. */
const MOST_WAITING = 20
/** A place without an event is stored at least so often, milliseconds. */
const PLACE_EVERY_MS = 30_000
const RETRY_MS = 1_000
/** Entries of `health_factor` need the state of the threshold as of the place, which is read from the index. */
const TAG = { route: 'webhooks', requestId: 'notify' }

/** Another instance has the webhook, or it was changed meanwhile: the next look at the leases decides. */
class LeaseLost extends Error {}

/** Reads until the signal aborts, or the lease is lost. Never rejects. */
export async function readWebhook(webhook: LeasedWebhook, parts: ReaderParts, signal: AbortSignal): Promise<void> {
  let hasFailed = false
  const reading = new WebhookReading(webhook, parts, signal)
  while (!signal.aborted) {
    try {
      await reading.run()
    } catch (err) {
      if (signal.aborted || err instanceof LeaseLost) return
      // Nothing is lost: the same ledgers are read again, from the stored place on.
      const fields = { err, webhookId: webhook.id, ledger: reading.stored }
      if (!hasFailed) parts.logger.warn(fields, 'Could not read events for a webhook: trying again each second')
      hasFailed = true
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

class WebhookReading {
  /** The place in the store. */
  stored: number | null
  readonly #webhook: LeasedWebhook
  readonly #parts: ReaderParts
  readonly #signal: AbortSignal
  readonly #filter: StreamFilter
  /** Everything up to this ledger was read. */
  #read = 0
  #storedAtMs = 0
  #watch: HealthWatch | null = null

  constructor(webhook: LeasedWebhook, parts: ReaderParts, signal: AbortSignal) {
    this.#webhook = webhook
    this.#parts = parts
    this.#signal = signal
    this.#filter = filterOf(webhook)
    this.stored = webhook.ledger
  }

  /** From the stored place on, until the signal aborts or a step fails. */
  async run(): Promise<void> {
    const { reader, readModel, live } = this.#parts
    const options = { tag: TAG, signal: this.#signal }
    this.#read = this.stored ?? (await this.#firstPlace())
    const { threshold } = this.#filter
    this.#watch = threshold === null ? null : healthWatch(threshold, await reader.below(this.#filter, threshold, this.#read, options))
    for (;;) {
      await this.#whileFull()
      const watermark = await readModel.watermark()
      const waiting = new WaitingPortions()
      const upTo = live.join(waiting, this.#read, watermark)
      if (upTo === null) {
        await this.#listen(waiting).finally(() => live.leave(waiting))
        continue
      }
      const to = upTo >= watermark.ledger ? watermark : await this.#ledgerTime(upTo)
      await this.#store(portionEvents(await reader.portion(this.#filter, this.#read + 1, to, options)))
    }
  }

  /** Stores new ledgers until too much waits. */
  async #listen(waiting: WaitingPortions): Promise<void> {
    for (;;) {
      const portion = await waiting.next(this.#signal)
      if (portion === null) return
      const count = await this.#store(portion)
      if (count > 0 && (await this.#isFull(1))) return
    }
  }

  /** How many deliveries it made. */
  async #store(events: PortionEvents): Promise<number> {
    const { instance, webhooks, metrics, onStored } = this.#parts
    this.#signal.throwIfAborted()
    const { ledger } = events.portion.through
    if (ledger <= this.#read) return 0
    const deliveries = eventsFor(this.#filter, endOfLedger(this.#read), events, this.#watch).map((event) =>
      newDelivery(this.#webhook.id, event),
    )
    if (deliveries.length > 0 || performance.now() - this.#storedAtMs >= PLACE_EVERY_MS) {
      const isStored = await webhooks.append({ instance, webhookId: this.#webhook.id }, this.stored, ledger, deliveries)
      if (!isStored) throw new LeaseLost()
      this.stored = ledger
      this.#storedAtMs = performance.now()
    }
    this.#read = ledger
    if (deliveries.length > 0) {
      metrics.webhookEvents.inc(deliveries.length)
      onStored()
    }
    return deliveries.length
  }

  /** Waits until the index has the time at which the webhook was created: its events begin with the next ledger. */
  async #firstPlace(): Promise<number> {
    const createdSeconds = Math.floor(this.#webhook.createdAtMs / 1000)
    const { readModel } = this.#parts
    for (;;) {
      const { closeTimeSeconds } = await readModel.watermark()
      if (closeTimeSeconds >= createdSeconds) break
      await delay(RETRY_MS, undefined, { signal: this.#signal })
    }
    const found = await readModel.ledgerAtOrBefore(createdSeconds, { tag: TAG, signal: this.#signal })
    return found?.ledger ?? 0
  }

  async #whileFull(): Promise<void> {
    if (!(await this.#isFull(1))) return
    do await delay(RETRY_MS, undefined, { signal: this.#signal })
    while (await this.#isFull(0.5))
  }

  /** @param share Of the limit of accounts that advance. The total has no other one: what fails may stay until it is given up. */
  async #isFull(share: number): Promise<boolean> {
    const { webhooks, limits } = this.#parts
    const { total, advancing } = await webhooks.pendingCounts(this.#webhook.id, limits.ofAccount)
    return advancing >= limits.advancing * share || total >= limits.total
  }

  async #ledgerTime(ledger: number): Promise<LedgerTime> {
    const closeTimeSeconds = await this.#parts.readModel.closeTimeOf(ledger, { tag: TAG, signal: this.#signal })
    return { ledger, closeTimeSeconds: closeTimeSeconds ?? 0 }
  }
}

/** Portions of new ledgers in their order. */
class WaitingPortions {
  readonly #portions: PortionEvents[] = []
  #hasMore = Promise.withResolvers<void>()
  #isOver = false

  take(portion: PortionEvents): void {
    if (this.#portions.length >= MOST_WAITING) this.#isOver = true
    if (!this.#isOver) this.#portions.push(portion)
    this.#hasMore.resolve()
  }

  /** Null when too many waited: the rest must be read again. */
  async next(signal: AbortSignal): Promise<PortionEvents | null> {
    for (;;) {
      signal.throwIfAborted()
      const portion = this.#portions.shift()
      if (portion !== undefined) return portion
      if (this.#isOver) return null
      this.#hasMore = Promise.withResolvers()
      await Promise.race([this.#hasMore.promise, abortOf(signal)])
    }
  }
}

/** The rules of streams on the filter of a webhook. */
function filterOf({ filter }: LeasedWebhook): StreamFilter {
  const parts = new Set(webhookEventsOf(filter))
  return {
    addresses: new Set(filter.addresses),
    protocols: new Set(filter.protocols),
    contracts: new Set(filter.contracts),
    types: new Set(filter.activityTypes),
    parts,
    threshold: parts.has('health_factor') ? filter.healthFactorBelow : null,
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
