// The parameters of the history of net worth: those of a summary history, and presets.

import type { z } from 'zod'
import type { Rule } from '../route.ts'
import { type BucketWindow, type IndexedSpan, timeBuckets } from './bucket-window.ts'
import { type Fill, HistoryQuery, RANGES } from './history-query.ts'
import { type RawLedgers, readSummaryQuery, SUMMARY_RULES, SummaryQuery } from './summary-query.ts'

export const NetWorthQuery = SummaryQuery.extend({ range: HistoryQuery.shape.range })

export type NetWorthQuery = z.output<typeof NetWorthQuery>

/** A preset has bounds and buckets of its own: beside it only `interval` and `fill` have a meaning. */
export const NET_WORTH_RULES: readonly Rule<NetWorthQuery>[] = [
  ...SUMMARY_RULES.map((rule): Rule<NetWorthQuery> => ({ ...rule, broken: (q) => q.range === undefined && rule.broken(q) })),
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && (q.from !== undefined || q.to !== undefined),
    message: '`range` cannot be combined with `from` or `to`. Drop `range`, or use only `range`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) =>
      q.range !== undefined && [q.as_of_ledger, q.from_ledger, q.to_ledger, q.ledger_bucket].some((ledgers) => ledgers !== undefined),
    message:
      '`range` cannot be combined with `as_of_ledger`, `from_ledger`, `to_ledger` or `ledger_bucket`. Drop `range`, or use only `range`.',
  },
]

/**
 * What to read for a query that keeps the rules.
 *
 * @throws 400 `too_many_points`.
 */
export function readNetWorthQuery(
  q: NetWorthQuery,
  indexed: IndexedSpan,
): { readonly window: RawLedgers | BucketWindow; readonly fill: Fill } {
  if (q.range === undefined) return readSummaryQuery(q, indexed)
  const { seconds, interval } = RANGES[q.range]
  const bounds = { from: { wholeBucketFrom: indexed.last.closeTimeSeconds - seconds }, to: null }
  return { window: timeBuckets(bounds, q.interval ?? interval, indexed), fill: q.fill ?? 'none' }
}
