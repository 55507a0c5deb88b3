// The history machinery: the same for the positions of every protocol, which only names the snapshots it shows.
// Series are computed in the read model; here bounds go in and points come out.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { closeTimesOf, firstPositionSnapshot, lastLedgerByBucket, positionHistory, positionSnapshots } from '@orrery/read-model/queries'
import { type BucketWindow, type IndexedSpan, MAX_POINTS } from '../params/bucket-window.ts'
import { type Fill, type HistoryQuery, type RawWindow, reachesOutside, readHistoryQuery } from '../params/history-query.ts'
import { bucketPoint, emptyPoint, type HistoryPoint, rawPoint } from '../present/history-point.ts'
import type { RouteContext } from '../route.ts'

export interface PositionOf {
  readonly protocol: ProtocolId
  readonly pool: ContractId
  readonly address: Address
}

export interface History {
  readonly points: HistoryPoint[]
  /** Reaches outside the index, lost older snapshots to the limit, or has a value without a price. */
  readonly partial: boolean
}

/** @throws 400 `too_many_points`. */
export async function readHistory(
  position: PositionOf,
  query: HistoryQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<History> {
  const of = { ...position, watermark: indexed.last.ledger }
  const openBeginning = query.interval !== undefined && query.from === undefined && query.range === undefined
  const [first] = openBeginning ? await context.readModel.query(firstPositionSnapshot, of, context.call) : []
  const { window, fill } = readHistoryQuery(query, indexed, first?.close_time_seconds ?? null)
  const { points, partial } = await (window.axis === 'raw'
    ? rawHistory(of, window, context)
    : bucketedHistory(of, window, fill, indexed, context))
  return { points, partial: partial || reachesOutside(query, indexed) }
}

type BoundPosition = PositionOf & { readonly watermark: number }

async function rawHistory(of: BoundPosition, window: RawWindow, { readModel, call }: RouteContext): Promise<History> {
  const bounds = { from: window.from, to: window.to, to_ledger: window.toLedger }
  const newestFirst = await readModel.query(positionSnapshots, { ...of, ...bounds, rows: MAX_POINTS + 1 }, call)
  const kept = newestFirst.slice(0, MAX_POINTS)
  return {
    points: kept.map(rawPoint).reverse(),
    partial: newestFirst.length > kept.length || kept.some((row) => row.unpriced_assets > 0),
  }
}

async function bucketedHistory(
  of: BoundPosition,
  window: BucketWindow,
  fill: Fill,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<History> {
  if (window.count === 0) return { points: [], partial: false }
  const keep = fill === 'none' ? 'fresh' : fill === 'locf' ? 'carry' : 'all'
  const { readModel, call } = context
  const rows = await readModel.query(positionHistory, { ...of, ...window, keep }, call)
  const otherAxis = fill === 'null' || fill === 'zero' ? await otherAxisOf(window, rows, indexed, context) : null
  const points = rows.map((row) => {
    const isEmpty = otherAxis !== null && !row.fresh
    return isEmpty ? otherAxis(row.start, fill as 'null' | 'zero') : bucketPoint(window.axis, row.start, row)
  })
  return { points, partial: rows.some((row) => row.unpriced_assets > 0 && (row.fresh || fill === 'locf')) }
}

/** Points of buckets without a snapshot: beside their own start they show the last ledger that closed in or before them. */
async function otherAxisOf(
  window: BucketWindow,
  rows: readonly { readonly start: number; readonly fresh: boolean }[],
  { last }: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<(start: number, fill: 'null' | 'zero') => HistoryPoint> {
  if (window.axis === 'time') {
    const ledgers = await readModel.query(
      lastLedgerByBucket,
      { first: window.first, width: window.width, count: window.count, to: window.to, watermark: last.ledger },
      call,
    )
    const byStart = new Map(ledgers.map(({ start, ledger }) => [start, ledger]))
    return (start, fill) => emptyPoint(fill, byStart.get(start) ?? 0, start)
  }
  const endOf = (start: number): number => Math.min(start + window.width - 1, window.to)
  const ends = rows.filter((row) => !row.fresh).map((row) => endOf(row.start))
  const times = await readModel.query(closeTimesOf, { ledgers: ends, watermark: last.ledger }, call)
  const secondsOf = new Map(times.map(({ ledger, close_time_seconds }) => [ledger, close_time_seconds]))
  return (start, fill) => emptyPoint(fill, start, secondsOf.get(endOf(start)) ?? 0)
}
