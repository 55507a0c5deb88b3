// A pool, its reserves and its backstop as the API shows them, accrued to the close time asked for. Snapshots are made of the same values.
// Raw amounts are bigint; USD (scale 8), prices and rates are decimal text; null: unknown.

import { usdText } from '@orrery/fold-kit'
import { scaledText } from '@orrery/pricing'
import { mulDivFloor } from '@orrery/protocol-kit'
import { NO_BACKSTOP_BALANCE } from '../chain/values.ts'
import { queuedPart } from '../math/backstop-math.ts'
import { fraction7, rateText } from '../math/rates.ts'
import { SCALE_7, scaleOf } from '../math/scale.ts'
import type { BlendState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { backstopYield, lpValue } from './backstop-yield.ts'
import { sideEmission, tokensPerSecond } from './emission-yield.ts'
import type { Valuer } from './lp-value.ts'
import { usdOrNull, type ValuedPool, type ValuedReserve, valueToken } from './valuation.ts'

export type PoolStatus = 'active' | 'on_ice' | 'frozen' | 'setup'

/** The contract's status: even numbers are set by the admin, odd ones by any account. Source: pool/src/pool/status.rs. */
export function poolStatus(code: number): PoolStatus {
  if (code <= 1) return 'active'
  if (code <= 3) return 'on_ice'
  return code <= 5 ? 'frozen' : 'setup'
}

export type LendingPool = Readonly<ReturnType<typeof lendingPool>>

/** The pool with its reserves and its backstop at the close time of `valued`. */
export function lendingPool(state: BlendState, valued: ValuedPool, valuer: Valuer) {
  const { pool, instance, deployment, oracleDecimals } = valued
  return {
    pool: pool.pool,
    name: instance.name,
    version: deployment.version,
    status: poolStatus(instance.status),
    /** The contract's own number, 0 to 6. */
    statusCode: instance.status,
    admin: instance.admin,
    oracle: instance.oracle,
    /** False: an oracle that cannot be read from storage, so its assets have prices of others or none. */
    oracleReadable: oracleDecimals !== null,
    /** Fraction of interest. */
    backstopTakeRate: fraction7(instance.backstopTakeRate),
    maxPositions: instance.maxPositions,
    /** In the oracle's base, whole units. Null in v1 and where the oracle's decimals are not known. */
    minCollateral: instance.minCollateral === null || oracleDecimals === null ? null : scaledText(instance.minCollateral, oracleDecimals),
    /** In the order of their index. */
    reserves: valued.reserves.flatMap((reserve) => (reserve === undefined ? [] : [lendingReserve(reserve, valued)])),
    backstop: lendingBackstop(state, valued, valuer),
    /** Sums of the priced parts. */
    suppliedUsd: usdText(valued.suppliedUsd),
    borrowedUsd: usdText(valued.borrowedUsd),
    /** supplied - borrowed. */
    tvlUsd: usdText(valued.suppliedUsd - valued.borrowedUsd),
    /** Reserves with something in them and without a price. */
    unpricedAssets: valued.unpricedAssets,
    /** Ledger of the newest change of the pool. */
    ledger: pool.changedLedger,
  }
}

export type LendingReserve = Readonly<ReturnType<typeof lendingReserve>>

function lendingReserve(reserve: ValuedReserve, valued: ValuedPool) {
  const { pool, deployment, at } = valued
  const { config, data, token, supplied, borrowed, state } = reserve
  const { rateDecimals, modifierDecimals } = scaleOf(deployment.version)
  const queued = state.queued
  const isQueued = queued !== null && (queued.liveUntil === 0 || queued.liveUntil >= at.ledger)
  return {
    pool: pool.pool,
    asset: token.info,
    index: reserve.index,
    /** False: the pool refuses supply and borrow of it. v1 has no such switch. */
    enabled: config.enabled ?? true,
    price: token.price,
    /** Rates with all digits of the contract's scale: 9 in v1, 12 in v2. */
    bRate: scaledText(data.bRate, rateDecimals),
    dRate: scaledText(data.dRate, rateDecimals),
    bSupply: data.bSupply,
    dSupply: data.dSupply,
    /** Underlying, raw. */
    supplied,
    borrowed,
    backstopCredit: data.backstopCredit,
    /** What the pool holds of the asset, null where its balance is not known. */
    cash: pool.balances.get(reserve.asset)?.value ?? null,
    suppliedUsd: usdOrNull(token.value(supplied)),
    borrowedUsd: usdOrNull(token.value(borrowed)),
    /** Fractions. */
    cFactor: fraction7(config.cFactor),
    lFactor: fraction7(config.lFactor),
    utilization: fraction7(reserve.utilization),
    targetUtilization: fraction7(config.util),
    maxUtilization: fraction7(config.maxUtil),
    rateModifier: scaledText(data.rateModifier, modifierDecimals),
    curve: {
      base: fraction7(config.rBase),
      one: fraction7(config.rOne),
      two: fraction7(config.rTwo),
      three: fraction7(config.rThree),
      reactivity: fraction7(config.reactivity),
    },
    supplyApr: fraction7(reserve.supplyApr),
    supplyApy: rateText(reserve.supplyApy),
    borrowApr: fraction7(reserve.borrowApr),
    borrowApy: rateText(reserve.borrowApy),
    /** Underlying, raw: null where there is none (v1). */
    supplyCap: config.supplyCap,
    /** max_util · supplied, raw, floored. */
    borrowCap: mulDivFloor(supplied, config.maxUtil, SCALE_7),
    supplyEmission: sideEmission(reserve, 'supply', valued),
    borrowEmission: sideEmission(reserve, 'borrow', valued),
    /** A config that is not active before its unlock time. */
    queuedConfigUnlocksAtSeconds: isQueued ? Number(queued.value.unlockTime) : null,
    /** Ledger of the newest row of the reserve's pool. */
    ledger: pool.changedLedger,
  }
}

export type LendingBackstop = Readonly<ReturnType<typeof lendingBackstop>>

/** The backstop of one pool. */
function lendingBackstop(state: BlendState, valued: ValuedPool, valuer: Valuer) {
  const { pool, deployment, lp, at } = valued
  const balance = pool.backstop.balance?.value ?? NO_BACKSTOP_BALANCE
  const { apr, emissionApy, eps, expiresAtSeconds } = backstopYield(valued)
  const zone = state.backstops.get(deployment.backstop)?.rewardZone?.value ?? []
  return {
    pool: pool.pool,
    backstop: deployment.backstop,
    /** Queued ones included. */
    shares: balance.shares,
    queuedShares: balance.queuedShares,
    /** 100 · ⌈queued · 1e7 / shares⌉ / 1e7. */
    queuedPct: scaledText(queuedPart(balance) * 100n, 7),
    lpTokens: balance.tokens,
    lpToken: assetInfo(state, deployment.backstopToken, valuer.network),
    lpPrice: lp?.token.price ?? null,
    /** What the LP tokens stand for, raw. Null while the Comet pool is not known. */
    blndAmount: lp === null ? null : mulDivFloor(balance.tokens, lp.blndPerLp, SCALE_7),
    usdcAmount: lp === null ? null : mulDivFloor(balance.tokens, lp.usdcPerLp, SCALE_7),
    blnd: valued.blnd.info,
    usdc: valueToken(state, deployment.usdc, at, valuer).info,
    usdValue: usdOrNull(lpValue(balance.tokens, valued)),
    /** Fractions per year: interest, and BLND on what is not queued at the current rate. */
    apr,
    emissionApy,
    inRewardZone: zone.includes(pool.pool),
    /** BLND per second to its depositors, whole units. */
    tokensPerSecond: tokensPerSecond(eps, valued),
    emissionsExpireAtSeconds: expiresAtSeconds,
    ledger: pool.changedLedger,
  }
}
