// The widths that a bucket can have in time. Buckets are aligned to UTC: to midnight for widths up to a day, to Monday for a week.

import { choice } from './choice.ts'

/** Width in seconds, ascending. */
export const INTERVAL_SECONDS = { '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400, '1w': 604_800 } as const

export type Interval = keyof typeof INTERVAL_SECONDS

export const INTERVALS = Object.keys(INTERVAL_SECONDS) as Interval[]

export const IntervalParameter = choice(INTERVALS)

/** Unix time began on a Thursday; its first Monday is four days later. */
const FIRST_MONDAY_SECONDS = 345_600

/** Start of the bucket that holds the unix second `at`. */
export function bucketStartOf(at: number, interval: Interval): number {
  const anchor = interval === '1w' ? FIRST_MONDAY_SECONDS : 0
  const width = INTERVAL_SECONDS[interval]
  return Math.floor((at - anchor) / width) * width + anchor
}
