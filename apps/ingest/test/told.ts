// What a log says, told once: repeats dropped, coalescing undone. Two logs that mean the same give equal values.

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

export interface ToldPartition {
  /** Ledgers (firstAfter, covered] are told without a hole. */
  readonly firstAfter: number
  readonly covered: number
  readonly rollingHash: string
  /** The slices with records, without what coalescing may change. The rolling hash stands for transactions and records. */
  readonly slices: readonly (Omit<Slice, 'after' | 'transactions' | 'records'> & { readonly recordCount: number })[]
  /** First ledgers of a UTC hour, each the end of a slice. */
  readonly hours: readonly Pick<Slice, 'ledger' | 'dayStart' | 'ledgerHash' | 'closeTimeSeconds'>[]
}

export interface ToldLog {
  readonly start: ControlRecord | undefined
  readonly ledgers: readonly ControlRecord[]
  readonly tracked: readonly ControlRecord[]
  readonly adopted: readonly ControlRecord[]
  readonly last: ControlRecord | undefined
  readonly partitions: readonly ToldPartition[]
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
 * Reads the log as an adapter does. Fails on a rolling hash that does not chain and on a ledger told in two ways, and on a hole unless
 * `setsAside`: then what lies behind a hole is passed over until a slice fits.
 */
export async function readToldLog(
  log: EventLog,
  network: string,
  protocol: ProtocolId,
  partitions: number,
  setsAside = false,
): Promise<ToldLog> {
  const control = (await storedValues(log, { topic: controlTopic(network), partition: 0 })).flatMap(decodeControl)
  const once = (kind: ControlRecord['kind']): ControlRecord[] => [
    ...new Map(control.filter((record) => record.kind === kind).map((record) => [JSON.stringify(record), record])).values(),
  ]
  return {
    start: control[0],
    ledgers: once('ledger'),
    tracked: once('tracked'),
    adopted: once('adopted'),
    last: control.at(-1),
    partitions: await Promise.all(
      Array.from({ length: partitions }, async (_, partition) =>
        tellOnce(await storedSlices(log, { topic: sliceTopic(network, protocol), partition }), setsAside),
      ),
    ),
  }
}

function tellOnce(stored: readonly Slice[], setsAside: boolean): ToldPartition {
  const firstAfter = stored[0]?.after ?? 0
  let covered = firstAfter
  let rollingHash = '0000000000000000'
  const slices: ToldPartition['slices'][number][] = []
  const hours: ToldPartition['hours'][number][] = []
  for (const slice of stored) {
    if (slice.ledger <= covered) continue
    if (slice.after > covered && setsAside) continue
    if (slice.after > covered) expect.fail(`a hole: ledgers after ${covered} to ${slice.after} were not told`)
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
