// The parameters of a position history: which combinations are valid, and what a valid one reads.
// Shared by the histories of all protocols: a route only names the snapshots that it shows.

import { z } from 'zod'
import { reserved } from '../parameters.ts'
import type { Rule } from '../route.ts'
import { type BucketWindow, type IndexedSpan, ledgerBuckets, timeBuckets } from './bucket-window.ts'
import { choice } from './choice.ts'
import { DateTimeParameter, firstSecondFrom, isAfter } from './date-time.ts'
import { LedgerBucket, LedgerParameter, narrowLedger } from './integer.ts'
import { type Interval, IntervalParameter } from './interval.ts'

/** Preset windows: their length, and the width of their buckets. */
const RANGES = {
  '24h': { seconds: 86_400, interval: '1h' },
  '7d': { seconds: 7 * 86_400, interval: '4h' },
  '30d': { seconds: 30 * 86_400, interval: '1d' },
} as const satisfies Record<string, { seconds: number; interval: Interval }>

/** How a bucket without a snapshot is shown. */
export type Fill = 'none' | 'null' | 'zero' | 'locf'

export const RangeParameter = choice(['24h', '7d', '30d']).describe(
  'Preset window that ends at the last indexed ledger: `24h` in buckets of 1h, `7d` in 4h, `30d` in 1d, unless `interval` is given.',
)

/** The window of a preset. @throws 400 `too_many_points`. */
export function rangeBuckets(range: keyof typeof RANGES, interval: Interval | undefined, indexed: IndexedSpan): BucketWindow {
  const preset = RANGES[range]
  const from = { wholeBucketFrom: indexed.last.closeTimeSeconds - preset.seconds }
  return timeBuckets({ from, to: null }, interval ?? preset.interval, indexed)
}

export const HistoryQuery = z.strictObject({
  range: RangeParameter.optional(),
  from: DateTimeParameter.optional().describe('First instant, inclusive. Without `interval` it filters the raw snapshots.'),
  to: DateTimeParameter.optional().describe('Last instant, inclusive.'),
  resolution: reserved(z.string(), 'all', 'is reserved for later use. Use `interval` instead.')
    .optional()
    .describe('Reserved. Use `interval`.'),
  interval: IntervalParameter.optional().describe('Width of the buckets in time, aligned to UTC; weeks begin on Monday.'),
  ledger_bucket: LedgerBucket.optional().describe('Width of the buckets in ledgers, counted from `from_ledger`.'),
  from_ledger: LedgerParameter.optional().describe('First ledger, inclusive. With `ledger_bucket`.'),
  to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive. With `ledger_bucket`.'),
  fill: choice(['none', 'null', 'zero', 'locf'])
    .optional()
    .describe(
      'How buckets without a snapshot are shown: `none` leaves them out, `null` and `zero` give these values, `locf` carries the last observation forward.',
    ),
  as_of_ledger: LedgerParameter.optional().describe(
    'Only raw snapshots at or before this ledger. A position has a snapshot at each change and at the first ledger of each UTC hour; below 1 USD at the first ledger of each UTC day.',
  ),
})

export type HistoryQuery = z.output<typeof HistoryQuery>

const hasLedgers = (q: HistoryQuery): boolean => q.from_ledger !== undefined || q.to_ledger !== undefined
const hasTimes = (q: HistoryQuery): boolean => q.from !== undefined || q.to !== undefined
const isBucketed = (q: HistoryQuery): boolean => q.interval !== undefined || q.range !== undefined || q.ledger_bucket !== undefined

/** In the order in which problems are reported. */
export const HISTORY_RULES: readonly Rule<HistoryQuery>[] = [
  {
    code: 'conflicting_parameters',
    broken: (q) => q.range !== undefined && hasTimes(q),
    message: '`range` cannot be combined with `from` or `to`. Drop `range`, or use only `range`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from !== undefined && q.to !== undefined && isAfter(q.from, q.to),
    message: '`from` is after `to`. Give the earlier instant as `from`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.interval !== undefined && (q.ledger_bucket !== undefined || hasLedgers(q)),
    message:
      '`interval` cannot be combined with `ledger_bucket`, `from_ledger` or `to_ledger`. Bound it with `from` and `to`, or use `ledger_bucket` alone.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.ledger_bucket !== undefined && (q.from_ledger === undefined || q.to_ledger === undefined),
    stated: '`ledger_bucket` requires `from_ledger` and `to_ledger`.',
    message: (q) => `\`ledger_bucket\` requires \`from_ledger\` and \`to_ledger\`. Add ${absent(q, ['from_ledger', 'to_ledger'])}.`,
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.ledger_bucket !== undefined && (q.range !== undefined || hasTimes(q)),
    message: '`ledger_bucket` cannot be combined with `range`, `from` or `to`. Bound it with `from_ledger` and `to_ledger`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => hasLedgers(q) && q.ledger_bucket === undefined,
    message: '`from_ledger` and `to_ledger` require `ledger_bucket`. Add `ledger_bucket`, or use `from` and `to`.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from_ledger !== undefined && q.to_ledger !== undefined && q.from_ledger > q.to_ledger,
    message: '`from_ledger` is after `to_ledger`. Give the smaller ledger as `from_ledger`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.fill !== undefined && !isBucketed(q),
    message: '`fill` requires buckets. Add `interval`, `range` or `ledger_bucket`, or drop `fill`.',
  },
  {
    code: 'missing_parameter',
    broken: (q) => q.fill === 'locf' && q.interval !== undefined && q.range === undefined && (q.from === undefined || q.to === undefined),
    stated: '`fill=locf` requires a bounded window.',
    message: (q) => `\`fill=locf\` requires a bounded window. Add ${absent(q, ['from', 'to'])}, or use \`range\`.`,
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.as_of_ledger !== undefined && isBucketed(q),
    message: '`as_of_ledger` cannot be combined with `interval`, `range` or `ledger_bucket`. Drop one of them.',
  },
]

/** The names that were not given, as a list for a sentence. */
export function absent<Query>(q: Query, names: readonly (keyof Query & string)[]): string {
  return names
    .filter((name) => q[name] === undefined)
    .map((name) => `\`${name}\``)
    .join(' and ')
}

/** Snapshots without buckets: the newest ones, up to a limit. */
export interface RawWindow {
  readonly axis: 'raw'
  /** Unix seconds, inclusive. */
  readonly from: number
  readonly to: number
  readonly toLedger: number
}

/** Largest unix second that the tables can hold (u32). */
const SECONDS_MAX = 4_294_967_295

export interface HistoryRead {
  readonly window: RawWindow | BucketWindow
  readonly fill: Fill
}

/**
 * What to read for a query that keeps the rules. `firstSnapshotSeconds` is the close time of the position's first snapshot, null if it
 * has none: a window without `from` starts in the bucket of that snapshot.
 *
 * @throws 400 `too_many_points`.
 */
export function readHistoryQuery(q: HistoryQuery, indexed: IndexedSpan, firstSnapshotSeconds: number | null): HistoryRead {
  const fill = q.fill ?? 'none'
  if (q.ledger_bucket !== undefined && q.from_ledger !== undefined && q.to_ledger !== undefined) {
    return { window: ledgerBuckets(q.from_ledger, q.to_ledger, q.ledger_bucket, indexed), fill }
  }
  if (q.range !== undefined) {
    return { window: rangeBuckets(q.range, q.interval, indexed), fill }
  }
  if (q.interval !== undefined) {
    const open = firstSnapshotSeconds === null ? null : { wholeBucketFrom: firstSnapshotSeconds }
    return { window: timeBuckets({ from: q.from ?? open, to: q.to ?? null }, q.interval, indexed), fill }
  }
  return { window: rawWindow(q, indexed), fill }
}

function rawWindow(q: HistoryQuery, indexed: IndexedSpan): RawWindow {
  const clamp = (seconds: number): number => Math.min(Math.max(seconds, 0), SECONDS_MAX)
  return {
    axis: 'raw',
    from: q.from === undefined ? 0 : clamp(firstSecondFrom(q.from)),
    to: q.to === undefined ? SECONDS_MAX : clamp(q.to.seconds),
    toLedger: Math.min(indexed.last.ledger, q.as_of_ledger === undefined ? indexed.last.ledger : narrowLedger(q.as_of_ledger)),
  }
}

/** True if the request reaches outside the indexed range. A preset that is longer than the index does not. */
export function reachesOutside(
  q: Partial<Pick<HistoryQuery, 'from' | 'to' | 'from_ledger' | 'to_ledger' | 'as_of_ledger'>>,
  { first, last }: IndexedSpan,
): boolean {
  const ledgers = [q.from_ledger, q.to_ledger, q.as_of_ledger].filter((ledger) => ledger !== undefined)
  const seconds = [q.from, q.to].filter((instant) => instant !== undefined).map((instant) => instant.seconds)
  return (
    ledgers.some((ledger) => ledger < BigInt(first.ledger) || ledger > BigInt(last.ledger)) ||
    seconds.some((second) => second < first.closeTimeSeconds || second > last.closeTimeSeconds)
  )
}
