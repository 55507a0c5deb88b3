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

/** One account in one liquidity pool. */
export interface LpPosition {
  readonly pool: ContractId
  readonly poolName: string
  readonly address: Address
  /** Raw LP shares; their decimals. */
  readonly shares: bigint
  readonly shareDecimals: number
  /** Raw total supply, the locked minimum included. */
  readonly shareSupply: bigint
  /** 100 · shares / supply, percent, at most 8 fractional digits. */
  readonly poolSharePct: DecimalText
  /** What the shares would pay out now, exactly as the contract rounds. In the pool's token order. */
  readonly tokens: readonly TokenAmount[]
  /** Sum of the tokens' shown values. Null when one has no price. */
  readonly netUsd: DecimalText | null
  /** Fractions. */
  readonly feeApr: DecimalText
  readonly feeApy: DecimalText
  readonly costBasis: CostBasisFact | null
}

/** One liquidity pool as a whole. */
export interface LpPool {
  readonly pool: ContractId
  readonly name: string
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
  /** Sum of the priced reserves. */
  readonly tvlUsd: DecimalText
  readonly unpricedAssets: number
  readonly status: 'active' | 'paused' | 'retired'
  /** Ledger of the newest change of the pool. */
  readonly ledger: number
}
