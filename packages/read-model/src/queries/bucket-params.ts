// Parameters of statements that answer in buckets.

import { z } from 'zod'

/** Buckets of `width` begin at `first`; only what lies from `from` to `to`, both inclusive, counts. On the axis of time all are unix seconds. */
export const PLACES = {
  first: z.int().nonnegative(),
  width: z.int().positive(),
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
}

/** The same for a statement that serves both axes. */
export const BUCKETS = { axis: z.enum(['time', 'ledger']), ...PLACES }

/** A row's place on each axis, for statements of one axis: the engine plans a choice between two at every request. */
export const PLACE = { time: 'toInt64(toUnixTimestamp(close_time))', ledger: 'toInt64(ledger)' } as const

export type Axis = keyof typeof PLACE

/** Which buckets an answer has. `fresh`: those with a value of their own; `carry`: also those that carry an earlier one; `all`: every bucket. */
export const KEEP = z.enum(['fresh', 'carry', 'all'])
