// A pool as a whole: its reserves, its backstop, its value. For the API; snapshots are made of the same values.

import { type UsdUnits, usdText } from '@orrery/fold-kit'
import { scaledText } from '@orrery/pricing'
import { type DecimalText, mulDivFloor } from '@orrery/protocol-kit'
import { NO_BACKSTOP_BALANCE } from '../chain/values.ts'
import { queuedPart } from '../math/backstop-math.ts'
import { fraction7, rateText } from '../math/rates.ts'
import { SCALE_7, scaleOf } from '../math/scale.ts'
import type { BlendState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { backstopYield, lpValue } from './backstop-yield.ts'
import { sideEmission, tokensPerSecond } from './emission-yield.ts'
import type { LendingBackstop, LendingPool, LendingReserve, PoolStatus } from './lending-pool.ts'
import type { Valuer } from './lp-value.ts'
import { type ValuedPool, type ValuedReserve, valueToken } from './valuation.ts'

/** The contract's status: even numbers are set by the admin, odd ones by any account. Source: pool/src/pool/status.rs. */
export function poolStatus(code: number): PoolStatus {
  if (code <= 1) return 'active'
  if (code <= 3) return 'on_ice'
  return code <= 5 ? 'frozen' : 'setup'
}

export function lendingPool(state: BlendState, valued: ValuedPool, valuer: Valuer): LendingPool {
  const { pool, instance, deployment, oracleDecimals } = valued
  return {
    pool: pool.pool,
    name: instance.name,
    version: deployment.version,
    status: poolStatus(instance.status),
    statusCode: instance.status,
    admin: instance.admin,
    oracle: instance.oracle,
    oracleReadable: oracleDecimals !== null,
    backstopTakeRate: fraction7(instance.backstopTakeRate),
    maxPositions: instance.maxPositions,
    minCollateral: instance.minCollateral === null || oracleDecimals === null ? null : scaledText(instance.minCollateral, oracleDecimals),
    reserves: valued.reserves.flatMap((reserve) => (reserve === undefined ? [] : [lendingReserve(reserve, valued)])),
    backstop: lendingBackstop(state, valued, valuer),
    suppliedUsd: usdText(valued.suppliedUsd),
    borrowedUsd: usdText(valued.borrowedUsd),
    tvlUsd: usdText(valued.suppliedUsd - valued.borrowedUsd),
    unpricedAssets: valued.unpricedAssets,
    ledger: pool.changedLedger,
  }
}

function lendingReserve(reserve: ValuedReserve, valued: ValuedPool): LendingReserve {
  const { pool, deployment, at } = valued
  const { config, data, token, supplied, borrowed, state } = reserve
  const { rateDecimals, modifierDecimals } = scaleOf(deployment.version)
  const queued = state.queued
  const isQueued = queued !== null && (queued.liveUntil === 0 || queued.liveUntil >= at.ledger)
  return {
    pool: pool.pool,
    asset: token.info,
    index: reserve.index,
    enabled: config.enabled ?? true,
    price: token.price,
    bRate: scaledText(data.bRate, rateDecimals),
    dRate: scaledText(data.dRate, rateDecimals),
    bSupply: data.bSupply,
    dSupply: data.dSupply,
    supplied,
    borrowed,
    backstopCredit: data.backstopCredit,
    cash: pool.balances.get(reserve.asset)?.value ?? null,
    suppliedUsd: text(token.value(supplied)),
    borrowedUsd: text(token.value(borrowed)),
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
    supplyCap: config.supplyCap,
    borrowCap: mulDivFloor(supplied, config.maxUtil, SCALE_7),
    supplyEmission: sideEmission(reserve, 'supply', valued),
    borrowEmission: sideEmission(reserve, 'borrow', valued),
    queuedConfigUnlocksAtSeconds: isQueued ? Number(queued.value.unlockTime) : null,
    ledger: pool.changedLedger,
  }
}

function lendingBackstop(state: BlendState, valued: ValuedPool, valuer: Valuer): LendingBackstop {
  const { pool, deployment, lp, at } = valued
  const balance = pool.backstop.balance?.value ?? NO_BACKSTOP_BALANCE
  const { apr, emissionApy, eps, expiresAtSeconds } = backstopYield(valued)
  const zone = state.backstops.get(deployment.backstop)?.rewardZone?.value ?? []
  return {
    pool: pool.pool,
    backstop: deployment.backstop,
    shares: balance.shares,
    queuedShares: balance.queuedShares,
    queuedPct: scaledText(queuedPart(balance) * 100n, 7),
    lpTokens: balance.tokens,
    lpToken: assetInfo(state, deployment.backstopToken, valuer.network),
    lpPrice: lp?.token.price ?? null,
    blndAmount: lp === null ? null : mulDivFloor(balance.tokens, lp.blndPerLp, SCALE_7),
    usdcAmount: lp === null ? null : mulDivFloor(balance.tokens, lp.usdcPerLp, SCALE_7),
    blnd: valued.blnd.info,
    usdc: valueToken(state, deployment.usdc, at, valuer).info,
    usdValue: text(lpValue(balance.tokens, valued)),
    apr,
    emissionApy,
    inRewardZone: zone.includes(pool.pool),
    tokensPerSecond: tokensPerSecond(eps, valued),
    emissionsExpireAtSeconds: expiresAtSeconds,
    ledger: pool.changedLedger,
  }
}

function text(value: UsdUnits | null): DecimalText | null {
  return value === null ? null : usdText(value)
}
