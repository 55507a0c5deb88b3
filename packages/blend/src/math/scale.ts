// The numbers that the two versions differ in. Source: pool/src/constants.rs of both.

import type { BlendVersion } from '../chain/values.ts'

/** Fractions have seven decimals in both versions. */
export const SCALE_7 = 10_000_000n
export const SECONDS_PER_YEAR = 31_536_000n

export interface VersionScale {
  /** Of b_rate and d_rate. */
  readonly rate: bigint
  readonly rateDecimals: number
  /** Of ir_mod. */
  readonly modifier: bigint
  readonly modifierDecimals: number
  /** What a second of a percent point of utilisation weighs for the rate modifier. */
  readonly utilisationWeight: bigint
  /** Decimals of `eps`. */
  readonly epsDecimals: number
}

const SCALES: Readonly<Record<BlendVersion, VersionScale>> = {
  v1: { rate: 10n ** 9n, rateDecimals: 9, modifier: 10n ** 9n, modifierDecimals: 9, utilisationWeight: 100n, epsDecimals: 7 },
  v2: { rate: 10n ** 12n, rateDecimals: 12, modifier: SCALE_7, modifierDecimals: 7, utilisationWeight: 1n, epsDecimals: 14 },
}

export function scaleOf(version: BlendVersion): VersionScale {
  return SCALES[version]
}
