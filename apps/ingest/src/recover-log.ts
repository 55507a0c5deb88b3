// Reads at start what the log holds: the control topic, and the position of every partition.

import {
  type BootstrapControl,
  type ControlRecord,
  controlTopic,
  decodeControl,
  EMPTY_ROLLING_HASH,
  type EventLog,
  type LogPartition,
  type RegistryControl,
  readSliceHeader,
  SliceAssembler,
  summarizeControl,
  type TrackedControl,
} from '@orrery/event-log'
import type { LedgerFacts } from './ledger-facts.ts'
import type { PartitionPosition } from './slice-builder.ts'

export type StartFacts = Extract<ControlRecord, { kind: 'start' }>

export interface ControlHistory {
  /** The newest start record, or null in an empty log. */
  readonly start: StartFacts | null
  /** In the order of the log. */
  readonly tracked: readonly TrackedControl[]
  /** All of them, in the order of the log: an entry is read once and never again. */
  readonly bootstrapped: readonly BootstrapControl[]
  /** The registries that the log was written with, in the order of the log. Empty where an older build wrote it. */
  readonly registries: readonly RegistryControl[]
  /** Protocol version of the newest ledger; null where the log does not record it. */
  readonly protocolVersion: number | null
  /** Facts of ledgers, from the requested one on. */
  readonly ledgers: ReadonlyMap<number, LedgerFacts>
  /** Newest ledger of the log, or 0. */
  readonly lastLedger: number
  /** The source ended at `lastLedger`, and nothing was appended after that. */
  readonly sourceEnded: boolean
}

/** Kinds of records that need not be read in an old value: ingest needs neither old ledgers nor any source tip. */
const SKIPPED_WHEN_OLD: ReadonlySet<ControlRecord['kind']> = new Set(['ledger', 'source_tip'] as const)

/** Reads the control topic. Skips ledger facts before `fromLedger` without decoding: history is long and only its end is needed. */
export async function readControlHistory(log: EventLog, network: string, fromLedger: number): Promise<ControlHistory> {
  let start: StartFacts | null = null
  const tracked: TrackedControl[] = []
  const bootstrapped: BootstrapControl[] = []
  const registries: RegistryControl[] = []
  const ledgers = new Map<number, LedgerFacts>()
  let protocolVersion: number | null = null
  let lastLedger = 0
  let endedAt = 0
  for await (const value of storedValues(log, { topic: controlTopic(network), partition: 0 }, 0n)) {
    const { kinds, lastLedger: newest } = summarizeControl(value)
    if (newest < fromLedger && [...kinds].every((kind) => SKIPPED_WHEN_OLD.has(kind))) {
      lastLedger = Math.max(lastLedger, newest)
      continue
    }
    for (const record of decodeControl(value)) {
      if (record.kind === 'start') start = record
      else if (record.kind === 'tracked') tracked.push(record)
      else if (record.kind === 'bootstrap') bootstrapped.push(record)
      else if (record.kind === 'registry') registries.push(record)
      else if (record.kind === 'protocol') protocolVersion = record.version
      else if (record.kind === 'source_end') endedAt = record.ledger
      else if (record.kind === 'ledger') {
        const { kind: _kind, ...facts } = record
        if (record.ledger >= fromLedger) ledgers.set(record.ledger, facts)
        lastLedger = Math.max(lastLedger, record.ledger)
      }
    }
  }
  return {
    start,
    tracked,
    bootstrapped,
    registries,
    protocolVersion,
    ledgers,
    lastLedger,
    sourceEnded: lastLedger > 0 && endedAt === lastLedger,
  }
}

/** The position of a partition: that of its newest complete slice. `null` when it has none. */
export async function readPosition(log: EventLog, at: LogPartition): Promise<PartitionPosition | null> {
  const last = await log.last(at)
  if (!last) return null
  const header = readSliceHeader(last.value)
  // Parts are appended in order, so the last part implies the others.
  if (header.part === header.parts) return { ledger: header.ledger, rollingHash: header.rollingHash }
  return readPositionBefore(log, at, last.offset)
}

/** The last stored position of a partition at or before `ledger`. Null when no such slice is stored. */
export async function readPositionUpTo(log: EventLog, at: LogPartition, ledger: number): Promise<PartitionPosition | null> {
  let position: PartitionPosition | null = null
  for await (const value of storedValues(log, at, 0n)) {
    const header = readSliceHeader(value)
    const isNewer = position === null || header.ledger > position.ledger
    if (header.ledger <= ledger && isNewer) position = { ledger: header.ledger, rollingHash: header.rollingHash }
  }
  return position
}

/** The writer died between the parts of a slice. Offsets need not be consecutive, so look back twice as far until a complete slice is found. */
async function readPositionBefore(log: EventLog, at: LogPartition, offset: bigint): Promise<PartitionPosition | null> {
  for (let back = 64n; ; back *= 2n) {
    const from = offset > back ? offset - back : 0n
    const assembler = new SliceAssembler()
    let position: PartitionPosition | null = null
    for await (const value of storedValues(log, at, from)) {
      const slice = assembler.push(value)
      if (slice) position = { ledger: slice.ledger, rollingHash: slice.rollingHash }
    }
    if (position || from === 0n) return position
  }
}

/** The position before the first ledger of the index. */
export function emptyPosition(firstLedger: number): PartitionPosition {
  return { ledger: firstLedger - 1, rollingHash: EMPTY_ROLLING_HASH }
}

/** The values from `offset` to the present end. */
async function* storedValues(log: EventLog, at: LogPartition, offset: bigint): AsyncIterable<Uint8Array> {
  const last = await log.last(at)
  if (!last || last.offset < offset) return
  const stop = new AbortController()
  for await (const batch of log.read(at, offset, stop.signal)) {
    for (const record of batch) {
      yield record.value
      if (record.offset >= last.offset) return
    }
  }
}
