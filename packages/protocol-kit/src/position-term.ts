// How lists of positions value shares: with integers that are the same for all accounts of a pool, so that a database can do it for all of them.

import type { ContractId } from '@orrery/ledger'

/** The value of one part of a position in a pool, by the shares that the read model stores of it. Every division rounds as the contract does. */
export interface PositionTerm {
  /** Contract of the pool, or `fxdao:<currency>`. */
  readonly pool: ContractId
  /** As the table of open positions names the part. */
  readonly side: 'supply' | 'collateral' | 'liability' | 'backstop' | 'lp' | 'stake'
  readonly asset: string
  /** Raw amount = shares · numerator / denominator: of a liability rounded up, else down. */
  readonly numerator: bigint
  readonly denominator: bigint
  /** Effective amount = amount · factorNumerator / factorDenominator, rounded likewise. A numerator of 0: it does not count for health. */
  readonly factorNumerator: bigint
  readonly factorDenominator: bigint
  /** USD at scale 8 = ⌊(amount · usd.numerator + usd.half) / (2 · usd.half)⌋. Null without a price. */
  readonly usd: UsdFraction | null
  /**
   * Of lending the price of the pool's own oracle, for one `unit` of raw amounts, with `decimals`. Of a vault's collateral the feed's rate, of
   * its debt the minimum ratio; both without unit and decimals. Null where there is none.
   */
  readonly own: { readonly price: bigint; readonly unit: bigint; readonly decimals: number } | null
  /** A pair pays nothing where one of its tokens would be paid nothing, and its own shares are no position. */
  readonly isOfPair: boolean
}

/** A price and the decimals of its token as integers. */
export interface UsdFraction {
  readonly numerator: bigint
  readonly half: bigint
}

/** Without factor, own price and rounding up of small amounts. */
export const PLAIN_TERM = {
  numerator: 1n,
  denominator: 1n,
  factorNumerator: 0n,
  factorDenominator: 1n,
  own: null,
  isOfPair: false,
} as const
