// A pool as a source of prices: what it holds and the rate at which it would trade. A protocol whose pools can serve as price pools declares how
// they are read; `@orrery/pricing` remembers the facts and asks for quotes.

import type { ContractId, EntryRecord } from '@orrery/ledger'

/** A moment: the end of a ledger. */
export interface At {
  readonly ledger: number
  /** Close time of the ledger, unix seconds. */
  readonly closeTimeSeconds: number
}

/** Decimals of a token, null when they are unknown. */
export type DecimalsOf = (asset: ContractId) => number | null

/** `numerator / denominator` raw units of one token for one raw unit of another. Both positive. */
export interface PoolRate {
  readonly numerator: bigint
  readonly denominator: bigint
}

export interface PoolQuote {
  readonly contract: ContractId
  readonly tokens: readonly ContractId[]
  /** Raw, in the order of `tokens`. */
  readonly reserves: readonly bigint[]
  /** What one raw unit of `tokens[of]` is worth in raw units of `tokens[against]`, or null when the pool has no rate. */
  rate(of: number, against: number, decimalsOf: DecimalsOf): PoolRate | null
}

/** Facts of a pool: JSON with integers as decimal strings. Stored under the pool's contract with the key `price_pool`. */
export type PricePoolFacts = Readonly<Record<string, unknown>>

/** Reads the pools of one protocol as price pools. A change of it changes rows of every protocol: raise their versions. */
export interface PricePoolReader {
  /** The facts after this entry of the pool, or `before` itself if the entry does not change them. */
  read(entry: EntryRecord, before: PricePoolFacts | null): PricePoolFacts | null
  /** The pool's rates at a moment; some change with time. */
  quote(pool: ContractId, facts: PricePoolFacts, at: At): PoolQuote | null
}
