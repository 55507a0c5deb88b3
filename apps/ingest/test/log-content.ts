// The content of a log without repeats and coalescing. Logs of equal content give equal values.

import {
  type ControlRecord,
  controlTopic,
  decodeControl,
  type EventLog,
  type LogPartition,
  SliceAssembler,
  sliceRollingHash,
  sliceTopic,
} from '@orrery/event-log'
import type { ProtocolId, Slice } from '@orrery/protocol-kit'
import { expect } from 'vitest'

export interface PartitionContent {
  /** Ledgers (firstAfter, covered] are covered without a gap. */
  readonly firstAfter: number
  readonly covered: number
  readonly rollingHash: string
  /** The slices with records, without what coalescing may change. The rolling hash stands for transactions and records. */
  readonly slices: readonly (Omit<Slice, 'after' | 'transactions' | 'records'> & { readonly recordCount: number })[]
  /** First ledgers of a UTC hour, each the end of a slice. */
  readonly hours: readonly Pick<Slice, 'ledger' | 'dayStart' | 'ledgerHash' | 'closeTimeSeconds'>[]
}

export interface LogContent {
  readonly start: ControlRecord | undefined
  readonly ledgers: readonly ControlRecord[]
  readonly tracked: readonly ControlRecord[]
  readonly bootstrapped: readonly ControlRecord[]
  readonly last: ControlRecord | undefined
  readonly partitions: readonly PartitionContent[]
}

/** Every value of a partition that is stored now. */
export async function storedValues(log: EventLog, at: LogPartition): Promise<Uint8Array[]> {
  const last = await log.last(at)
  const values: Uint8Array[] = []
  if (!last) return values
  const stop = new AbortController()
  for await (const batch of log.read(at, 0n, stop.signal)) {
    values.push(...batch.map(({ value }) => value))
    if (batch.some(({ offset }) => offset >= last.offset)) stop.abort()
  }
  return values
}

export async function storedSlices(log: EventLog, at: LogPartition): Promise<Slice[]> {
  const assembler = new SliceAssembler()
  return (await storedValues(log, at)).flatMap((value) => assembler.push(value) ?? [])
}

/**
 * Reads the log as an adapter does. Fails on a rolling hash that does not chain, on two versions of a ledger, and on a gap unless `skipsGaps`
 * is set: then slices after a gap are skipped until one closes it.
 */
export async function readLogContent(
  log: EventLog,
  network: string,
  protocol: ProtocolId,
  partitions: number,
  skipsGaps = false,
): Promise<LogContent> {
  const control = (await storedValues(log, { topic: controlTopic(network), partition: 0 })).flatMap(decodeControl)
  const once = (kind: ControlRecord['kind']): ControlRecord[] => [
    ...new Map(control.filter((record) => record.kind === kind).map((record) => [JSON.stringify(record), record])).values(),
  ]
  return {
    start: control[0],
    ledgers: once('ledger'),
    tracked: once('tracked'),
    bootstrapped: once('bootstrap'),
    last: control.at(-1),
    partitions: await Promise.all(
      Array.from({ length: partitions }, async (_, partition) =>
        withoutRepeats(await storedSlices(log, { topic: sliceTopic(network, protocol), partition }), skipsGaps),
      ),
    ),
  }
}

function withoutRepeats(stored: readonly Slice[], skipsGaps: boolean): PartitionContent {
  const firstAfter = stored[0]?.after ?? 0
  let covered = firstAfter
  let rollingHash = '0000000000000000'
  const slices: PartitionContent['slices'][number][] = []
  const hours: PartitionContent['hours'][number][] = []
  for (const slice of stored) {
    if (slice.ledger <= covered) continue
    if (slice.after > covered && skipsGaps) continue
    if (slice.after > covered) expect.fail(`a gap: ledgers after ${covered} to ${slice.after} are missing`)
    rollingHash = sliceRollingHash(rollingHash, slice)
    if (slice.rollingHash !== rollingHash) expect.fail(`the rolling hash of ledger ${slice.ledger} does not chain`)
    covered = slice.ledger
    const { after: _after, transactions: _transactions, records, ...meaning } = slice
    if (records.length > 0) slices.push({ ...meaning, recordCount: records.length })
    const { ledger, dayStart, ledgerHash, closeTimeSeconds } = slice
    if (slice.hourStart) hours.push({ ledger, dayStart, ledgerHash, closeTimeSeconds })
  }
  return { firstAfter, covered, rollingHash, slices, hours }
}
