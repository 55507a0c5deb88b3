// Parameters of the activity series: buckets of time or of ledgers, always within the indexed range.

import { z } from 'zod'
import type { Rule } from '../route.ts'
import { type BucketWindow, type IndexedSpan, ledgerBuckets, timeBuckets } from './bucket-window.ts'
import { DateTimeParameter, isAfter } from './date-time.ts'
import { LedgerBucket, LedgerParameter } from './integer.ts'
import { IntervalParameter } from './interval.ts'

export const SeriesQuery = z.strictObject({
  interval: IntervalParameter.optional().describe('Width of the buckets in time, aligned to UTC. Give either this or `ledger_bucket`.'),
  from: DateTimeParameter.optional().describe('First instant, inclusive. With `interval`.'),
  to: DateTimeParameter.optional().describe('Last instant, inclusive. With `interval`.'),
  ledger_bucket: LedgerBucket.optional().describe('Width of the buckets in ledgers, counted from `from_ledger`.'),
  from_ledger: LedgerParameter.optional().describe('First ledger, inclusive. With `ledger_bucket`.'),
  to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive. With `ledger_bucket`.'),
})

export type SeriesQuery = z.output<typeof SeriesQuery>

/** In the order in which problems are reported. */
export const SERIES_RULES: readonly Rule<SeriesQuery>[] = [
  {
    code: 'missing_parameter',
    broken: (q) => q.interval === undefined && q.ledger_bucket === undefined,
    message: 'One of `interval` and `ledger_bucket` is required. Add `interval`, or `ledger_bucket` with `from_ledger` and `to_ledger`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.interval !== undefined && q.ledger_bucket !== undefined,
    message: '`interval` cannot be combined with `ledger_bucket`. Use exactly one of them.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.interval === undefined && (q.from !== undefined || q.to !== undefined),
    message: '`from` and `to` are only meaningful with `interval`. Add `interval`, or bound ledgers with `from_ledger` and `to_ledger`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from !== undefined && q.to !== undefined && isAfter(q.from, q.to),
    message: '`from` is after `to`. Give the earlier instant as `from`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.ledger_bucket !== undefined && (q.from_ledger === undefined || q.to_ledger === undefined),
    message: '`ledger_bucket` requires `from_ledger` and `to_ledger`. Add both.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.ledger_bucket === undefined && (q.from_ledger !== undefined || q.to_ledger !== undefined),
    message: '`from_ledger` and `to_ledger` require `ledger_bucket`. Add `ledger_bucket` and drop `interval`, or use `from` and `to`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from_ledger !== undefined && q.to_ledger !== undefined && q.from_ledger > q.to_ledger,
    message: '`from_ledger` is after `to_ledger`. Give the smaller ledger as `from_ledger`.',
  },
]

/**
 * The window of a query that keeps the rules. `firstActionSeconds` is the close time of the account's first action, null if it has none:
 * a window without `from` starts in the bucket of that action.
 *
 * @throws 400 `too_many_points`.
 */
export function readSeriesQuery(q: SeriesQuery, indexed: IndexedSpan, firstActionSeconds: number | null): BucketWindow {
  if (q.ledger_bucket !== undefined && q.from_ledger !== undefined && q.to_ledger !== undefined) {
    return ledgerBuckets(q.from_ledger, q.to_ledger, q.ledger_bucket, indexed)
  }
  const open = firstActionSeconds === null ? null : { wholeBucketFrom: firstActionSeconds }
  return timeBuckets({ from: q.from ?? open, to: q.to ?? null }, q.interval ?? '1d', indexed)
}
