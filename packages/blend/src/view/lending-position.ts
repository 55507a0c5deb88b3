// What an account has in one pool, as the API and snapshots show it, accrued to the close time asked for.
// Raw amounts are bigint; USD (scale 8), prices and rates are decimal text; null: unknown, or there is none.

import type { Address, ContractId } from '@orrery/ledger'
import type { AssetInfo, CostBasisFact, DecimalText, Price, TokenAmount } from '@orrery/protocol-kit'
import type { BlendVersion } from '../chain/values.ts'

/** Shares and what they are worth at the close time asked for, rounded as the contract does. */
export interface AccruedShares {
  /** bTokens or dTokens, raw; they have the decimals of their asset. */
  readonly shares: bigint
  /** Underlying, raw. */
  readonly amount: bigint
  readonly usdValue: DecimalText | null
}

interface Balance extends AccruedShares {
  readonly asset: AssetInfo
  readonly reserveIndex: number
  readonly price: Price | null
  /** Fractions per year of the reserve: interest only. */
  readonly baseApr: DecimalText
  readonly baseApy: DecimalText
  /** BLND on top of it at the current rate, not compounded. '0' without emissions, null where BLND or the asset has no price. */
  readonly emissionApy: DecimalText | null
  /** BLND that a claim of this reserve token would pay now, raw. */
  readonly claimable: bigint
  /**
   * USD price of the asset at which the pool's health factor is 1, all else fixed: downward for collateral, upward for a debt.
   * Null where no price does that, and for plain supply.
   */
  readonly liquidationPrice: DecimalText | null
  readonly costBasis: CostBasisFact | null
}

/** Everything supplied of one asset: `shares`, `amount` and `usdValue` are the sums of both parts. */
export interface SuppliedBalance extends Balance {
  readonly side: 'supply'
  /** Not usable as collateral. */
  readonly plain: AccruedShares
  readonly collateral: AccruedShares
  /** What the collateral counts after the collateral factor, USD scale 8. */
  readonly effectiveUsd: DecimalText | null
  /** Fraction. */
  readonly cFactor: DecimalText
}

export interface OwedBalance extends Balance {
  readonly side: 'borrow'
  /** What the debt counts after the liability factor, USD scale 8. */
  readonly effectiveUsd: DecimalText | null
  /** Fraction: a debt counts amount / lFactor. */
  readonly lFactor: DecimalText
}

export interface QueuedBackstopShares {
  readonly shares: bigint
  /** What the queued shares are worth now, raw. */
  readonly lpTokens: bigint
  readonly usdValue: DecimalText | null
  readonly unlocksAtSeconds: number
}

/** An account's part of the pool's backstop. */
export interface BackstopPosition {
  readonly backstop: ContractId
  /** Shares that are not queued. */
  readonly shares: bigint
  readonly lpTokens: bigint
  readonly lpToken: AssetInfo
  /** USD of one LP token, null where the Comet pool gives no price. */
  readonly lpPrice: Price | null
  readonly usdValue: DecimalText | null
  /** Fraction per year: interest that the pool pays to its backstop, without emissions. Null where something has no price. */
  readonly apr: DecimalText | null
  /** BLND on what is not queued, at the current rate. */
  readonly emissionApy: DecimalText | null
  readonly queued: readonly QueuedBackstopShares[]
  /** Value of everything, queued shares included. */
  readonly totalLpTokens: bigint
  readonly totalUsd: DecimalText | null
  /** BLND that a claim would bring. v2 pays it as LP tokens. */
  readonly claimable: TokenAmount
  readonly costBasis: CostBasisFact | null
}

/** A liquidation that is going on. */
export interface OngoingLiquidation {
  /** Ledger after the one that made it. */
  readonly block: number
  readonly bid: readonly { readonly asset: ContractId; readonly dTokens: bigint }[]
  readonly lot: readonly { readonly asset: ContractId; readonly bTokens: bigint }[]
}

export interface LendingPosition {
  readonly pool: ContractId
  readonly poolName: string
  readonly version: BlendVersion
  readonly address: Address
  /** By asset: what is held, and after it with zero shares what was left while BLND is still to be claimed. */
  readonly supply: readonly SuppliedBalance[]
  readonly borrow: readonly OwedBalance[]
  /** Null without shares, queued shares and claimable rewards. */
  readonly backstop: BackstopPosition | null
  /** Something is supplied, owed or in the backstop. */
  readonly open: boolean
  /** Sums of shown values; null as soon as one part has no price. */
  readonly suppliedUsd: DecimalText | null
  readonly borrowedUsd: DecimalText | null
  /** supplied + everything in the backstop. */
  readonly depositedUsd: DecimalText | null
  /** supplied - borrowed. */
  readonly netUsd: DecimalText | null
  readonly effectiveCollateralUsd: DecimalText | null
  readonly effectiveLiabilitiesUsd: DecimalText | null
  /** Null without debt, and where an asset has no price. As the pool computes it where its own oracle answers for all assets. */
  readonly healthFactor: DecimalText | null
  /** Percent; '0' without debt, null with debt and no collateral value or price. */
  readonly borrowLimitPct: DecimalText | null
  /** effective collateral - effective liabilities, USD. */
  readonly borrowCapUsd: DecimalText | null
  /** (Σ supplied · apy − Σ owed · apy) / net value, interest only; '0' where the net value is not above 0. */
  readonly netApy: DecimalText | null
  /** Balances without a price, LP tokens included. */
  readonly unpricedAssets: number
  /** BLND that claims of all reserve tokens would pay now, also of those that the account holds no more. */
  readonly claimable: TokenAmount
  readonly liquidation: OngoingLiquidation | null
}
