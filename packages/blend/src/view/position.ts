// What an account has in one pool, as the API shows it, accrued to the close time asked for. Snapshots are made of the same values.
// Raw amounts are bigint; USD (scale 8), prices and rates are decimal text; null: unknown, or there is none.

import { tokenAmount, usdSum, type ValuedToken } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import type { CostBasisFact } from '@orrery/protocol-kit'
import { lpTokensOf } from '../math/backstop-math.ts'
import { type CostKey, costBasisOf } from '../math/cost.ts'
import { fraction7, rateText } from '../math/rates.ts'
import { type AccountState, auctionOf, type PoolState } from '../state/state.ts'
import { type ValuedAccount, type ValuedBalance, valueAccount } from './account-value.ts'
import { backstopYield, lpValue } from './backstop-yield.ts'
import { claimableOf, claimableOfBackstop, claimableOfPool, reserveTokenOf } from './claimable.ts'
import { sideEmission } from './emission-yield.ts'
import { borrowLimitPct, healthFactor, liquidationPrice, netApy } from './health.ts'
import { usdOrNull, type ValuedPool } from './valuation.ts'

/** An account's supply, debt and backstop shares in one pool. */
export type LendingPosition = Readonly<NonNullable<ReturnType<typeof lendingPosition>>>

/** The position at the close time of `valued`. Null when the account never had anything in the pool. */
export function lendingPosition(valued: ValuedPool, address: Address) {
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
    /** By asset: what is held, and after it with zero shares what was left while BLND is still to be claimed. */
    supply: [...worth.supply, ...leftWithClaims('supply', of)].map((balance) => suppliedBalance(balance, of)),
    borrow: [...worth.borrow, ...leftWithClaims('borrow', of)].map((balance) => owedBalance(balance, of)),
    /** Null without shares, queued shares and claimable rewards. */
    backstop: backstopPosition(of),
    /** Something is supplied, owed or in the backstop. */
    open: worth.open,
    /** Sums of shown values; null as soon as one part has no price. */
    suppliedUsd: usdOrNull(worth.suppliedUsd),
    borrowedUsd: usdOrNull(worth.borrowedUsd),
    /** supplied + everything in the backstop. */
    depositedUsd: usdOrNull(usdSum([worth.suppliedUsd, worth.backstopUsd])),
    /** supplied - borrowed. */
    netUsd: usdOrNull(usdSum([worth.suppliedUsd, owed])),
    effectiveCollateralUsd: usdOrNull(worth.effectiveCollateralUsd),
    effectiveLiabilitiesUsd: usdOrNull(worth.effectiveLiabilitiesUsd),
    /** Null without debt, and where an asset has no price. As the pool computes it where its own oracle answers for all assets. */
    healthFactor: healthFactor(worth, valued),
    /** Percent; '0' without debt, null with debt and no collateral value or price. */
    borrowLimitPct: borrowLimitPct(worth),
    /** effective collateral - effective liabilities, USD. */
    borrowCapUsd: usdOrNull(usdSum([worth.effectiveCollateralUsd, effectiveOwed])),
    /** (Σ supplied · apy − Σ owed · apy) / net value, interest only; '0' where the net value is not above 0. */
    netApy: netApy(worth),
    /** Balances without a price, LP tokens included. */
    unpricedAssets: worth.unpricedAssets,
    /** BLND that claims of all reserve tokens would pay now, also of those that the account holds no more. */
    claimable: tokenAmount(valued.blnd, claimableOfPool(pool, address, at)),
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

export type SuppliedBalance = Readonly<ReturnType<typeof suppliedBalance>>

/** Everything supplied of one asset: `shares`, `amount` and `usdValue` are the sums of both parts. */
function suppliedBalance(balance: ValuedBalance, of: Of) {
  const { reserve, shares, amount, usd, collateralShares, collateralAmount, collateralUsd } = balance
  const plainAmount = amount - collateralAmount
  return {
    side: 'supply' as const,
    ...common(balance, 'supply', of),
    /** Fractions per year of the reserve: interest only. */
    baseApr: fraction7(reserve.supplyApr),
    baseApy: rateText(reserve.supplyApy),
    /** Not usable as collateral. */
    plain: { shares: shares - collateralShares, amount: plainAmount, usdValue: usdOrNull(reserve.token.value(plainAmount)) },
    collateral: { shares: collateralShares, amount: collateralAmount, usdValue: usdOrNull(collateralUsd) },
    usdValue: usdOrNull(usd),
    /** Fraction. */
    cFactor: fraction7(reserve.config.cFactor),
  }
}

export type OwedBalance = Readonly<ReturnType<typeof owedBalance>>

function owedBalance(balance: ValuedBalance, of: Of) {
  const { reserve } = balance
  return {
    side: 'borrow' as const,
    ...common(balance, 'borrow', of),
    /** Fractions per year of the reserve: interest only. */
    baseApr: fraction7(reserve.borrowApr),
    baseApy: rateText(reserve.borrowApy),
    usdValue: usdOrNull(balance.usd),
    /** Fraction: a debt counts amount / lFactor. */
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
    /** bTokens or dTokens, raw; they have the decimals of their asset. */
    shares,
    /** Underlying, raw, rounded as the contract does. */
    amount,
    /** What the collateral counts after the collateral factor, or the debt after the liability factor, USD scale 8. */
    effectiveUsd: usdOrNull(effectiveUsd),
    /** BLND on top of it at the current rate, not compounded. '0' without emissions, null where BLND or the asset has no price. */
    emissionApy: emission === null ? '0' : emission.apy,
    /** BLND that a claim of this reserve token would pay now, raw. */
    claimable: claimableOf(valued.pool, address, tokenId, valued.at),
    /**
     * USD price of the asset at which the pool's health factor is 1, all else fixed. Null where no price does that, and where nothing of
     * the balance counts, such as plain supply.
     */
    liquidationPrice: liquidationPrice(balance, worth),
    costBasis: costBasis(`${side}:${reserve.asset}`, amount, reserve.token, of),
  }
}

export type BackstopPosition = Readonly<NonNullable<ReturnType<typeof backstopPosition>>>

/** An account's part of the pool's backstop. Null without shares, queued shares and claimable rewards. */
function backstopPosition(of: Of) {
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
    /** Shares that are not queued. */
    shares: user?.shares ?? 0n,
    lpTokens,
    lpToken: lp.token.info,
    /** USD of one LP token, null where the Comet pool gives no price. */
    lpPrice: lp.token.price,
    usdValue: usdOrNull(lpValue(lpTokens, valued)),
    /** Fraction per year: interest that the pool pays to its backstop, without emissions. Null where something has no price. */
    apr,
    /** BLND on what is not queued, at the current rate. */
    emissionApy,
    /** Each with what its shares are worth now. */
    queued: (user?.queue ?? []).map(({ shares, unlocksAt }) => {
      const queuedTokens = lpTokensOf(shares, balance)
      const usdValue = usdOrNull(lpValue(queuedTokens, valued))
      return { shares, lpTokens: queuedTokens, usdValue, unlocksAtSeconds: Number(unlocksAt) }
    }),
    /** Value of everything, queued shares included. */
    totalLpTokens: worth.backstopLp,
    totalUsd: usdOrNull(worth.backstopUsd),
    /** BLND that a claim would bring. v2 pays it as LP tokens. */
    claimable: tokenAmount(valued.blnd, claimable),
    costBasis: costBasis('backstop', worth.backstopLp, lp.token, of),
  }
}

function costBasis(key: CostKey, units: bigint, token: ValuedToken, { account }: Of): CostBasisFact | null {
  const cost = account.costs?.get(key)
  return cost === undefined ? null : costBasisOf(cost, key, units, token)
}

/** A liquidation that is going on. */
function ongoingLiquidation(pool: PoolState, user: Address, at: At) {
  const auction = auctionOf(pool, user, 0, at.ledger)
  if (auction === null) return null
  return {
    /** Ledger after the one that made it. */
    block: auction.block,
    bid: [...auction.bid].map(([asset, dTokens]) => ({ asset, dTokens })),
    lot: [...auction.lot].map(([asset, bTokens]) => ({ asset, bTokens })),
  }
}
