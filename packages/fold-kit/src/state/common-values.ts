// Values that facts of several protocols store: costs of positions, counters of pools, small positions, the time of a written loss.

import type { Cost } from '../cost.ts'
import type { Counters } from '../fee-yield.ts'
import { choice, flag, integer, type Members, named, nullable, number, object, only, usd } from './stored-value.ts'

/** One raw amount. */
export const amountValue: Members<bigint> = only('amount', integer)

/** The cost of units. */
export const costValue: Members<Cost> = object({
  units: integer,
  costUsd: nullable(usd),
  realizedUsd: nullable(usd),
  openedLedger: number,
  confidence: choice('exact', 'inferred'),
})

/** Fees and volume of a pool, and its value over time. */
export const countersValue: Members<Counters> = object({
  sinceSeconds: number,
  atSeconds: number,
  feesUsd: usd,
  lpFeesUsd: usd,
  volumeUsd: usd,
  valueSeconds: named('value_seconds_usd', usd),
  tvlUsd: usd,
})

/** A row that exists while a position is small. */
export const smallValue: Members<boolean> = only('small', flag)

/** The hour of a loss, since 1970. */
export const lossValue: Members<number> = only('hour', number)
