// Collects values and appends them in batches. The control records of a ledger are acknowledged before its slices are appended.
// One batch is appended at a time, while the next one fills.

import { type ControlRecord, controlTopic, controlValues, type EventLog, type LogPartition } from '@orrery/event-log'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { Clock, Metrics } from '@orrery/service-kit'
import type { LedgerFacts } from './ledger-facts.ts'

/** A batch is appended when it reaches either limit. Large enough to make a commit's sync cheap, small enough for any broker and for memory. */
const BATCH_LEDGERS = 512
const BATCH_BYTES = 4 * 1024 * 1024

interface PartitionBatch {
  readonly at: LogPartition
  readonly protocol: ProtocolId
  readonly values: Uint8Array[]
}

interface Batch {
  readonly control: ControlRecord[]
  readonly partitions: Map<string, PartitionBatch>
  /** Newest ledger that is complete once this batch is appended. */
  newest: LedgerFacts | null
  ledgers: number
  bytes: number
}

/** The part of the outbox that a loop uses. */
export type Outlet = Pick<Outbox, 'isFull' | 'control' | 'slice' | 'ledgerDone' | 'flush'>

export interface OutboxOptions {
  readonly network: string
  readonly log: EventLog
  readonly metrics: Metrics
  readonly clock: Clock
  /** Called when everything up to a ledger is acknowledged. */
  readonly onAppended: (newest: LedgerFacts) => void
}

export class Outbox {
  readonly #options: OutboxOptions
  #filling = emptyBatch()
  #sending: Promise<void> = Promise.resolve()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** The batch has reached a limit. */
  get isFull(): boolean {
    return this.#filling.ledgers >= BATCH_LEDGERS || this.#filling.bytes >= BATCH_BYTES
  }

  control(records: readonly ControlRecord[]): void {
    this.#filling.control.push(...records)
  }

  slice(protocol: ProtocolId, at: LogPartition, values: readonly Uint8Array[]): void {
    if (values.length === 0) return
    const key = `${at.topic} ${at.partition}`
    const batch = this.#filling.partitions.get(key) ?? { at, protocol, values: [] }
    batch.values.push(...values)
    this.#filling.partitions.set(key, batch)
    for (const value of values) this.#filling.bytes += value.length
  }

  /** Called after the last value of a ledger. */
  ledgerDone(facts: LedgerFacts): void {
    this.#filling.newest = facts
    this.#filling.ledgers++
  }

  /**
   * Appends the batch as soon as the one before it is acknowledged. Resolves when appending has begun: await `sent` for its end.
   * Rejects with the first failure; nothing is appended after one.
   */
  async flush(): Promise<void> {
    const batch = this.#filling
    if (batch.control.length === 0 && batch.partitions.size === 0 && batch.ledgers === 0) return
    this.#filling = emptyBatch()
    const before = this.#sending
    this.#sending = before.then(() => this.#send(batch))
    this.#sending.catch(() => undefined) // the next `flush` or `sent` throws it; without this it would be an unhandled rejection
    await before
  }

  /** Resolves when everything that was flushed is acknowledged. */
  async sent(): Promise<void> {
    await this.#sending
  }

  async #send(batch: Batch): Promise<void> {
    const { log, network, metrics, clock, onAppended } = this.#options
    const startedMs = clock.nowMs()
    // The order is a guarantee: a reader of a slice finds the slice's ledger and its new contracts in the control topic.
    if (batch.control.length > 0) await log.append({ topic: controlTopic(network), partition: 0 }, controlValues(batch.control))
    await Promise.all([...batch.partitions.values()].map(({ at, values }) => log.append(at, values)))
    metrics.appendSeconds.observe((clock.nowMs() - startedMs) / 1000)
    for (const { protocol, values } of batch.partitions.values()) {
      metrics.appendSlices.inc({ protocol }, values.length)
      metrics.appendBytes.inc(
        { protocol },
        values.reduce((sum, value) => sum + value.length, 0),
      )
    }
    if (batch.newest) onAppended(batch.newest)
  }
}

function emptyBatch(): Batch {
  return { control: [], partitions: new Map(), newest: null, ledgers: 0, bytes: 0 }
}
