// A pool's history: bounds go in and points come out. Series are computed in the read model.

import { firstPoolSnapshot, poolHistory, poolReserveHistory, poolSnapshots } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import { type BucketWindow, type IndexedSpan, MAX_POINTS } from '../../params/bucket-window.ts'
import { type Fill, type RawWindow, readHistoryQuery } from '../../params/history-query.ts'
import type { PoolHistoryQuery } from '../../params/pool-history-query.ts'
import { emptyPoolValues, type PoolPoint, type PoolValues, poolPoint } from '../../present/pools/pool-point.ts'
import { presentReserveRow, type ReserveRow } from '../../present/pools/reserve-row.ts'
import type { RouteContext } from '../../route.ts'
import { lastClosed } from '../other-axis.ts'
import type { FoundPool } from './pool-path.ts'

export interface PoolSeries {
  readonly points: PoolPoint[]
  /** Older raw snapshots were left out. */
  readonly cut: boolean
  /** Some shown points lack the value of a token. */
  readonly isUnpriced: boolean
}

interface Bound {
  readonly pool: FoundPool['pool']
  readonly hasRewards: boolean
  /** Parameters of every statement. */
  readonly of: { readonly protocol: string; readonly pool: string; readonly watermark: number }
  readonly indexed: IndexedSpan
  readonly context: RouteContext
}

/** @throws 400 `too_many_points`. */
export async function readPoolSeries(
  { reader, pool }: FoundPool,
  query: PoolHistoryQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<PoolSeries> {
  const of = { protocol: reader.protocol, pool: pool.entry.item.pool_id, watermark: indexed.last.ledger }
  const openBeginning = query.interval !== undefined && query.from === undefined && query.range === undefined
  const [first] = openBeginning ? await context.readModel.query(firstPoolSnapshot, of, context.call) : []
  const { window, fill } = readHistoryQuery(query, indexed, first?.close_time_seconds ?? null)
  const bound: Bound = { pool, hasRewards: reader.hasEmissions, of, indexed, context }
  return window.axis === 'raw' ? rawSeries(window, bound) : bucketSeries(window, fill, bound)
}

async function rawSeries({ from, to, toLedger }: RawWindow, bound: Bound): Promise<PoolSeries> {
  const { of, context } = bound
  const newestFirst = await context.readModel.query(
    poolSnapshots,
    { ...of, from, to, to_ledger: toLedger, rows: MAX_POINTS + 1 },
    context.call,
  )
  const kept = newestFirst.slice(0, MAX_POINTS).reverse()
  const [oldest, newest] = [kept[0], kept.at(-1)]
  if (oldest === undefined || newest === undefined) return { points: [], cut: false, isUnpriced: false }
  const ledgers = { axis: 'ledger', first: oldest.ledger, width: 1, to: newest.ledger } as const
  const starts = kept.map(({ ledger }) => ledger)
  const reservesOf = await readReserves({ ...ledgers, starts, split: hourOf(oldest.close_time_seconds) }, bound)
  const points = await mapInPieces(kept, (row) =>
    poolPoint('raw', 0, placeOf(row), { ...valuesOf(row, bound), volume_usd: null, reserves: reservesOf(row.ledger) }),
  )
  return { points, cut: newestFirst.length > kept.length, isUnpriced: kept.some((row) => row.unpriced_assets > 0) }
}

const HOUR_SECONDS = 3_600
const hourOf = (seconds: number): number => Math.floor(seconds / HOUR_SECONDS) * HOUR_SECONDS

async function bucketSeries(window: BucketWindow, fill: Fill, bound: Bound): Promise<PoolSeries> {
  if (window.count === 0) return { points: [], cut: false, isUnpriced: false }
  const { of, indexed, context } = bound
  const { axis, width, first } = window
  const keep = fill === 'none' ? 'fresh' : fill === 'locf' ? 'carry' : 'all'
  const beginSeconds = axis === 'time' ? first : ((await context.readModel.closeTimeOf(first, context.call)) ?? 0)
  // Only buckets of whole hours can be read from the tables of hours, and not the hour of the watermark.
  const split = hourOf(axis === 'time' && width % HOUR_SECONDS === 0 ? window.to : beginSeconds)
  const rows = await context.readModel.query(poolHistory, { ...of, ...window, keep, split }, context.call)

  const isShown = (row: { readonly fresh: boolean }): boolean => row.fresh || fill === 'locf'
  const shown = rows.filter(isShown)
  const starts = shown.map(({ start }) => start)
  const reservesOf = await readReserves({ axis, first, width, to: window.to, starts, split }, bound)
  const empty = rows.filter((row) => !isShown(row)).map(({ start }) => start)
  const lastOf = empty.length === 0 ? null : await lastClosed(window, empty, indexed, context)
  const points = await mapInPieces(rows, (row) => {
    if (lastOf !== null && !isShown(row)) {
      return poolPoint(axis, row.start, lastOf(row.start), emptyPoolValues(fill === 'zero' ? 'zero' : 'null', isAmm(bound)))
    }
    return poolPoint(axis, row.start, placeOf(row), {
      ...valuesOf(row, bound),
      volume_usd: row.volume_usd,
      reserves: reservesOf(row.start),
    })
  })
  const reachesEnd = axis === 'time' && window.to === indexed.last.closeTimeSeconds
  const lastStart = first + (window.count - 1) * width
  const last = rows.findLast(({ start, fresh }) => fresh && start === lastStart)
  const volume = last === undefined ? '0' : last.volume_usd
  return {
    points: reachesEnd ? withPresent(points, lastStart, volume, bound) : points,
    cut: false,
    isUnpriced: shown.some((row) => row.unpriced_assets > 0),
  }
}

/** With the value at the last indexed ledger in the bucket that holds it, as `/v1/pools` has it. */
function withPresent(points: readonly PoolPoint[], start: number, volume: string | null, bound: Bound): PoolPoint[] {
  const { tvl_usd, fee_apy, reward_apy, reserves } = bound.pool.entry.item
  const { ledger, closeTimeSeconds: seconds } = bound.indexed.last
  const values = { tvl_usd, volume_usd: isAmm(bound) ? volume : null, fee_apy, reward_apy, reserves }
  const present = poolPoint('time', start, { ledger, seconds }, values)
  const hasPoint = points.at(-1)?.timestamp === present.timestamp
  return [...(hasPoint ? points.slice(0, -1) : points), present]
}

const isAmm = ({ pool }: Bound): boolean => pool.entry.item.fee_apy !== null

interface SnapshotRow {
  readonly ledger: number
  readonly close_time_seconds: number
  readonly tvl_usd: string
  readonly window_fees_usd: string | null
  readonly window_value_seconds_usd: string | null
  readonly reward_apy: string | null
}

const placeOf = ({ ledger, close_time_seconds }: SnapshotRow) => ({ ledger, seconds: close_time_seconds })

function valuesOf(row: SnapshotRow, bound: Bound): Pick<PoolValues, 'tvl_usd' | 'fee_apy' | 'reward_apy'> {
  const { window_fees_usd: fees, window_value_seconds_usd: valueSeconds } = row
  if (!isAmm(bound)) return { tvl_usd: row.tvl_usd, fee_apy: null, reward_apy: null }
  return {
    tvl_usd: row.tvl_usd,
    fee_apy: fees === null || valueSeconds === null ? '0' : bound.pool.feeApy(fees, valueSeconds),
    reward_apy: bound.hasRewards ? row.reward_apy : '0',
  }
}

type ReserveWindow = Pick<BucketWindow, 'axis' | 'first' | 'width' | 'to'> & { readonly starts: readonly number[]; readonly split: number }

/** The reserves of the buckets that begin at `starts`. */
async function readReserves(window: ReserveWindow, { of, pool, context }: Bound): Promise<(start: number) => PoolValues['reserves']> {
  if (window.starts.length === 0) return () => []
  const rows = await context.readModel.query(poolReserveHistory, { ...of, ...window, starts: [...window.starts] }, context.call)
  const byStart = Map.groupBy<number, ReserveRow & { readonly start: number }>(rows, ({ start }) => start)
  return (start) => (byStart.get(start) ?? []).map((row) => presentReserveRow(row, pool.asset(row.asset)))
}
