// What a request costs, in units of the rate limit. Every route uses this function, so that equal work costs the same everywhere.

/** What a request computes beyond the usual. */
export interface Load {
  /** Buckets of a series or history. */
  readonly buckets?: number
  /** Accounts of a request for many. */
  readonly addresses?: number
  /** The answer is a table of up to 50,000 rows. */
  readonly csv?: boolean
}

/** Taken when a request arrives. A refusal, a 304 and a cached answer cost no more. */
export const BASE_COST = 1
export const MAX_COST = 30

export const BUCKETS_PER_UNIT = 500
export const ADDRESSES_PER_UNIT = 5
export const CSV_UNITS = 10

/** From here on a request waits for those of others that cost less: more than a page or a chart of a month in hours takes. */
export const DEAR_COST = 4

/**
 * Units of a computed answer: `BASE_COST`, and the additional part, which is summed and then rounded up to a whole number. From `BASE_COST` to
 * `MAX_COST`. In integers: 350 buckets and 5 addresses are 0.7 + 1 units, which rounds up to 2.
 */
export function requestCost({ buckets = 0, addresses = 0, csv = false }: Load): number {
  const parts = BUCKETS_PER_UNIT * ADDRESSES_PER_UNIT
  const additional = buckets * ADDRESSES_PER_UNIT + addresses * BUCKETS_PER_UNIT + (csv ? CSV_UNITS * parts : 0)
  return Math.min(MAX_COST, BASE_COST + Math.ceil(additional / parts))
}
