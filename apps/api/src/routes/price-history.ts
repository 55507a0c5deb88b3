// An asset's price over time: bounds go in and points come out. Series are computed in the read model.

import { assetPriceHistory, assetPrices, firstAssetPrice } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import type { AssetPriceQuery } from '../params/asset-price-query.ts'
import { type BucketWindow, type IndexedSpan, MAX_POINTS } from '../params/bucket-window.ts'
import { type RawWindow, readHistoryQuery } from '../params/history-query.ts'
import { bucketPricePoint, emptyPricePoint, type PricePoint, rawPricePoint } from '../present/price-point.ts'
import type { RouteContext } from '../route.ts'
import { lastClosed, type Place } from './other-axis.ts'
import type { PriceRowsOf } from './price-sources.ts'

type BoundRows = PriceRowsOf & { readonly watermark: number }

export interface PriceHistory {
  readonly points: PricePoint[]
  /** Older raw prices were left out. */
  readonly cut: boolean
  /** Start of the bucket that holds the last indexed ledger, on the time axis. */
  readonly lastBucket: number | null
}

/** @throws 400 `too_many_points`. */
export async function readPriceHistory(
  rows: PriceRowsOf,
  query: AssetPriceQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<PriceHistory> {
  const { asset, protocol, sources } = rows
  const watermark = indexed.last.ledger
  const openBeginning = query.interval !== undefined && query.from === undefined && query.range === undefined
  const [first] = openBeginning ? await context.readModel.query(firstAssetPrice, { asset, protocol, sources, watermark }, context.call) : []
  const { window, fill } = readHistoryQuery(query, indexed, first?.close_time_seconds ?? null)
  if (window.axis === 'raw') return rawHistory({ ...rows, watermark }, window, context)
  if (window.count === 0) return { points: [], cut: false, lastBucket: null }
  const reachesEnd = window.axis === 'time' && window.to === indexed.last.closeTimeSeconds
  return {
    points: await bucketedHistory({ ...rows, watermark }, window, fill === 'zero' ? 'none' : fill, indexed, context),
    cut: false,
    lastBucket: reachesEnd ? window.first + (window.count - 1) * window.width : null,
  }
}

async function rawHistory(of: BoundRows, { from, to, toLedger }: RawWindow, { readModel, call }: RouteContext): Promise<PriceHistory> {
  // Each source writes at its own pace, and at a ledger one of them is the price: so many rows have the newest points among them.
  const events = (MAX_POINTS + 1) * of.sources.length
  const bounds = { from, to, to_ledger: toLedger, events, rows: MAX_POINTS + 1 }
  const newestFirst = await readModel.query(assetPrices, { ...of, ...bounds }, call)
  const kept = newestFirst.slice(0, MAX_POINTS)
  return {
    points: kept.map(rawPricePoint).reverse(),
    cut: newestFirst.length > kept.length || (newestFirst[0]?.scanned ?? 0n) >= BigInt(events),
    lastBucket: null,
  }
}

const HOUR_SECONDS = 3_600
/** A price counts for at most a day; the table of hours has the last of each. */
const LOOK_BACK_SECONDS = 25 * HOUR_SECONDS

const hourOf = (seconds: number): number => Math.floor(seconds / HOUR_SECONDS) * HOUR_SECONDS

async function bucketedHistory(
  of: BoundRows,
  window: BucketWindow,
  fill: 'none' | 'null' | 'locf',
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<PricePoint[]> {
  const { readModel, call } = context
  const { axis, width } = window
  const beginSeconds = axis === 'time' ? window.first : ((await readModel.closeTimeOf(window.first, call)) ?? 0)
  const endsWithHours = axis === 'time' && width % HOUR_SECONDS === 0
  const keep = ({ none: 'fresh', locf: 'carry', null: 'all' } as const)[fill]
  const bounds = {
    // What is carried into the window may be of any age: its point then is null.
    since: fill === 'locf' ? 0 : Math.max(0, hourOf(beginSeconds) - LOOK_BACK_SECONDS),
    split: hourOf(endsWithHours ? window.to : beginSeconds),
  }
  const rows = await readModel.query(assetPriceHistory, { ...of, ...window, keep, ...bounds }, call)
  const stale = rows.filter((row) => !row.fresh).map((row) => row.start)
  const lastOf = stale.length === 0 ? null : await lastOfBuckets(window, stale, fill, indexed, context)
  return await mapInPieces(rows, (row) => {
    if (row.fresh || lastOf === null) return bucketPricePoint(axis, row.start, row, row.close_time_seconds)
    const last = lastOf(row.start)
    return fill === 'null' ? emptyPricePoint(axis, row.start, last) : bucketPricePoint(axis, row.start, row, last.seconds)
  })
}

/** Of a carried price on the time axis only the bucket's end is needed. */
async function lastOfBuckets(
  window: BucketWindow,
  starts: readonly number[],
  fill: 'none' | 'null' | 'locf',
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<(start: number) => Place> {
  return window.axis === 'time' && fill === 'locf'
    ? (start) => ({ ledger: 0, seconds: Math.min(start + window.width - 1, window.to) })
    : lastClosed(window, starts, indexed, context)
}
