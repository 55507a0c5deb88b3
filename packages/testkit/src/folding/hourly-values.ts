// A guarantee for readers between two actions: at every hour the newest snapshot of a position, a pool or a reserve equals its value.

import type {
  Adapter,
  DecimalText,
  Network,
  PoolSnapshotRow,
  PositionSnapshotRow,
  Protocol,
  ReserveSnapshotRow,
  Slice,
} from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectCounts } from '../ground-truth.ts'
import type { Recording } from '../recording.ts'
import { recordedSlices } from './folded-recording.ts'

/** The members of a snapshot that are recomputed. Members that a protocol leaves out are not compared. */
export type PositionValue = Pick<PositionSnapshotRow, 'address' | 'pool' | 'suppliedUsd' | 'borrowedUsd' | 'depositedUsd' | 'netUsd'> &
  Partial<PositionSnapshotRow>
export type PoolValue = Pick<PoolSnapshotRow, 'pool' | 'tvlUsd' | 'unpricedAssets'>
export type ReserveValue = Pick<ReserveSnapshotRow, 'pool' | 'asset' | 'supplied' | 'borrowed' | 'suppliedUsd' | 'borrowedUsd'>

/** Values at the end of a ledger, computed from the state by the functions of as-of answers. */
export interface Values {
  /** Everything that is in the state, closed positions included. */
  readonly positions: Iterable<PositionValue>
  readonly pools: Iterable<PoolValue>
  readonly reserves: Iterable<ReserveValue>
}

export interface HourlyCounts {
  /** First ledgers of an hour. */
  readonly hours: number
  /** Positions, pools and reserves whose newest snapshot at an hour equals their value. */
  readonly positions: number
  readonly pools: number
  readonly reserves: number
  /** Positions whose snapshot differs, while both values are below 1 USD and no day begins. */
  readonly small: number
}

export interface HourlyValuesOptions<State> {
  readonly recording: Recording
  readonly network: () => Promise<Network>
  /** Called once; the function that it returns is called at every hour. */
  readonly values: (network: Network) => (state: State, slice: Slice) => Values
  /** The counts of the shipped recording. */
  readonly counts: HourlyCounts
}

/** Sum of the values that are known, less those of `less`. Null where one is unknown and no other is worth anything. */
export function sumOfPriced(values: readonly (DecimalText | null)[], less: readonly (DecimalText | null)[] = []): DecimalText | null {
  const known = [...values.map((value) => ({ value, sign: 1n })), ...less.map((value) => ({ value, sign: -1n }))]
  const worth = known.flatMap(({ value, sign }) => (value === null || units(value) === 0n ? [] : sign * units(value)))
  if (worth.length === 0 && known.some(({ value }) => value === null)) return null
  const sum = worth.reduce((total, value) => total + value, 0n)
  const digits = (sum < 0n ? -sum : sum).toString().padStart(9, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/** Registers the suite. */
export function hourlyValues<State>(protocol: Protocol<State>, options: HourlyValuesOptions<State>): void {
  let network: Network
  let adapter: Adapter<State>
  let slices: readonly Slice[]

  beforeAll(async () => {
    network = await options.network()
    adapter = protocol.adapter(network)
    slices = await recordedSlices(options.recording, network, protocol)
  })

  describe(`snapshots of ${protocol.displayName}`, () => {
    it('the newest snapshots have at every hour the value of every position, pool and reserve, except positions that were and are below 1 USD between two days', () => {
      const valuesOf = options.values(network)
      const state = adapter.load([], (slices[0]?.ledger ?? 1) - 1)
      const newest = { positions: new Map<string, PositionSnapshotRow>(), pools: new Map<string, PoolSnapshotRow>() }
      const reserves = new Map<string, ReserveSnapshotRow>()
      const counts = { hours: 0, positions: 0, pools: 0, reserves: 0, small: 0 }
      const wrong: unknown[] = []
      for (const slice of slices) {
        const rows = adapter.fold(state, slice)
        for (const row of rows.positionSnapshots) newest.positions.set(`${row.pool} ${row.address}`, row)
        for (const row of rows.poolSnapshots) newest.pools.set(row.pool, row)
        for (const row of rows.reserveSnapshots) reserves.set(`${row.pool} ${row.asset}`, row)
        if (!slice.hourStart) continue
        counts.hours++
        const { ledger } = slice
        const values = valuesOf(state, slice)
        const unseen = new Set(newest.positions.keys())
        for (const value of values.positions) {
          const name = `${value.pool} ${value.address}`
          const row = newest.positions.get(name)
          unseen.delete(name)
          if (row === undefined ? isNothing(value) : isSame(row, value)) counts.positions++
          else if (row !== undefined && !slice.dayStart && isBelowOneUsd(row) && isBelowOneUsd(value)) counts.small++
          else wrong.push({ ledger, written: row?.ledger ?? null, snapshot: row && shown(row, value), value })
        }
        // The state no longer has them.
        for (const name of unseen) if (!isNothing(newest.positions.get(name) as PositionSnapshotRow)) wrong.push({ ledger, name })
        for (const value of values.pools) {
          const row = newest.pools.get(value.pool)
          if (row === undefined ? units(value.tvlUsd) === 0n : isSame(row, value)) counts.pools++
          else wrong.push({ ledger, written: row?.ledger ?? null, snapshot: row && shown(row, value), value })
        }
        for (const value of values.reserves) {
          const row = reserves.get(`${value.pool} ${value.asset}`)
          if (row === undefined ? value.supplied + value.borrowed === 0n : isSame(row, value)) counts.reserves++
          else wrong.push({ ledger, written: row?.ledger ?? null, snapshot: row && shown(row, value), value })
        }
      }
      expect({ count: wrong.length, first: wrong.slice(0, 3) }).toEqual({ count: 0, first: [] })
      expectCounts(`hourly values of ${protocol.displayName}`, counts, options.counts)
    })
  })
}

/** The members of a row that the value has. */
function shown(row: object, value: object): object {
  return Object.fromEntries(Object.keys(value).map((name) => [name, (row as Record<string, unknown>)[name]]))
}

function isSame(row: object, value: object): boolean {
  return Object.entries(value).every(([name, it]) => {
    const ours = (row as Record<string, unknown>)[name]
    return ours === it || (typeof ours === 'string' && typeof it === 'string' && /^-?\d+(\.\d+)?$/.test(it) && units(ours) === units(it))
  })
}

/** Supplies plus debts: a position whose debt equals its supply is not small. Null without a price. */
function gross({ depositedUsd, borrowedUsd }: PositionValue): bigint | null {
  return depositedUsd === null || borrowedUsd === null ? null : units(depositedUsd) + units(borrowedUsd)
}

function isBelowOneUsd(value: PositionValue): boolean {
  const usd = gross(value)
  return usd !== null && usd < 10n ** 8n
}

function isNothing(value: PositionValue): boolean {
  return gross(value) === 0n
}

/** USD in 1e-8, the precision of snapshots. */
function units(usd: DecimalText): bigint {
  const [whole = '0', part = ''] = usd.split('.')
  return BigInt(whole + part.padEnd(8, '0'))
}
