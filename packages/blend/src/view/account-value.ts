// An account's positions in a pool at one moment, as integers: what snapshots, positions and costs are all made of.

import type { UsdUnits } from '@orrery/fold-kit'
import { mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import { NO_POSITIONS, type Positions } from '../chain/values.ts'
import { debtOf, underlyingOf } from '../math/accrual.ts'
import { lpTokensOf } from '../math/backstop-math.ts'
import { SCALE_7 } from '../math/scale.ts'
import { type AccountState, allShares } from '../state/state.ts'
import type { ValuedPool, ValuedReserve } from './valuation.ts'

/** One asset on one side. */
export interface ValuedBalance {
  readonly reserve: ValuedReserve
  readonly shares: bigint
  /** Underlying as the contract rounds: plain supply and collateral each floored, debt up. */
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
  readonly backstopShares: bigint
  readonly backstopLp: bigint
  readonly backstopUsd: UsdUnits | null
  /** Null as soon as a part has no price. */
  readonly suppliedUsd: UsdUnits | null
  readonly borrowedUsd: UsdUnits | null
  readonly effectiveCollateralUsd: UsdUnits | null
  readonly effectiveLiabilitiesUsd: UsdUnits | null
  /** Balances without a price, LP tokens included. */
  readonly unpricedAssets: number
  /** Something is supplied, owed or in the backstop. */
  readonly open: boolean
}

export function valueAccount(account: AccountState, pool: ValuedPool): ValuedAccount {
  const positions = account.positions?.value ?? NO_POSITIONS
  const supply = suppliedOf(positions, pool)
  const borrow = owedOf(positions, pool)
  const backstopShares = account.backstop === null ? 0n : allShares(account.backstop.value)
  const balance = pool.pool.backstop.balance?.value
  const backstopLp = balance === undefined || backstopShares === 0n ? 0n : lpTokensOf(backstopShares, balance)
  const backstopUsd = backstopLp === 0n ? 0n : (pool.lp?.token.value(backstopLp) ?? null)
  const supplied = sumsOf(supply)
  const owed = sumsOf(borrow)
  return {
    supply,
    borrow,
    backstopShares,
    backstopLp,
    backstopUsd,
    suppliedUsd: supplied.usd,
    borrowedUsd: owed.usd,
    effectiveCollateralUsd: supplied.effectiveUsd,
    effectiveLiabilitiesUsd: owed.effectiveUsd,
    unpricedAssets: supplied.unpriced + owed.unpriced + (backstopUsd === null ? 1 : 0),
    open: supply.length > 0 || borrow.length > 0 || backstopShares > 0n,
  }
}

/** One pass: thousands of positions are summed at the first ledger of every hour. */
function sumsOf(balances: readonly ValuedBalance[]): {
  readonly usd: UsdUnits | null
  readonly effectiveUsd: UsdUnits | null
  readonly unpriced: number
} {
  let usd: UsdUnits | null = 0n
  let effectiveUsd: UsdUnits | null = 0n
  let unpriced = 0
  for (const balance of balances) {
    usd = usd === null || balance.usd === null ? null : usd + balance.usd
    effectiveUsd = effectiveUsd === null || balance.effectiveUsd === null ? null : effectiveUsd + balance.effectiveUsd
    if (balance.usd === null) unpriced++
  }
  return { usd, effectiveUsd, unpriced }
}

function effectiveCollateral(amount: bigint, { config }: ValuedReserve): bigint {
  return amount === 0n ? 0n : mulDivFloor(amount, config.cFactor, SCALE_7)
}

function effectiveDebt(amount: bigint, { config }: ValuedReserve): bigint {
  return config.lFactor === 0n ? 0n : mulDivCeil(amount, SCALE_7, config.lFactor)
}

/** What a health factor is made of. */
export type EffectiveBalance = Pick<ValuedBalance, 'reserve' | 'effectiveAmount'>

/** The effective amounts of `valueAccount` alone. */
export function effectiveBalances(
  { collateral, liabilities }: Positions,
  { reserves, deployment: { version } }: ValuedPool,
): { readonly supply: readonly EffectiveBalance[]; readonly borrow: readonly EffectiveBalance[] } {
  const supply: EffectiveBalance[] = []
  const borrow: EffectiveBalance[] = []
  for (const [index, shares] of collateral) {
    const reserve = reserves[index]
    if (reserve === undefined || shares === 0n) continue
    supply.push({ reserve, effectiveAmount: effectiveCollateral(underlyingOf(shares, reserve.data, version), reserve) })
  }
  for (const [index, shares] of liabilities) {
    const reserve = reserves[index]
    if (reserve === undefined || shares === 0n) continue
    borrow.push({ reserve, effectiveAmount: effectiveDebt(debtOf(shares, reserve.data, version), reserve) })
  }
  return { supply, borrow }
}

function suppliedOf({ supply, collateral }: Positions, pool: ValuedPool): ValuedBalance[] {
  const balances: ValuedBalance[] = []
  if (supply.size === 0 && collateral.size === 0) return balances
  const { version } = pool.deployment
  for (const reserve of pool.reserves) {
    if (reserve === undefined) continue
    const plainShares = supply.get(reserve.index) ?? 0n
    const collateralShares = collateral.get(reserve.index) ?? 0n
    if (plainShares + collateralShares === 0n) continue
    // Most have one part only.
    const plain = plainShares === 0n ? 0n : underlyingOf(plainShares, reserve.data, version)
    const collateralAmount = collateralShares === 0n ? 0n : underlyingOf(collateralShares, reserve.data, version)
    const effectiveAmount = effectiveCollateral(collateralAmount, reserve)
    const { value } = reserve.token
    const plainUsd = value(plain)
    const collateralUsd = value(collateralAmount)
    balances.push({
      reserve,
      shares: plainShares + collateralShares,
      amount: plain + collateralAmount,
      // The sum of what is shown of both parts.
      usd: plainUsd === null || collateralUsd === null ? null : plainUsd + collateralUsd,
      collateralShares,
      collateralAmount,
      collateralUsd,
      effectiveAmount,
      effectiveUsd: value(effectiveAmount),
    })
  }
  return balances
}

function owedOf({ liabilities }: Positions, pool: ValuedPool): ValuedBalance[] {
  const balances: ValuedBalance[] = []
  if (liabilities.size === 0) return balances
  const { version } = pool.deployment
  for (const reserve of pool.reserves) {
    const shares = reserve === undefined ? 0n : (liabilities.get(reserve.index) ?? 0n)
    if (reserve === undefined || shares === 0n) continue
    const amount = debtOf(shares, reserve.data, version)
    const effectiveAmount = effectiveDebt(amount, reserve)
    const { value } = reserve.token
    balances.push({
      reserve,
      shares,
      amount,
      usd: value(amount),
      collateralShares: 0n,
      collateralAmount: 0n,
      collateralUsd: 0n,
      effectiveAmount,
      effectiveUsd: value(effectiveAmount),
    })
  }
  return balances
}
