// The position of an account in a pool. For the API; snapshots are made of the same values.

import { type UsdUnits, usdSum, usdText, type ValuedToken } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import type { CostBasisFact, DecimalText, TokenAmount } from '@orrery/protocol-kit'
import { lpTokensOf } from '../math/backstop-math.ts'
import { type CostKey, costBasisOf } from '../math/cost.ts'
import { fraction7, rateText } from '../math/rates.ts'
import { type AccountState, auctionOf, type PoolState } from '../state/state.ts'
import { type ValuedAccount, type ValuedBalance, valueAccount } from './account-value.ts'
import { backstopYield, lpValue } from './backstop-yield.ts'
import { claimableOf, claimableOfBackstop, claimableOfPool, reserveTokenOf } from './claimable.ts'
import { sideEmission } from './emission-yield.ts'
import { borrowLimitPct, healthFactor, liquidationPrice, netApy } from './health.ts'
import type { BackstopPosition, LendingPosition, OngoingLiquidation, OwedBalance, SuppliedBalance } from './lending-position.ts'
import type { ValuedPool } from './valuation.ts'

/** Null when the account never had anything in the pool. */
export function lendingPosition(valued: ValuedPool, address: Address): LendingPosition | null {
  const { pool, at, instance, deployment } = valued
  const account = pool.accounts.get(address)
  if (account === undefined) return null
  const of: Of = { valued, account, address, worth: valueAccount(account, valued) }
  const { worth } = of
  const owed = worth.borrowedUsd === null ? null : -worth.borrowedUsd
  const effectiveOwed = worth.effectiveLiabilitiesUsd === null ? null : -worth.effectiveLiabilitiesUsd
  return {
    pool: pool.pool,
    poolName: instance.name,
    version: deployment.version,
    address,
    supply: [...worth.supply, ...leftWithClaims('supply', of)].map((balance) => suppliedBalance(balance, of)),
    borrow: [...worth.borrow, ...leftWithClaims('borrow', of)].map((balance) => owedBalance(balance, of)),
    backstop: backstopPosition(of),
    open: worth.open,
    suppliedUsd: text(worth.suppliedUsd),
    borrowedUsd: text(worth.borrowedUsd),
    depositedUsd: text(usdSum([worth.suppliedUsd, worth.backstopUsd])),
    netUsd: text(usdSum([worth.suppliedUsd, owed])),
    effectiveCollateralUsd: text(worth.effectiveCollateralUsd),
    effectiveLiabilitiesUsd: text(worth.effectiveLiabilitiesUsd),
    healthFactor: healthFactor(worth, valued),
    borrowLimitPct: borrowLimitPct(worth),
    borrowCapUsd: text(usdSum([worth.effectiveCollateralUsd, effectiveOwed])),
    netApy: netApy(worth),
    unpricedAssets: worth.unpricedAssets,
    claimable: tokenAmount(claimableOfPool(pool, address, at), valued.blnd),
    liquidation: ongoingLiquidation(pool, address, at),
  }
}

interface Of {
  readonly valued: ValuedPool
  readonly account: AccountState
  readonly address: Address
  readonly worth: ValuedAccount
}

/** Empty balances: the account left the reserve, and its emissions are still to be claimed. */
function leftWithClaims(side: 'supply' | 'borrow', { valued, worth, account, address }: Of): ValuedBalance[] {
  const held = new Set(worth[side].map(({ reserve }) => reserve.index))
  const left = [...(account.emissions?.keys() ?? [])]
    .filter((tokenId) => reserveTokenOf(valued.pool, tokenId).side === side && !held.has(tokenId >> 1))
    .sort((a, b) => a - b)
  return left.flatMap((tokenId) => {
    const reserve = valued.reserves[tokenId >> 1]
    return reserve === undefined || claimableOf(valued.pool, address, tokenId, valued.at) === 0n ? [] : [{ reserve, ...NOTHING }]
  })
}

const NOTHING = {
  shares: 0n,
  amount: 0n,
  usd: 0n,
  collateralShares: 0n,
  collateralAmount: 0n,
  collateralUsd: 0n,
  effectiveAmount: 0n,
  effectiveUsd: 0n,
} as const satisfies Omit<ValuedBalance, 'reserve'>

function suppliedBalance(balance: ValuedBalance, of: Of): SuppliedBalance {
  const { reserve, shares, amount, usd, collateralShares, collateralAmount, collateralUsd } = balance
  const plainAmount = amount - collateralAmount
  return {
    side: 'supply',
    ...common(balance, 'supply', of),
    baseApr: fraction7(reserve.supplyApr),
    baseApy: rateText(reserve.supplyApy),
    plain: { shares: shares - collateralShares, amount: plainAmount, usdValue: text(reserve.token.value(plainAmount)) },
    collateral: { shares: collateralShares, amount: collateralAmount, usdValue: text(collateralUsd) },
    usdValue: text(usd),
    cFactor: fraction7(reserve.config.cFactor),
  }
}

function owedBalance(balance: ValuedBalance, of: Of): OwedBalance {
  const { reserve } = balance
  return {
    side: 'borrow',
    ...common(balance, 'borrow', of),
    baseApr: fraction7(reserve.borrowApr),
    baseApy: rateText(reserve.borrowApy),
    usdValue: text(balance.usd),
    lFactor: fraction7(reserve.config.lFactor),
  }
}

/** Members that both sides have. */
function common(balance: ValuedBalance, side: 'supply' | 'borrow', of: Of) {
  const { reserve, shares, amount, effectiveUsd } = balance
  const { valued, address, worth } = of
  const tokenId = reserve.index * 2 + (side === 'supply' ? 1 : 0)
  const emission = sideEmission(reserve, side, valued)
  return {
    asset: reserve.token.info,
    reserveIndex: reserve.index,
    price: reserve.token.price,
    shares,
    amount,
    effectiveUsd: text(effectiveUsd),
    emissionApy: emission === null ? '0' : emission.apy,
    claimable: claimableOf(valued.pool, address, tokenId, valued.at),
    liquidationPrice: liquidationPrice(balance, side, worth),
    costBasis: costBasis(`${side}:${reserve.asset}`, amount, reserve.token, of),
  }
}

function backstopPosition(of: Of): BackstopPosition | null {
  const { valued, account, address, worth } = of
  const { pool, at, deployment, lp } = valued
  const claimable = claimableOfBackstop(pool, address, at)
  const user = account.backstop?.value
  const balance = pool.backstop.balance?.value
  if (lp === null || balance === undefined || (worth.backstopShares === 0n && claimable === 0n)) return null
  const lpTokens = lpTokensOf(user?.shares ?? 0n, balance)
  const { apr, emissionApy } = backstopYield(valued)
  return {
    backstop: deployment.backstop,
    shares: user?.shares ?? 0n,
    lpTokens,
    lpToken: lp.token.info,
    lpPrice: lp.token.price,
    usdValue: text(lpValue(lpTokens, valued)),
    apr,
    emissionApy,
    queued: (user?.queue ?? []).map(({ shares, unlocksAt }) => {
      const queuedTokens = lpTokensOf(shares, balance)
      const usdValue = text(lpValue(queuedTokens, valued))
      return { shares, lpTokens: queuedTokens, usdValue, unlocksAtSeconds: Number(unlocksAt) }
    }),
    totalLpTokens: worth.backstopLp,
    totalUsd: text(worth.backstopUsd),
    claimable: tokenAmount(claimable, valued.blnd),
    costBasis: costBasis('backstop', worth.backstopLp, lp.token, of),
  }
}

function costBasis(key: CostKey, units: bigint, token: ValuedToken, { account }: Of): CostBasisFact | null {
  const cost = account.costs?.get(key)
  return cost === undefined ? null : costBasisOf(cost, key, units, token)
}

function ongoingLiquidation(pool: PoolState, user: Address, at: At): OngoingLiquidation | null {
  const auction = auctionOf(pool, user, 0, at.ledger)
  if (auction === null) return null
  return {
    block: auction.block,
    bid: [...auction.bid].map(([asset, dTokens]) => ({ asset, dTokens })),
    lot: [...auction.lot].map(([asset, bTokens]) => ({ asset, bTokens })),
  }
}

function tokenAmount(amount: bigint, token: ValuedToken): TokenAmount {
  return { asset: token.info, amount, price: token.price, usdValue: text(token.value(amount)) }
}

function text(value: UsdUnits | null): DecimalText | null {
  return value === null ? null : usdText(value)
}
