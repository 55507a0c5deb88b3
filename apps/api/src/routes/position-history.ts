// Histories of positions, shared by all protocols. The read model computes the series; this module converts bounds and points.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { firstPositionSnapshot, positionDays, positionHistory, positionSnapshots } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import { type BucketWindow, type IndexedSpan, lastBucket, MAX_POINTS } from '../params/bucket-window.ts'
import {
  type Fill,
  type HistoryQuery,
  type HistoryRead,
  type RawWindow,
  reachesOutside,
  readHistoryQuery,
} from '../params/history-query.ts'
import { bucketPoint, emptyPoint, type HistoryPoint, rawPoint } from '../present/history-point.ts'
import type { LiveBucket } from '../present/live-point.ts'
import type { RouteContext } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { inBuckets, type LastOfBucket } from './in-buckets.ts'
import { emptyPlaces } from './other-axis.ts'
import { bucketOf, readDays } from './position-days.ts'
import { historyCut, outsideWarnings, unpricedPoints } from './warn.ts'

export interface PositionOf {
  readonly protocol: ProtocolId
  readonly pool: ContractId
  readonly address: Address
}

/** What a history reads. */
export interface HistoryPlan extends HistoryRead {
  /** On the time axis the bucket that shows the current position, if the window reaches the last indexed ledger. */
  readonly live: LiveBucket | null
}

export interface History {
  readonly points: HistoryPoint[]
  /** The window reaches outside the index, older snapshots were cut off by the limit, or a value has no price. */
  readonly warnings: readonly Warning[]
}

/** @throws 400 `too_many_points`. */
export async function planHistory(
  position: PositionOf,
  query: HistoryQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<HistoryPlan> {
  const openBeginning = query.interval !== undefined && query.from === undefined && query.range === undefined
  const [first] = openBeginning
    ? await context.readModel.query(firstPositionSnapshot, { ...position, watermark: indexed.last.ledger }, context.call)
    : []
  const { window, fill } = readHistoryQuery(query, indexed, first?.close_time_seconds ?? null)
  const start = lastBucket(window, indexed)
  return { window, fill, live: start === null ? null : { start, ...indexed.last } }
}

export async function readHistory(
  { window, fill }: HistoryPlan,
  position: PositionOf,
  query: HistoryQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<History> {
  const of = { ...position, watermark: indexed.last.ledger }
  const { points, warnings } = await (window.axis === 'raw'
    ? rawHistory(of, window, context)
    : bucketedHistory(of, window, fill, indexed, context))
  return { points, warnings: [...outsideWarnings(reachesOutside(query, indexed), indexed), ...warnings] }
}

type BoundPosition = PositionOf & { readonly watermark: number }

async function rawHistory(of: BoundPosition, window: RawWindow, { readModel, call }: RouteContext): Promise<History> {
  const bounds = { from: window.from, to: window.to, to_ledger: window.toLedger }
  const newestFirst = await readModel.query(positionSnapshots, { ...of, ...bounds, rows: MAX_POINTS + 1 }, call)
  const kept = newestFirst.slice(0, MAX_POINTS).reverse()
  return {
    points: await mapInPieces(kept, rawPoint),
    warnings: [
      ...(newestFirst.length > kept.length ? [historyCut(kept.length)] : []),
      ...unpricedPoints(kept, (row) => row.unpriced_assets > 0),
    ],
  }
}

async function bucketedHistory(
  of: BoundPosition,
  window: BucketWindow,
  fill: Fill,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<History> {
  if (window.count === 0) return { points: [], warnings: [] }
  const { axis, first, width, from, to } = window
  const found =
    (await lastOfDays(of, window, indexed, context)) ??
    (await context.readModel.query(positionHistory[axis], { ...of, first, width, from, to }, context.call))
  const rows = inBuckets(found, window, fill)
  const empty = fill === 'null' || fill === 'zero' ? rows.filter((row) => !row.fresh).map((row) => row.start) : []
  const placeOf = fill === 'null' || fill === 'zero' ? await emptyPlaces(window, empty, indexed, context) : null
  const points = await mapInPieces(rows, (row) => {
    if (placeOf === null || row.fresh) return bucketPoint(window.axis, row.start, row)
    const { ledger, seconds } = placeOf(row.start)
    return emptyPoint(fill as 'null' | 'zero', ledger, seconds)
  })
  return { points, warnings: unpricedPoints(rows, (row) => row.unpriced_assets > 0 && (row.fresh || fill === 'locf')) }
}

/** The rows that `positionHistory` gives, in ascending order, of a bucket with several days all of these; null where days do not determine them. */
async function lastOfDays(
  { protocol, address, pool }: BoundPosition,
  window: BucketWindow,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<readonly LastOfBucket[] | null> {
  const { readModel, call } = context
  const read = await readDays(window, indexed, context, (days) => readModel.query(positionDays, { protocol, address, pool, ...days }, call))
  return read?.map((row) => ({ ...row, bucket: bucketOf(row, window) })).reverse() ?? null
}
