// An account's positions in a pool at one moment, as integers: what snapshots, positions and costs are all made of.

import type { UsdUnits } from '@orrery/fold-kit'
import type { AccountState } from './state.ts'
import type { ValuedPool, ValuedReserve } from './valuation.ts'

/** One asset on one side. */
export interface ValuedBalance {
  readonly reserve: ValuedReserve
  readonly shares: bigint
  /** Underlying as the contract rounds: supply and collateral each floored, debt up. */
  readonly amount: bigint
  readonly usd: UsdUnits | null
  /** Of the supply side: the part that is collateral. 0n of the other. */
  readonly collateralShares: bigint
  readonly collateralAmount: bigint
  readonly collateralUsd: UsdUnits | null
  /** ⌊collateral · cFactor / 1e7⌋, or ⌈debt · 1e7 / lFactor⌉. */
  readonly effectiveAmount: bigint
  readonly effectiveUsd: UsdUnits | null
}

export interface ValuedAccount {
  /** By reserve index; only what has shares. */
  readonly supply: readonly ValuedBalance[]
  readonly borrow: readonly ValuedBalance[]
  /** LP tokens of all backstop shares, queued ones included. */
  readonly backstopLp: bigint
  readonly backstopUsd: UsdUnits | null
  readonly suppliedUsd: UsdUnits | null
  readonly borrowedUsd: UsdUnits | null
  readonly effectiveCollateralUsd: UsdUnits | null
  readonly effectiveLiabilitiesUsd: UsdUnits | null
  readonly unpricedAssets: number
  /** Something is supplied, owed or in the backstop. */
  readonly open: boolean
}

export declare function valueAccount(account: AccountState, pool: ValuedPool): ValuedAccount
