// Parameters of statements that answer in buckets.

import { z } from 'zod'

/** `axis` is `time` (places in unix seconds) or `ledger`. Buckets of `width` begin at `first`; only what lies from `from` to `to`, both inclusive, counts. */
export const BUCKETS = {
  axis: z.enum(['time', 'ledger']),
  first: z.int().nonnegative(),
  width: z.int().positive(),
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
}

/** Which buckets an answer has. `fresh`: those with a value of their own; `carry`: also those that carry an earlier one; `all`: every bucket. */
export const KEEP = z.enum(['fresh', 'carry', 'all'])
