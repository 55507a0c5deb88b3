// A window divided into buckets, on the time axis (unix seconds) or the ledger axis (sequences), as plain numbers for a query.
// The limit applies to the requested window; the range that is read never leaves the indexed range.

import { refuse } from '../errors.ts'
import type { Instant } from './date-time.ts'
import { firstSecondFrom } from './date-time.ts'
import { narrowLedger } from './integer.ts'
import { bucketStartOf, INTERVAL_SECONDS, INTERVALS, type Interval } from './interval.ts'

/** A ledger that is indexed. */
export interface LedgerTime {
  readonly ledger: number
  /** Unix seconds. */
  readonly closeTimeSeconds: number
}

/** First and last ledger that an answer can read. */
export interface IndexedSpan {
  readonly first: LedgerTime
  readonly last: LedgerTime
}

export interface BucketWindow {
  readonly axis: 'time' | 'ledger'
  /** Start of the first bucket. */
  readonly first: number
  readonly width: number
  /** Number of buckets; 0 if the window and the index do not overlap. */
  readonly count: number
  /** Snapshots in [from, to] count; an older one can be carried forward into the window. */
  readonly from: number
  readonly to: number
}

/** Buckets of a window; 0 for one of raw points. */
export function bucketsOf(window: BucketWindow | { readonly axis: 'raw' }): number {
  return window.axis === 'raw' ? 0 : window.count
}

/** Start of the bucket that contains the last indexed ledger; null if the window ends before, is empty, or is on the ledger axis. */
export function lastBucket(window: BucketWindow | { readonly axis: 'raw' }, { last }: IndexedSpan): number | null {
  if (window.axis !== 'time' || window.count === 0 || window.to !== last.closeTimeSeconds) return null
  return window.first + (window.count - 1) * window.width
}

/** Most buckets of a window, and most points of a raw answer. */
export const MAX_POINTS = 5_000

/**
 * Requested bounds on the time axis. A date-time is exact; `wholeBucketFrom` includes the whole bucket that contains that second. If `from` is
 * null, there is nothing to show. If `to` is null, the window ends at the last indexed ledger.
 */
export interface TimeBounds {
  readonly from: Instant | { readonly wholeBucketFrom: number } | null
  readonly to: Instant | null
}

/** @throws 400 `too_many_points` with the smallest interval that fits. */
export function timeBuckets(bounds: TimeBounds, interval: Interval, indexed: IndexedSpan): BucketWindow {
  const width = INTERVAL_SECONDS[interval]
  const { first: oldest, last: newest } = indexed
  if (bounds.from === null) return { axis: 'time', first: 0, width, count: 0, from: 0, to: 0 }
  const from = 'wholeBucketFrom' in bounds.from ? bucketStartOf(bounds.from.wholeBucketFrom, interval) : firstSecondFrom(bounds.from)
  const asked = bounds.to === null ? newest.closeTimeSeconds : bounds.to.seconds
  refuseTooManyIntervals(from, asked, interval)

  const to = Math.min(asked, newest.closeTimeSeconds)
  const first = bucketStartOf(Math.max(from, oldest.closeTimeSeconds), interval)
  const count = Math.max(0, (bucketStartOf(to, interval) - first) / width + 1)
  return { axis: 'time', first, width, count: from > to ? 0 : count, from: Math.max(from, 0), to: Math.max(to, 0) }
}

const intervalsBetween = (from: number, to: number, width: Interval): number =>
  (bucketStartOf(to, width) - bucketStartOf(from, width)) / INTERVAL_SECONDS[width] + 1

/** Whether a window from the first ledger up to `to`, or up to the last ledger, has few enough buckets. */
export function fitsWholeIndex(to: Instant | undefined, interval: Interval, { first, last }: IndexedSpan): boolean {
  return intervalsBetween(first.closeTimeSeconds, to?.seconds ?? last.closeTimeSeconds, interval) <= MAX_POINTS
}

function refuseTooManyIntervals(from: number, to: number, interval: Interval): void {
  const asked = intervalsBetween(from, to, interval)
  if (asked <= MAX_POINTS) return
  const fitting = INTERVALS.find((width) => intervalsBetween(from, to, width) <= MAX_POINTS)
  const advice =
    fitting === undefined ? 'No interval fits: request a shorter window.' : `The smallest interval that fits is \`${fitting}\`.`
  throw refuse('too_many_points', `\`interval=${interval}\` divides this window into ${asked} buckets, more than ${MAX_POINTS}. ${advice}`)
}

/** @throws 400 `too_many_points` with the smallest bucket that fits. */
export function ledgerBuckets(fromLedger: bigint, toLedger: bigint, ledgerBucket: bigint, indexed: IndexedSpan): BucketWindow {
  const ledgers = toLedger - fromLedger + 1n
  const asked = ceilDiv(ledgers, ledgerBucket)
  if (asked > BigInt(MAX_POINTS)) {
    const fitting = ceilDiv(ledgers, BigInt(MAX_POINTS))
    throw refuse(
      'too_many_points',
      `\`ledger_bucket=${ledgerBucket}\` divides this window into ${asked} buckets, more than ${MAX_POINTS}. The smallest \`ledger_bucket\` that fits is ${fitting}.`,
    )
  }
  const width = narrowLedger(ledgerBucket)
  const from = narrowLedger(fromLedger)
  const to = Math.min(narrowLedger(toLedger), indexed.last.ledger)
  // The first bucket that overlaps the index: buckets before the first indexed ledger do not exist.
  const skipped = Math.floor(Math.max(0, indexed.first.ledger - from) / width)
  const first = from + skipped * width
  return { axis: 'ledger', first, width, count: Math.max(0, Math.floor((to - first) / width) + 1), from, to }
}

function ceilDiv(n: bigint, d: bigint): bigint {
  return (n + d - 1n) / d
}
