// What depositors of a pool's backstop earn: a share of the interest, and BLND.

import type { UsdUnits } from '@orrery/fold-kit'
import { ratio } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { NO_BACKSTOP_BALANCE } from '../chain/values.ts'
import { lpTokensOf } from '../math/backstop-math.ts'
import { RATE_DECIMALS, RATE_ONE } from '../math/rates.ts'
import { SCALE_7 } from '../math/scale.ts'
import { emissionRate, epsNow } from './emission-yield.ts'
import type { ValuedPool } from './valuation.ts'

/**
 * Interest:  take rate · Σ (borrowed · borrow APY) / value of the backstop
 * Emissions: BLND of a year / value of the shares that are not queued
 *
 * Source: blend-ui src/components/backstop/BackstopAPR.tsx. It shows emissions as the LP tokens that the BLND would buy; here it is their value.
 */
export function backstopYield(valued: ValuedPool) {
  const { backstop } = valued.pool
  const balance = backstop.balance?.value ?? NO_BACKSTOP_BALANCE
  const config = backstop.emissionConfig?.value ?? backstop.emission?.value.config ?? null
  const eps = epsNow(config, valued.at.closeTimeSeconds)
  const unqueued = lpTokensOf(balance.shares - balance.queuedShares, balance)
  return {
    /** Fraction per year: interest. '0' where nothing is in the backstop, null where something has no price. */
    apr: interestRate(valued, lpValue(balance.tokens, valued)),
    /** Fraction per year of what is not queued, in BLND at the current rate. */
    emissionApy: emissionRate(eps, lpValue(unqueued, valued), valued),
    eps,
    /** Unix seconds, 0 where there never were emissions. */
    expiresAtSeconds: Number(config?.expiration ?? 0n),
  }
}

function interestRate({ reserves, instance }: ValuedPool, backstopUsd: UsdUnits | null): DecimalText | null {
  if (backstopUsd === 0n) return '0'
  let yearly = 0n
  for (const reserve of reserves) {
    const owed = reserve === undefined ? 0n : reserve.token.value(reserve.borrowed)
    if (owed === null) return null
    yearly += owed * (reserve?.borrowApy ?? 0n)
  }
  return backstopUsd === null ? null : ratio(yearly * instance.backstopTakeRate, backstopUsd * SCALE_7 * RATE_ONE, RATE_DECIMALS)
}

/** USD of LP tokens, null where the Comet pool gives no price. */
export function lpValue(lpTokens: bigint, { lp }: ValuedPool): UsdUnits | null {
  return lpTokens === 0n ? 0n : (lp?.token.value(lpTokens) ?? null)
}
