// Points without a snapshot: on the other axis they show the last ledger that closed in or before their bucket.

import { closeTimesOf, lastLedgerByBucket } from '@orrery/read-model/queries'
import type { BucketWindow, IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

/** Both axes of a point. */
export interface Place {
  readonly ledger: number
  /** Unix seconds. */
  readonly seconds: number
}

/** The last ledger closed in or before each bucket that begins at one of `starts`, with its close time; on the ledger axis `ledger` is the bucket's start. */
export function lastClosed(
  window: BucketWindow,
  starts: readonly number[],
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<(start: number) => Place> {
  return window.axis === 'time' ? lastOfBuckets(window, indexed, context) : endsOfBuckets(window, starts, indexed, context)
}

/** Ledger and time of the buckets that begin at `starts`; on the time axis the time is that start. */
export async function emptyPlaces(
  window: BucketWindow,
  starts: readonly number[],
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<(start: number) => Place> {
  const placeOf = await lastClosed(window, starts, indexed, context)
  return window.axis === 'time' ? (start) => ({ ledger: placeOf(start).ledger, seconds: start }) : placeOf
}

async function lastOfBuckets(
  { first, width, count, to }: BucketWindow,
  { last }: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<(start: number) => Place> {
  const found = await readModel.query(lastLedgerByBucket, { first, width, to, watermark: last.ledger }, call)
  const byBucket = new Map(found.map(({ bucket, ledger, close_time_seconds: seconds }) => [bucket, { ledger, seconds }]))
  const byStart = new Map<number, Place>()
  let newest = byBucket.get(0)
  for (let n = 0; n < count; n++) {
    newest = byBucket.get(n + 1) ?? newest
    if (newest !== undefined) byStart.set(first + n * width, newest)
  }
  return (start) => byStart.get(start) ?? { ledger: 0, seconds: start }
}

async function endsOfBuckets(
  { width, to }: BucketWindow,
  starts: readonly number[],
  { last }: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<(start: number) => Place> {
  const endOf = (start: number): number => Math.min(start + width - 1, to)
  const times = await readModel.query(closeTimesOf, { ledgers: starts.map(endOf), watermark: last.ledger }, call)
  const secondsOf = new Map(times.map(({ ledger, close_time_seconds }) => [ledger, close_time_seconds]))
  return (start) => ({ ledger: start, seconds: secondsOf.get(endOf(start)) ?? 0 })
}
