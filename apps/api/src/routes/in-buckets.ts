// The buckets of a position's history, from the last snapshot of each bucket that has one.

import type { BucketWindow } from '../params/bucket-window.ts'
import type { Fill } from '../params/history-query.ts'
import type { SnapshotValues } from '../present/history-point.ts'

/** The values of a snapshot. `bucket` counts from 1; 0 is the last snapshot before the window. */
export interface LastOfBucket extends SnapshotValues {
  readonly bucket: number
  readonly unpriced_assets: number
}

/** A bucket that begins at `start`, with its own last snapshot if it is `fresh`, else with the one before; `ledger` is 0 before the first one. */
interface FilledBucket extends SnapshotValues {
  readonly start: number
  readonly fresh: boolean
  readonly unpriced_assets: number
}

const NOTHING_YET = { ledger: 0, close_time_seconds: 0, supplied_usd: null, borrowed_usd: null, net_usd: null, unpriced_assets: 0 } as const

/** In ascending order. Of several rows of a bucket the last one counts. Without `fill` only the buckets with a snapshot; with `locf` those after a snapshot as well; else every bucket. */
export function inBuckets(found: readonly LastOfBucket[], { first, width, count }: BucketWindow, fill: Fill): readonly FilledBucket[] {
  const byBucket = new Map(found.map((row) => [row.bucket, row]))
  const buckets: FilledBucket[] = []
  let last: Omit<LastOfBucket, 'bucket'> = byBucket.get(0) ?? NOTHING_YET
  for (let n = 0; n < count; n++) {
    const own = byBucket.get(n + 1)
    last = own ?? last
    const isKept = own !== undefined || (fill === 'locf' ? last.ledger > 0 : fill !== 'none')
    if (!isKept) continue
    const { ledger, close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets } = last
    const values = { ledger, close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets }
    buckets.push({ start: first + n * width, fresh: own !== undefined, ...values })
  }
  return buckets
}
