// The parameters of a summary history: fewer than those of a position history, with their own rules.

import { z } from 'zod'
import { reserved } from '../parameters.ts'
import type { Rule } from '../route.ts'
import { type BucketWindow, type IndexedSpan, ledgerBuckets, MAX_POINTS, timeBuckets } from './bucket-window.ts'
import { choice } from './choice.ts'
import { DateTimeParameter, isAfter } from './date-time.ts'
import { absent, type Fill, RangeParameter, rangeBuckets } from './history-query.ts'
import { LedgerBucket, LedgerParameter, narrowLedger } from './integer.ts'
import { IntervalParameter } from './interval.ts'

export const SummaryQuery = z.strictObject({
  as_of_ledger: LedgerParameter.optional().describe('Only one point: the latest at or before this ledger.'),
  from_ledger: LedgerParameter.optional().describe(
    'First ledger, inclusive. With `to_ledger`: raw points, or buckets if `ledger_bucket` is given.',
  ),
  to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive. With `from_ledger`.'),
  interval: IntervalParameter.optional().describe(
    'Width of the buckets in time, aligned to UTC; weeks begin on Monday. With `from` and `to`.',
  ),
  from: DateTimeParameter.optional().describe('First instant, inclusive. With `interval`.'),
  to: DateTimeParameter.optional().describe('Last instant, inclusive. With `interval`.'),
  ledger_bucket: LedgerBucket.optional().describe(
    'Width of the buckets in ledgers, counted from `from_ledger`. With `from_ledger` and `to_ledger`.',
  ),
  fill: choice(['none', 'null', 'zero', 'locf'])
    .optional()
    .describe(
      'How buckets without a snapshot are shown: `none` leaves them out, `null` and `zero` give these values (`health_factor` is always null), `locf` carries the last observation forward.',
    ),
  resolution: reserved(z.string(), 'all', 'is reserved for later use. Use `interval` instead.')
    .optional()
    .describe('Reserved. Use `interval`.'),
  range: RangeParameter.optional(),
})

export type SummaryQuery = z.output<typeof SummaryQuery>

const hasLedgers = (q: SummaryQuery): boolean => q.from_ledger !== undefined || q.to_ledger !== undefined
const hasBothLedgers = (q: SummaryQuery): boolean => q.from_ledger !== undefined && q.to_ledger !== undefined
const isBucketed = (q: SummaryQuery): boolean => q.interval !== undefined || q.range !== undefined || q.ledger_bucket !== undefined

/** In the order in which problems are reported. `locf` needs no rule: the other rules already require a bounded window. */
export const SUMMARY_RULES: readonly Rule<SummaryQuery>[] = [
  {
    code: 'conflicting_parameters',
    broken: (q) => q.as_of_ledger !== undefined && (hasLedgers(q) || isBucketed(q)),
    message:
      '`as_of_ledger` cannot be combined with `from_ledger`, `to_ledger`, `interval`, `range` or `ledger_bucket`. Use it alone, or use `to_ledger`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => hasLedgers(q) && !hasBothLedgers(q) && q.ledger_bucket === undefined,
    stated: '`from_ledger` and `to_ledger` require each other.',
    message: (q) => `\`from_ledger\` and \`to_ledger\` require each other. Add ${absent(q, ['from_ledger', 'to_ledger'])}.`,
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from_ledger !== undefined && q.to_ledger !== undefined && q.from_ledger > q.to_ledger,
    message: '`from_ledger` is after `to_ledger`. Give the smaller ledger as `from_ledger`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.interval !== undefined && q.range === undefined && (q.from === undefined || q.to === undefined),
    stated: '`interval` requires `from` and `to`, or `range`.',
    message: (q) => `\`interval\` requires \`from\` and \`to\`, or \`range\`. Add ${absent(q, ['from', 'to'])}.`,
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.interval !== undefined && (q.ledger_bucket !== undefined || hasLedgers(q)),
    message: '`interval` cannot be combined with `ledger_bucket`, `from_ledger` or `to_ledger`. Bound it with `from` and `to`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.interval === undefined && q.range === undefined && (q.from !== undefined || q.to !== undefined),
    message: '`from` and `to` are only meaningful with `interval`. Add `interval`, or bound ledgers with `from_ledger` and `to_ledger`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from !== undefined && q.to !== undefined && isAfter(q.from, q.to),
    message: '`from` is after `to`. Give the earlier instant as `from`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.ledger_bucket !== undefined && !hasBothLedgers(q),
    stated: '`ledger_bucket` requires `from_ledger` and `to_ledger`.',
    message: (q) => `\`ledger_bucket\` requires \`from_ledger\` and \`to_ledger\`. Add ${absent(q, ['from_ledger', 'to_ledger'])}.`,
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.fill !== undefined && !isBucketed(q),
    message: '`fill` requires buckets. Add `interval`, `range` or `ledger_bucket`, or drop `fill`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && (q.from !== undefined || q.to !== undefined),
    message: '`range` cannot be combined with `from` or `to`. Drop `range`, or use only `range`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && (q.ledger_bucket !== undefined || hasLedgers(q)),
    message: '`range` cannot be combined with `ledger_bucket`, `from_ledger` or `to_ledger`. Drop `range`.',
  },
]

/** Points without buckets: the newest `rows` of them. */
export interface RawLedgers {
  readonly axis: 'raw'
  readonly fromLedger: number
  readonly toLedger: number
  readonly rows: number
}

/**
 * What to read for a query that keeps the rules.
 *
 * @throws 400 `too_many_points`.
 */
export function readSummaryQuery(
  q: SummaryQuery,
  indexed: IndexedSpan,
): { readonly window: RawLedgers | BucketWindow; readonly fill: Fill } {
  const fill = q.fill ?? 'none'
  if (q.range !== undefined) return { window: rangeBuckets(q.range, q.interval, indexed), fill }
  if (q.interval !== undefined) return { window: timeBuckets({ from: q.from ?? null, to: q.to ?? null }, q.interval, indexed), fill }
  if (q.ledger_bucket !== undefined && q.from_ledger !== undefined && q.to_ledger !== undefined) {
    return { window: ledgerBuckets(q.from_ledger, q.to_ledger, q.ledger_bucket, indexed), fill }
  }
  const upTo = q.as_of_ledger ?? q.to_ledger
  const toLedger = upTo === undefined ? indexed.last.ledger : Math.min(narrowLedger(upTo), indexed.last.ledger)
  const fromLedger = q.from_ledger === undefined ? 0 : narrowLedger(q.from_ledger)
  return { window: { axis: 'raw', fromLedger, toLedger, rows: q.as_of_ledger === undefined ? MAX_POINTS : 1 }, fill }
}
