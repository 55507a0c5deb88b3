// Parameters of the daily TVL, and the days that they request.

import { z } from 'zod'
import { reserved } from '../parameters.ts'
import type { Rule } from '../route.ts'
import type { IndexedSpan } from './bucket-window.ts'
import { choice } from './choice.ts'
import { DateTimeParameter, firstSecondFrom, isAfter } from './date-time.ts'
import { LedgerParameter } from './integer.ts'

export const TvlQuery = z.strictObject({
  from: DateTimeParameter.optional().describe(
    'First instant, inclusive: the first day is the first one that begins at this time or later. Without `to`, the window ends at the latest day.',
  ),
  to: DateTimeParameter.optional().describe('Last instant, inclusive. Without `from`, the window has 30 days.'),
  resolution: reserved(choice(['1d']), ['1h', '1w'], 'does not support `1h` and `1w` yet; they are reserved. Use `1d`.')
    .default('1d')
    .describe('Only `1d`; `1h` and `1w` are reserved for later use.'),
  as_of_ledger: LedgerParameter.optional().describe('Only snapshots at or before this ledger. Omit for the latest.'),
})

export type TvlQuery = z.output<typeof TvlQuery>

export const TVL_RULES: readonly Rule<TvlQuery>[] = [
  {
    code: 'invalid_parameter',
    broken: (q) => q.from !== undefined && q.to !== undefined && isAfter(q.from, q.to),
    message: '`from` is after `to`. Give the earlier instant as `from`.',
  },
]

export const DAY_SECONDS = 86_400
const DEFAULT_DAYS = 30

/** Consecutive UTC days. */
export interface DayWindow {
  /** Start of the first one, unix seconds. */
  readonly firstDaySeconds: number
  /** 0 if the window contains no day. */
  readonly days: number
  /** The last of the days is that of the answer's ledger. */
  readonly endsAtAnswer: boolean
  /** The requested window begins before the first indexed day or ends after the last one. */
  readonly outside: boolean
}

/** Days with `from <= start <= to`, from the first indexed day to the day of `asOf`. Without `from`: 30 days. */
export function readTvlQuery(q: TvlQuery, indexed: IndexedSpan, asOf: { readonly closeTimeSeconds: number }): DayWindow {
  const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS
  const newest = dayOf(asOf.closeTimeSeconds)
  const last = q.to === undefined ? newest : Math.min(newest, dayOf(q.to.seconds))
  const asked =
    q.from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_SECONDS : Math.ceil(firstSecondFrom(q.from) / DAY_SECONDS) * DAY_SECONDS
  const oldest = dayOf(indexed.first.closeTimeSeconds)
  const first = Math.max(asked, oldest)
  const days = Math.max(0, (last - first) / DAY_SECONDS + 1)
  return {
    firstDaySeconds: first,
    days,
    endsAtAnswer: days > 0 && last === newest,
    // A default bound is never outside.
    outside: [q.from, q.to].some(
      (bound) => bound !== undefined && (bound.seconds < oldest || dayOf(bound.seconds) > dayOf(indexed.last.closeTimeSeconds)),
    ),
  }
}
