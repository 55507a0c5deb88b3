// What emissions of BLND yield beside interest. They are paid in BLND and not reinvested, so a year of the current rate is all there is.
// Source: blend-ui src/components/{lend,borrow}/*MarketCard.tsx; blend-sdk-js src/emissions.ts.

import type { UsdUnits } from '@orrery/fold-kit'
import { ratio, scaledText, tenTo } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import type { EmissionConfig } from '../chain/values.ts'
import { RATE_DECIMALS } from '../math/rates.ts'
import { SECONDS_PER_YEAR, scaleOf } from '../math/scale.ts'
import type { ValuedPool, ValuedReserve } from './valuation.ts'

/** BLND per second in raw units of 10^-14 in v2 and 10^-7 in v1; 0n when emissions are over. */
export function epsNow(config: EmissionConfig | null, closeTimeSeconds: number): bigint {
  return config === null || config.expiration <= BigInt(closeTimeSeconds) ? 0n : config.eps
}

/** Whole BLND per second. */
export function tokensPerSecond(eps: bigint, { deployment }: ValuedPool): DecimalText {
  return scaledText(eps, scaleOf(deployment.version).epsDecimals)
}

/** USD of the BLND that a year of `eps` brings, null without a price of BLND. */
export function yearlyUsd(eps: bigint, { deployment, blnd }: ValuedPool): UsdUnits | null {
  // v2 counts seven digits more than BLND has: a year of the smallest eps is still 31 units of it.
  return blnd.value((eps * SECONDS_PER_YEAR) / tenTo(scaleOf(deployment.version).epsDecimals - 7))
}

/** BLND of a year over what it is paid on. '0' where nothing is paid or nothing holds it, null where something has no price. */
export function emissionRate(eps: bigint, onUsd: UsdUnits | null, pool: ValuedPool): DecimalText | null {
  if (eps === 0n || onUsd === 0n) return '0'
  const yearly = yearlyUsd(eps, pool)
  return yearly === null || onUsd === null ? null : ratio(yearly, onUsd, RATE_DECIMALS)
}

export type SideEmission = Readonly<NonNullable<ReturnType<typeof sideEmission>>>

/** Emissions of one side of a reserve at the close time asked for, null where there never were any. */
export function sideEmission(reserve: ValuedReserve, side: 'supply' | 'borrow', valued: ValuedPool) {
  const reserveTokenId = reserve.index * 2 + (side === 'supply' ? 1 : 0)
  const emission = valued.pool.emissions.get(reserveTokenId)
  const config = emission?.config?.value ?? emission?.data?.value.config ?? null
  if (config === null) return null
  const eps = epsNow(config, valued.at.closeTimeSeconds)
  const onUsd = reserve.token.value(side === 'supply' ? reserve.supplied : reserve.borrowed)
  return {
    reserveTokenId,
    /** BLND per second, whole units, at most 14 fractional digits. '0' when over. */
    tokensPerSecond: tokensPerSecond(eps, valued),
    /** Unix seconds. */
    expiresAtSeconds: Number(config.expiration),
    /** Fraction per year of what the side holds, at the current rate, not compounded. '0' when over, null where BLND or the asset has no price. */
    apy: emissionRate(eps, onUsd, valued),
  }
}
