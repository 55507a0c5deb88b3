// Points without a snapshot: on the other axis they show the last ledger that closed in or before their bucket.

import { closeTimesOf, lastLedgerByBucket } from '@orrery/read-model/queries'
import type { BucketWindow, IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

/** The last ledger closed in or before each bucket that begins at one of `starts`, with its close time; on the ledger axis `ledger` is the bucket's start. */
export async function lastClosed(
  window: BucketWindow,
  starts: readonly number[],
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<(start: number) => Place> {
  const placeOf = await emptyPlaces(window, starts, indexed, context)
  if (window.axis === 'ledger') return placeOf
  const { readModel, call } = context
  const ledgers = [...new Set(starts.map((start) => placeOf(start).ledger))]
  const times = await readModel.query(closeTimesOf, { ledgers, watermark: indexed.last.ledger }, call)
  const secondsOf = new Map(times.map(({ ledger, close_time_seconds }) => [ledger, close_time_seconds]))
  return (start) => {
    const { ledger } = placeOf(start)
    return { ledger, seconds: secondsOf.get(ledger) ?? start }
  }
}

/** Both axes of a point. */
export interface Place {
  readonly ledger: number
  /** Unix seconds. */
  readonly seconds: number
}

/** Ledger and time of the buckets that begin at `starts`. */
export async function emptyPlaces(
  window: BucketWindow,
  starts: readonly number[],
  { last }: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<(start: number) => Place> {
  if (window.axis === 'time') {
    const ledgers = await readModel.query(
      lastLedgerByBucket,
      { first: window.first, width: window.width, count: window.count, to: window.to, watermark: last.ledger },
      call,
    )
    const byStart = new Map(ledgers.map(({ start, ledger }) => [start, ledger]))
    return (start) => ({ ledger: byStart.get(start) ?? 0, seconds: start })
  }
  const endOf = (start: number): number => Math.min(start + window.width - 1, window.to)
  const times = await readModel.query(closeTimesOf, { ledgers: starts.map(endOf), watermark: last.ledger }, call)
  const secondsOf = new Map(times.map(({ ledger, close_time_seconds }) => [ledger, close_time_seconds]))
  return (start) => ({ ledger: start, seconds: secondsOf.get(endOf(start)) ?? 0 })
}
