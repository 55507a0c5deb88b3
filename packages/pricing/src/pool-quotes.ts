// Rates at which a pool would trade. Protocol packages use them for the pool that they value, and readers of price pools for the stored facts of
// a pool.

import type { ContractId } from '@orrery/ledger'
import type { PoolQuote, PoolRate } from '@orrery/protocol-kit'

/** A pool of two or more tokens that trades at the ratio of its reserves (constant product). */
export function constantProductQuote(contract: ContractId, tokens: readonly ContractId[], reserves: readonly bigint[]): PoolQuote {
  return { contract, tokens, reserves, rate: (of, against) => poolRate(reserves[against] ?? 0n, reserves[of] ?? 0n) }
}

/** Null when one of both is not positive: the pool has no rate then. */
export function poolRate(numerator: bigint, denominator: bigint): PoolRate | null {
  return numerator > 0n && denominator > 0n ? { numerator, denominator } : null
}
