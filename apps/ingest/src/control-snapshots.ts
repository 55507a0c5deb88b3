// Follows the control topic beside ingest and writes a snapshot of it now and then, so that the next start reads the newest snapshot and what
// follows it. Only records that are in the topic count, those of another ingest included: a snapshot is exactly what a reader would have read.

import {
  type ControlSnapshot,
  controlSnapshotTopic,
  controlTopic,
  type EventLog,
  encodeControlSnapshot,
  type LogPartition,
  readControlSnapshot,
} from '@orrery/event-log'
import { type ControlHistory, ControlHistoryBuilder } from './control-history.ts'

/** Bytes of the control topic after which a snapshot is written: at a ledger each 5 seconds about half a day, and read in milliseconds. */
const AFTER_BYTES = 1024 * 1024
/** A large snapshot is written more seldom: all of them together are at most half as long as the topic itself. */
const TIMES_ITS_SIZE = 2
/** More than a reader needs, which looks for one that is older than the slices. */
const KEPT_BYTES = 256 * 1024 * 1024

export interface ReadControl {
  readonly history: ControlHistory
  /** Continues where reading ended. */
  readonly follower: ControlSnapshotWriter
}

export interface ReadControlOptions {
  /** Facts of ledgers are kept from this one on. */
  readonly fromLedger: number
  /** Bytes of the topic after which a snapshot is written. Default: 1 MiB, and more where a snapshot is larger than half of that. */
  readonly snapshotAfterBytes?: number | undefined
}

/** Reads the control topic to its present end, from the newest snapshot of a ledger up to `fromLedger` on. */
export async function readControl(
  log: EventLog,
  network: string,
  { fromLedger, snapshotAfterBytes }: ReadControlOptions,
): Promise<ReadControl> {
  const snapshot = await readControlSnapshot(log, network, fromLedger)
  const builder = new ControlHistoryBuilder(fromLedger)
  for (const record of snapshot?.records ?? []) builder.addRecord(record)
  const follower = new ControlSnapshotWriter({ log, network, builder, snapshot, afterBytes: snapshotAfterBytes })
  const last = await log.last(followed(network))
  if (last !== null) await follower.readTo(last.offset)
  return { history: builder.history(), follower }
}

/** Whether snapshots can be written: called at each start. */
export async function ensureSnapshotTopic(log: EventLog, network: string): Promise<void> {
  await log.ensureTopic(controlSnapshotTopic(network), { partitions: 1, retentionSeconds: null, retentionBytes: KEPT_BYTES })
}

interface WriterParts {
  readonly log: EventLog
  readonly network: string
  readonly builder: ControlHistoryBuilder
  readonly snapshot: ControlSnapshot | null
  readonly afterBytes: number | undefined
}

export class ControlSnapshotWriter {
  readonly #parts: WriterParts
  /** Offset of the next record to read. */
  #next: bigint
  #bytesSince = 0
  #snapshotBytes: number

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#next = parts.snapshot === null ? 0n : parts.snapshot.offset + 1n
    this.#snapshotBytes = parts.snapshot === null ? 0 : sizeOf(encodeControlSnapshot(parts.snapshot))
  }

  /** Reads without writing snapshots. */
  async readTo(offset: bigint): Promise<void> {
    if (offset < this.#next) return
    for await (const { value, offset: at } of this.#records(new AbortController().signal)) {
      this.#take(value, at)
      if (at >= offset) return
    }
  }

  /** Yields each value of the topic until `signal` aborts, and writes snapshots. */
  async *follow(signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
    this.#parts.builder.forgetLedgers()
    for await (const { value, offset } of this.#records(signal)) {
      yield value
      this.#take(value, offset)
      if (this.#bytesSince >= this.#afterBytes()) await this.#write(value, offset)
    }
  }

  #afterBytes(): number {
    return this.#parts.afterBytes ?? Math.max(AFTER_BYTES, TIMES_ITS_SIZE * this.#snapshotBytes)
  }

  async *#records(signal: AbortSignal): AsyncGenerator<{ readonly value: Uint8Array; readonly offset: bigint }, undefined> {
    const { log, network } = this.#parts
    for await (const records of log.read(followed(network), this.#next, signal)) yield* records
  }

  #take(value: Uint8Array, offset: bigint): void {
    this.#parts.builder.add(value)
    this.#bytesSince += value.length
    this.#next = offset + 1n
  }

  async #write(value: Uint8Array, offset: bigint): Promise<void> {
    const { log, network, builder } = this.#parts
    const snapshot = builder.snapshot(value, offset)
    if (snapshot === null) return // with the next ledger
    const values = encodeControlSnapshot(snapshot)
    await log.append({ topic: controlSnapshotTopic(network), partition: 0 }, values)
    this.#snapshotBytes = sizeOf(values)
    this.#bytesSince = 0
  }
}

function followed(network: string): LogPartition {
  return { topic: controlTopic(network), partition: 0 }
}

function sizeOf(values: readonly Uint8Array[]): number {
  return values.reduce((sum, value) => sum + value.length, 0)
}
