// What the log was told so far, read back at start: the control topic, and where every partition stands.

import {
  type AdoptedControl,
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
import type { Told } from './partition-teller.ts'

export type StartFacts = Extract<ControlRecord, { kind: 'start' }>

export interface ToldControl {
  /** The newest start record, or null in an empty log. */
  readonly start: StartFacts | null
  /** In the order they were told. */
  readonly tracked: readonly TrackedControl[]
  /** Likewise. All of them: what was read once is never read again. */
  readonly adopted: readonly AdoptedControl[]
  /** Likewise: the registries that the log was written with. Empty where an older build wrote it. */
  readonly registries: readonly RegistryControl[]
  /** Protocol version of the newest ledger; null where the log does not say it. */
  readonly protocolVersion: number | null
  /** Facts of the ledgers that were told, from the one asked for on. */
  readonly ledgers: ReadonlyMap<number, LedgerFacts>
  /** Newest ledger told, or 0. */
  readonly lastLedger: number
  /** The source ended at `lastLedger` and nothing was told after that. */
  readonly sourceEnded: boolean
}

/** What an old value may hold without being read: of the tip only the newest word counts, and that is not for ingest. */
const PASSED_OVER: ReadonlySet<ControlRecord['kind']> = new Set(['ledger', 'source_tip'] as const)

/** Reads the control topic. Ledger facts before `fromLedger` are passed over undecoded: history is long and only its end is needed. */
export async function readToldControl(log: EventLog, network: string, fromLedger: number): Promise<ToldControl> {
  let start: StartFacts | null = null
  const tracked: TrackedControl[] = []
  const adopted: AdoptedControl[] = []
  const registries: RegistryControl[] = []
  const ledgers = new Map<number, LedgerFacts>()
  let protocolVersion: number | null = null
  let lastLedger = 0
  let endedAt = 0
  for await (const value of storedValues(log, { topic: controlTopic(network), partition: 0 }, 0n)) {
    const { kinds, lastLedger: newest } = summarizeControl(value)
    if (newest < fromLedger && [...kinds].every((kind) => PASSED_OVER.has(kind))) {
      lastLedger = Math.max(lastLedger, newest)
      continue
    }
    for (const record of decodeControl(value)) {
      if (record.kind === 'start') start = record
      else if (record.kind === 'tracked') tracked.push(record)
      else if (record.kind === 'adopted') adopted.push(record)
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
    adopted,
    registries,
    protocolVersion,
    ledgers,
    lastLedger,
    sourceEnded: lastLedger > 0 && endedAt === lastLedger,
  }
}

/** What a partition was told: the newest slice that is whole. `null` when it has none. */
export async function readTold(log: EventLog, at: LogPartition): Promise<Told | null> {
  const last = await log.last(at)
  if (!last) return null
  const header = readSliceHeader(last.value)
  // Parts are appended in order, so the last part of a slice tells that the others are there.
  if (header.part === header.parts) return { ledger: header.ledger, rollingHash: header.rollingHash }
  return readToldBefore(log, at, last.offset)
}

/** The last place at or before `ledger` at which a partition stood, as far as its slices are still stored. Null when none of these is. */
export async function readToldUpTo(log: EventLog, at: LogPartition, ledger: number): Promise<Told | null> {
  let told: Told | null = null
  for await (const value of storedValues(log, at, 0n)) {
    const header = readSliceHeader(value)
    const isNewer = told === null || header.ledger > told.ledger
    if (header.ledger <= ledger && isNewer) told = { ledger: header.ledger, rollingHash: header.rollingHash }
  }
  return told
}

/** The writer died between parts. Offsets have holes, so look back twice as far until something whole is found. */
async function readToldBefore(log: EventLog, at: LogPartition, offset: bigint): Promise<Told | null> {
  for (let back = 64n; ; back *= 2n) {
    const from = offset > back ? offset - back : 0n
    const assembler = new SliceAssembler()
    let told: Told | null = null
    for await (const value of storedValues(log, at, from)) {
      const slice = assembler.push(value)
      if (slice) told = { ledger: slice.ledger, rollingHash: slice.rollingHash }
    }
    if (told || from === 0n) return told
  }
}

/** Before the first ledger of the index. */
export function toldNothing(firstLedger: number): Told {
  return { ledger: firstLedger - 1, rollingHash: EMPTY_ROLLING_HASH }
}

/** What is stored from `offset` to the present end. */
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
