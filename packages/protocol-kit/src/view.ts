// Positions and pools that a protocol package computes from state, as domain values.
// The fold and the API call the same functions; a presenter of the API converts the result to snake_case JSON.

import type { Address, ContractId } from '@orrery/ledger'
import type { DecimalText } from './rows.ts'

/** A price and where it came from. */
export interface Price {
  /** USD for one token, at most 18 fractional digits. */
  readonly usd: DecimalText
  /** `oracle:<contract id>`, `pool:<contract id>`, or `request` for a price that the client gave. */
  readonly source: string
  /** Time of the price according to its source, unix seconds. */
  readonly observedAtSeconds: number
}

export interface AssetInfo {
  readonly asset: ContractId
  readonly symbol: string
  /** Null if unknown: amounts of the asset are then in the smallest unit, and the answer is partial. */
  readonly decimals: number | null
  readonly tags: readonly string[]
}

export interface TokenAmount {
  readonly asset: AssetInfo
  /** Raw. */
  readonly amount: bigint
  readonly price: Price | null
  /** Scale 8. Null without price or decimals. */
  readonly usdValue: DecimalText | null
}

/** Average-cost accounting of one balance. `unrealized` needs the value shown beside it, so the presenter computes it. */
export interface CostBasisFact {
  /** Raw units (shares for LP) that the cost belongs to. */
  readonly units: bigint
  /** USD, scale 8. Null if the asset had no price when a part was acquired. */
  readonly costUsd: DecimalText | null
  readonly realizedUsd: DecimalText | null
  /** Growth beyond deposits minus withdrawals, raw; 0 for LP, whose units are shares. */
  readonly interestEarned: bigint
  readonly interestEarnedUsd: DecimalText | null
  readonly openedLedger: number
  readonly confidence: 'exact' | 'inferred'
}

/** How a pool prices a swap. `unknown`: this build has no formulas for the type; its reserves are shown, the payout of shares is not estimated. */
export type LpPoolType = 'constant_product' | 'stable' | 'concentrated' | 'unknown'

/** Rewards of one token that have accrued to an account. */
export interface LpClaimable extends TokenAmount {
  /** What pays it: the pool itself or a gauge of it. */
  readonly source: 'pool' | 'gauge'
  readonly contract: ContractId
  /** Why the contract would refuse a claim now, null if it would pay. The amount stays owed. */
  readonly blocked: 'paused' | 'underfunded' | null
  /** False: an estimate, because the calculation needs entries that the index does not have. */
  readonly exact: boolean
}

/** Liquidity between two ticks of a concentrated pool. */
export interface LpRange {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  /** It earns fees at the pool's current tick. */
  readonly inRange: boolean
  /** Amounts that removing all liquidity would pay, without fees. In the pool's token order. */
  readonly principal: readonly TokenAmount[]
  /** Fees that are owed to the range, paid in addition. */
  readonly fees: readonly TokenAmount[]
  /** False: a tick of the range has not changed since the index began, and `fees` are those of the last change of the range. */
  readonly exact: boolean
  readonly costBasis: CostBasisFact | null
}

/** One account in one liquidity pool. */
export interface LpPosition {
  readonly pool: ContractId
  readonly poolName: string
  readonly poolType: LpPoolType
  /** The LP token: the pair itself, a share token, or the pool if shares are not a token. */
  readonly shareAsset: ContractId
  readonly address: Address
  /** Raw LP shares with `shareDecimals`. Of a concentrated pool: liquidity over all ranges. */
  readonly shares: bigint
  readonly shareDecimals: number
  /** Raw total supply, the locked minimum included. */
  readonly shareSupply: bigint
  /**
   * Percent of the pool, at most 8 fractional digits: 100 · shares / supply. Of a concentrated pool 100 · value / TVL, because liquidity of
   * different ranges cannot be compared; `0` without a price.
   */
  readonly poolSharePct: DecimalText
  /** Payout of all shares, rounded as the contract rounds, fees of ranges included. In the pool's token order; empty if unknown. */
  readonly tokens: readonly TokenAmount[]
  /** Sum of the tokens' values. Null if one has no price or the payout is unknown. */
  readonly netUsd: DecimalText | null
  /** Fractions. */
  readonly feeApr: DecimalText
  readonly feeApy: DecimalText
  /** Yearly rewards at the current rate as a fraction of the position's value. Null if a reward or the position has no price. */
  readonly emissionApy: DecimalText | null
  readonly claimable: readonly LpClaimable[]
  /** Of concentrated pools. */
  readonly ranges: readonly LpRange[]
  /** False: `tokens` may be too low, because fees or transfers to the pool are unknown to the index. */
  readonly exact: boolean
  readonly costBasis: CostBasisFact | null
  /**
   * USD, at the prices of this ledger, of the tokens that were deposited for what the account still has: average amounts, reduced in proportion by
   * withdrawals. Null where units arrived by transfer or before the index, and where a token has no price.
   */
  readonly holdUsd: DecimalText | null
}

/** Rewards that a pool pays in one token, its own and those of gauges together. */
export interface LpEmission {
  readonly asset: AssetInfo
  /** Raw units per second, over all holders. */
  readonly tokensPerSecond: bigint
  /** Yearly rewards of a holder without a boost as a fraction of the value. Null without prices. */
  readonly apy: DecimalText | null
  /** Time at which the last of its current rates ends, unix seconds. */
  readonly endsAtSeconds: number
  readonly price: Price | null
  /** Contracts that pay it: the pool, gauges. */
  readonly sources: readonly ContractId[]
}

/** An end of ranges in a concentrated pool. */
export interface LpTick {
  readonly tick: number
  /** Liquidity of all ranges that begin or end here. */
  readonly liquidityGross: bigint
  /** Change of the pool's liquidity when the price rises over it. */
  readonly liquidityNet: bigint
}

/** The parameters that decide how a pool prices a swap. */
export type LpCurve =
  | { readonly kind: 'constant_product' }
  /** `amplification`: A · n^(n−1) at the ledger, as the contract stores it. */
  | { readonly kind: 'stable'; readonly amplification: bigint }
  | {
      readonly kind: 'concentrated'
      /** √(token1 / token0) in raw units, Q64.96. */
      readonly sqrtPriceX96: bigint
      readonly tick: number
      readonly tickSpacing: number
      /** In range at the tick. */
      readonly liquidity: bigint
      /** In ascending order: those that changed since the index began. */
      readonly ticks: readonly LpTick[]
    }

/** One liquidity pool as a whole. */
export interface LpPool {
  readonly pool: ContractId
  readonly name: string
  readonly poolType: LpPoolType
  readonly shareAsset: ContractId
  readonly shareSupply: bigint
  readonly shareDecimals: number
  /** Stored reserves, in the pool's token order. */
  readonly reserves: readonly TokenAmount[]
  /** The pool's token balances, in the same order. */
  readonly balances: readonly bigint[]
  /** Fraction of a swap's input, e.g. '0.003'. */
  readonly fee: DecimalText
  readonly feeApr: DecimalText
  readonly feeApy: DecimalText
  /** By reward token, without ended ones. */
  readonly emissions: readonly LpEmission[]
  /** Sum of the priced reserves. */
  readonly tvlUsd: DecimalText
  readonly unpricedAssets: number
  readonly status: 'active' | 'paused' | 'retired'
  /** Ledger of the last change of the pool. */
  readonly ledger: number
}
