// Parameters of the activity series: buckets of time or of ledgers, always within the indexed range.

import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Rule } from '../route.ts'
import { type BucketWindow, type IndexedSpan, ledgerBuckets, timeBuckets } from './bucket-window.ts'
import { choice } from './choice.ts'
import { DateTimeParameter, isAfter } from './date-time.ts'
import { RangeParameter, rangeBuckets } from './history-query.ts'
import { LedgerBucket, LedgerParameter } from './integer.ts'
import { IntervalParameter } from './interval.ts'

const bounds = {
  interval: IntervalParameter.optional().describe(
    'Width of the buckets in time, aligned to UTC. Give either this, `range` or `ledger_bucket`; with `range` it replaces the width of the preset.',
  ),
  from: DateTimeParameter.optional().describe('First instant, inclusive. With `interval`.'),
  to: DateTimeParameter.optional().describe('Last instant, inclusive. With `interval`.'),
  ledger_bucket: LedgerBucket.optional().describe('Width of the buckets in ledgers, counted from `from_ledger`.'),
  from_ledger: LedgerParameter.optional().describe('First ledger, inclusive. With `ledger_bucket`.'),
  to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive. With `ledger_bucket`.'),
  range: RangeParameter.optional(),
}

/** @param protocols Ids of the protocols of the build. */
export function seriesQuery(protocols: readonly ProtocolId[]) {
  return z.strictObject({
    ...bounds,
    protocol: choice(protocols).optional().describe('Only actions in this protocol.'),
  })
}

export type SeriesQuery = z.output<ReturnType<typeof seriesQuery>>

const hasLedgers = (q: SeriesQuery): boolean => q.from_ledger !== undefined || q.to_ledger !== undefined
const hasTimes = (q: SeriesQuery): boolean => q.from !== undefined || q.to !== undefined

/** In the order in which problems are reported. */
export const SERIES_RULES: readonly Rule<SeriesQuery>[] = [
  {
    code: 'missing_parameter',
    broken: (q) => q.interval === undefined && q.range === undefined && q.ledger_bucket === undefined,
    message:
      'One of `interval`, `range` and `ledger_bucket` is required. Add `interval` or `range`, or `ledger_bucket` with `from_ledger` and `to_ledger`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.interval !== undefined && q.ledger_bucket !== undefined,
    message: '`interval` cannot be combined with `ledger_bucket`. Use exactly one of them.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && hasTimes(q),
    message: '`range` cannot be combined with `from` or `to`. Drop `range`, or use only `range`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && (q.ledger_bucket !== undefined || hasLedgers(q)),
    message: '`range` cannot be combined with `ledger_bucket`, `from_ledger` or `to_ledger`. Drop `range`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.interval === undefined && hasTimes(q),
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
    broken: (q) => q.ledger_bucket === undefined && hasLedgers(q),
    message: '`from_ledger` and `to_ledger` require `ledger_bucket`. Add `ledger_bucket` and drop `interval`, or use `from` and `to`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from_ledger !== undefined && q.to_ledger !== undefined && q.from_ledger > q.to_ledger,
    message: '`from_ledger` is after `to_ledger`. Give the smaller ledger as `from_ledger`.',
  },
]

/**
 * The window of a query that keeps the rules. A window without `from` starts in the bucket of `beginsAt`, unix seconds: of the account's first action, or of
 * the first ledger. Null: there is nothing to show.
 *
 * @throws 400 `too_many_points`.
 */
export function readSeriesQuery(q: SeriesQuery, indexed: IndexedSpan, beginsAt: number | null): BucketWindow {
  if (q.ledger_bucket !== undefined && q.from_ledger !== undefined && q.to_ledger !== undefined) {
    return ledgerBuckets(q.from_ledger, q.to_ledger, q.ledger_bucket, indexed)
  }
  if (q.range !== undefined) return rangeBuckets(q.range, q.interval, indexed)
  const open = beginsAt === null ? null : { wholeBucketFrom: beginsAt }
  return timeBuckets({ from: q.from ?? open, to: q.to ?? null }, q.interval ?? '1d', indexed)
}
