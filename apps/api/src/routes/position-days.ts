// Histories in buckets of whole days, from one row for each position and day. They are the answers that the statements over all snapshots give, which run where
// these rows do not determine it.

import { quarantinesOf } from '@orrery/read-model'
import type { BucketWindow, IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

const DAY = 86_400
/** More take longer to add up here than in the engine, and would delay other answers. */
const MOST_ROWS = 5_000
/** Positions times buckets. */
const MOST_SUMS = 10_000

/** The last snapshot of a position on a day. */
interface DayRow {
  readonly ledger: number
  readonly close_time_seconds: number
}

export interface Days {
  readonly first_day: string
  readonly last_day: string
  readonly rows: number
}

/**
 * The last snapshot of each day of a window, and the last one before it, of each position. Null where a window needs other snapshots: its buckets are no whole
 * days, it ends within a day, a day already has a snapshot after the watermark, or there are too many; and while a partition is quarantined, whose rows the
 * statements over snapshots leave out from its ledger on.
 *
 * @param read One of the queries of days.
 */
export async function readDays<Row extends DayRow>(
  window: BucketWindow,
  { last }: IndexedSpan,
  { isShown = false, readModel }: Pick<RouteContext, 'isShown' | 'readModel'>,
  read: (days: Days) => Promise<readonly Row[]>,
): Promise<readonly Row[] | null> {
  if (isShown || !endsWithDay(window, last.closeTimeSeconds) || window.axis !== 'time') return null
  if (window.width % DAY !== 0 || window.first % DAY !== 0) return null
  if (quarantinesOf(await readModel.tip()).length > 0) return null
  // The window may begin before the index.
  const firstDay = dateOf(Math.max(window.from, window.first))
  const found = await read({ first_day: firstDay, last_day: dateOf(window.to), rows: MOST_ROWS + 1 })
  const isLater = ({ ledger, close_time_seconds }: Row): boolean => ledger > last.ledger || close_time_seconds > window.to
  return found.length > MOST_ROWS || found.some(isLater) ? null : found
}

/** Of the last day of the index nothing is later. */
const endsWithDay = ({ to }: BucketWindow, lastSeconds: number): boolean => to === lastSeconds || (to + 1) % DAY === 0

const dateOf = (seconds: number): string => new Date(1000 * seconds).toISOString().slice(0, 10)

/** The bucket of a snapshot, from 1; 0 is before the window. */
export function bucketOf({ close_time_seconds: at }: DayRow, { from, first, width }: BucketWindow): number {
  return at < from ? 0 : Math.floor((at - first) / width) + 1
}

export interface HeldBucket<Row> {
  readonly start: number
  /** A position has a snapshot in it; else all are carried. */
  readonly fresh: boolean
  /** The last snapshot of each position at or before its end. */
  readonly held: readonly Row[]
}

/**
 * The buckets in which a position has a value, in ascending order. Null where they are too many to be added up here.
 *
 * @param rows Of `readDays`.
 * @param positionOf Names the position of a row.
 */
export function heldInBuckets<Row extends DayRow>(
  rows: readonly Row[],
  window: BucketWindow,
  positionOf: (row: Row) => string,
): readonly HeldBucket<Row>[] | null {
  const byBucket = Map.groupBy(rows, (row) => bucketOf(row, window))
  const positions = new Set(rows.map(positionOf))
  if (positions.size * window.count > MOST_SUMS) return null
  const held = new Map<string, Row>()
  const buckets: HeldBucket<Row>[] = []
  for (let n = 0; n <= window.count; n++) {
    const own = byBucket.get(n) ?? []
    // Of several days in a bucket the last one holds.
    for (const row of own.toSorted((a, b) => a.ledger - b.ledger)) held.set(positionOf(row), row)
    if (n > 0 && held.size > 0)
      buckets.push({ start: window.first + (n - 1) * window.width, fresh: own.length > 0, held: [...held.values()] })
  }
  return buckets
}

/** The newest ledger among some rows. */
export function newestOf(held: readonly DayRow[]): DayRow {
  return {
    ledger: Math.max(...held.map(({ ledger }) => ledger)),
    close_time_seconds: Math.max(...held.map(({ close_time_seconds }) => close_time_seconds)),
  }
}
