// What a protocol package computes from state for a reader: positions and reserves, still as numbers of the domain.
// The fold and the API call the same functions; a presenter turns the result into the wire's snake_case.

import type { Address, ContractId } from '@orrery/ledger'
import type { DecimalText } from './rows.ts'

/** A price and where it came from. */
export interface Price {
  /** USD for one whole unit of the asset, at most 18 fractional digits. */
  readonly usd: DecimalText
  /** `oracle:<contract id>` or `pool:<contract id>`. */
  readonly source: string
  /** When the source says it was true, unix seconds. */
  readonly observedAtSeconds: number
}

export interface AssetInfo {
  readonly asset: ContractId
  readonly symbol: string
  /** Null when nobody told: amounts of it stay raw, and the answer is partial. */
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
  /** Raw units (shares for LP) that the cost stands for. */
  readonly units: bigint
  /** USD, scale 8. Null when a part was bought without a price. */
  readonly costUsd: DecimalText | null
  readonly realizedUsd: DecimalText | null
  /** Raw units grown beyond deposits less withdrawals; 0 for LP, whose units are shares. */
  readonly interestEarned: bigint
  readonly interestEarnedUsd: DecimalText | null
  readonly openedLedger: number
  readonly confidence: 'exact' | 'inferred'
}

/** How a pool prices a swap. `unknown`: a kind that this build has no formulas for; what it holds is shown, what shares pay is not guessed. */
export type LpPoolType = 'constant_product' | 'stable' | 'concentrated' | 'unknown'

/** Rewards of one token that have accrued to an account. */
export interface LpClaimable extends TokenAmount {
  /** Whose claim pays it: the pool itself or a gauge of it. */
  readonly source: 'pool' | 'gauge'
  readonly contract: ContractId
  /** Why a claim is refused at this moment, null when it pays. The amount stays owed. */
  readonly blocked: 'paused' | 'underfunded' | null
  /** False: accrued by rules that need entries the index does not have, and close to the truth at best. */
  readonly exact: boolean
}

/** Liquidity between two ticks of a concentrated pool. */
export interface LpRange {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  /** It earns fees at the pool's current tick. */
  readonly inRange: boolean
  /** What removing all of it pays without fees. In the pool's token order. */
  readonly principal: readonly TokenAmount[]
  /** Fees that are owed to it and paid on top. */
  readonly fees: readonly TokenAmount[]
  /** False: an end of it was not seen yet, and `fees` are those of its last touch. */
  readonly exact: boolean
  readonly costBasis: CostBasisFact | null
}

/** One account in one liquidity pool. */
export interface LpPosition {
  readonly pool: ContractId
  readonly poolName: string
  readonly poolType: LpPoolType
  /** The LP token: the pair itself, a share token, or the pool where shares are no token. */
  readonly shareAsset: ContractId
  readonly address: Address
  /** Raw LP shares; their decimals. Of a concentrated pool: liquidity over all ranges. */
  readonly shares: bigint
  readonly shareDecimals: number
  /** Raw total supply, the locked minimum included. */
  readonly shareSupply: bigint
  /**
   * Percent of the pool, at most 8 fractional digits: 100 · shares / supply. Liquidity of different ranges does not compare: of a
   * concentrated pool 100 · value / TVL, `0` where that has no price.
   */
  readonly poolSharePct: DecimalText
  /** What the shares would pay out now, exactly as the contract rounds, fees of ranges included. In the pool's token order; empty when unknown. */
  readonly tokens: readonly TokenAmount[]
  /** Sum of the tokens' shown values. Null when one has no price or the payout is unknown. */
  readonly netUsd: DecimalText | null
  /** Fractions. */
  readonly feeApr: DecimalText
  readonly feeApy: DecimalText
  /** Rewards at their current rate over the position's value, a simple fraction. Null when a reward or the position has no price. */
  readonly emissionApy: DecimalText | null
  readonly claimable: readonly LpClaimable[]
  /** Of concentrated pools. */
  readonly ranges: readonly LpRange[]
  /** False: `tokens` may be too little, by fees or gifts that the index cannot tell. */
  readonly exact: boolean
  readonly costBasis: CostBasisFact | null
}

/** Rewards that a pool pays in one token, its own and those of gauges together. */
export interface LpEmission {
  readonly asset: AssetInfo
  /** Raw units a second, over all holders. */
  readonly tokensPerSecond: bigint
  /** Simple fraction that a holder without a boost earns. Null without prices. */
  readonly apy: DecimalText | null
  /** When the last of its present rates ends, unix seconds. */
  readonly endsAtSeconds: number
  readonly price: Price | null
  /** Contracts that pay it: the pool, gauges. */
  readonly sources: readonly ContractId[]
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
  /** What the pool really holds, in the same order. */
  readonly balances: readonly bigint[]
  /** Fraction of a swap's input, e.g. '0.003'. */
  readonly fee: DecimalText
  readonly feeApr: DecimalText
  readonly feeApy: DecimalText
  /** By reward token; ended ones are left out. */
  readonly emissions: readonly LpEmission[]
  /** Sum of the priced reserves. */
  readonly tvlUsd: DecimalText
  readonly unpricedAssets: number
  readonly status: 'active' | 'paused' | 'retired'
  /** Ledger of the newest change of the pool. */
  readonly ledger: number
}
