// Summary histories: the sum of all positions of an account in one protocol, with a point wherever one of them has a snapshot.

import type { Address } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { positionSummary, positionSummarySnapshots, summaryDays } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import { type BucketWindow, type IndexedSpan, lastBucket } from '../params/bucket-window.ts'
import { type Fill, reachesOutside } from '../params/history-query.ts'
import { type RawLedgers, readSummaryQuery, type SummaryQuery } from '../params/summary-query.ts'
import type { LiveBucket } from '../present/live-point.ts'
import { emptySummaryPoint, type SummaryPoint, type SummaryValues, summaryPoint } from '../present/summary-point.ts'
import { summaryOf } from '../present/summary-sum.ts'
import type { RouteContext } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { emptyPlaces } from './other-axis.ts'
import { heldInBuckets, newestOf, readDays } from './position-days.ts'
import { historyCut, outsideWarnings, unpricedPoints } from './warn.ts'

interface Summary {
  readonly points: SummaryPoint[]
  /** The window reaches outside the index, older points were cut off by the limit, or a value has no price. */
  readonly warnings: readonly Warning[]
  /** On the time axis the bucket that shows the current positions, if the window reaches the last indexed ledger. */
  readonly live: LiveBucket | null
}

/** @throws 400 `too_many_points`. */
export async function readSummary(
  account: { readonly protocol: ProtocolId; readonly address: Address },
  query: SummaryQuery,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<Summary> {
  const of = { ...account, watermark: indexed.last.ledger }
  const { window, fill } = readSummaryQuery(query, indexed)
  const { points, warnings } = await (window.axis === 'raw'
    ? rawSummary(of, window, context)
    : bucketedSummary(of, window, fill, indexed, context))
  const start = lastBucket(window, indexed)
  const live = start === null ? null : { start, ...indexed.last }
  return { points, live, warnings: [...outsideWarnings(reachesOutside(query, indexed), indexed), ...warnings] }
}

interface BoundAccount {
  readonly protocol: ProtocolId
  readonly address: Address
  readonly watermark: number
}

type Points = Pick<Summary, 'points' | 'warnings'>

async function rawSummary(of: BoundAccount, window: RawLedgers, { readModel, call }: RouteContext): Promise<Points> {
  // One more row than is shown, to find out whether older ones are cut off. A request for the latest point misses no older ones.
  const asked = window.rows === 1 ? 1 : window.rows + 1
  const bounds = { from_ledger: window.fromLedger, to_ledger: window.toLedger, rows: asked }
  const newestFirst = await readModel.query(positionSummarySnapshots, { ...of, ...bounds }, call)
  const kept = newestFirst.slice(0, window.rows).reverse()
  return {
    points: await mapInPieces(kept, (row) => summaryPoint(row, row.ledger, row.close_time_seconds, row.close_time_seconds)),
    warnings: [...(newestFirst.length > kept.length ? [historyCut(kept.length)] : []), ...unpricedPoints(kept, (row) => row.unpriced)],
  }
}

async function bucketedSummary(
  of: BoundAccount,
  window: BucketWindow,
  fill: Fill,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<Points> {
  if (window.count === 0) return { points: [], warnings: [] }
  const carry = fill === 'locf'
  const rows =
    (await summaryByDays(of, window, carry, indexed, context)) ??
    (await context.readModel.query(positionSummary, { ...of, ...window, carry }, context.call))
  const points = await mapInPieces(rows, (row) =>
    window.axis === 'time'
      ? summaryPoint(row, row.ledger, row.start, row.close_time_seconds)
      : summaryPoint(row, row.start, row.close_time_seconds, row.close_time_seconds),
  )
  if (fill !== 'null' && fill !== 'zero') return { points, warnings: unpricedPoints(rows, (row) => row.unpriced) }

  const byStart = new Map(rows.map((row, n) => [row.start, points[n]]))
  const starts = Array.from({ length: window.count }, (_, n) => window.first + n * window.width)
  const placeOf = await emptyPlaces(
    window,
    starts.filter((start) => !byStart.has(start)),
    indexed,
    context,
  )
  const filled = starts.map((start) => {
    const { ledger, seconds } = placeOf(start)
    return byStart.get(start) ?? emptySummaryPoint(fill, ledger, seconds)
  })
  const unpriced = new Set(rows.filter((row) => row.unpriced).map((row) => row.start))
  return { points: filled, warnings: unpricedPoints(starts, (start) => unpriced.has(start)) }
}

interface SummaryBucket extends SummaryValues {
  readonly start: number
  readonly ledger: number
  readonly close_time_seconds: number
  readonly unpriced: boolean
}

/** The rows that `positionSummary` gives; null where days do not determine them. */
async function summaryByDays(
  { protocol, address }: BoundAccount,
  window: BucketWindow,
  carry: boolean,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<readonly SummaryBucket[] | null> {
  const { readModel, call } = context
  const rows = await readDays(window, indexed, context, (days) => readModel.query(summaryDays, { protocol, address, ...days }, call))
  const buckets = rows === null ? null : heldInBuckets(rows, window, ({ pool }) => pool)
  if (buckets === null) return null
  return await mapInPieces(
    buckets.filter(({ fresh }) => fresh || carry),
    ({ start, held }) => ({ start, ...newestOf(held), unpriced: held.some((row) => row.unpriced_assets > 0), ...summaryOf(held) }),
  )
}
