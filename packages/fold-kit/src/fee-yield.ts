// The yield of a pool's fees: counters that only grow, and the difference of two of them as a rate.

import { Decimal, ratio } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import type { UsdUnits } from './usd-units.ts'

/** Length of the window of a fee APY: 7 days. */
export const FEE_WINDOW_SECONDS = 604_800
const YEAR_SECONDS = 31_536_000n
/** Fractional digits of rates. */
const RATE_SCALE = 8
/** The cap of an APY. A drained pool earns thousands of per cent on almost nothing, and daily compounding makes that a number of a thousand digits. */
const HIGHEST_APY = new Decimal(1_000_000)
const Compounding = Decimal.clone({ POW_PRECISION: 40 })

/**
 * What a pool has earned and held since the fold first saw it. Two rows of counters give the fee APY of any window:
 * fees over the mean value, annualised, is Δ lpFees · year / Δ valueSeconds.
 */
export interface Counters {
  /** Close time of the ledger at which the pool was first seen, unix seconds. */
  readonly sinceSeconds: number
  /** Close time of the ledger that this was written at. */
  readonly atSeconds: number
  /** Fees of all swaps at the prices of their ledgers. */
  readonly feesUsd: UsdUnits
  /** The part of them that stays with the holders of shares. */
  readonly lpFeesUsd: UsdUnits
  /** The input of all swaps. */
  readonly volumeUsd: UsdUnits
  /** ∫ TVL dt, in 1e-8 USD · seconds, taken as a step function of the moments written. */
  readonly valueSeconds: bigint
  /** TVL at `atSeconds`: the integral continues with it. */
  readonly tvlUsd: UsdUnits
}

/** Counters of a pool that is first seen at `seconds`. */
function newCounters(seconds: number): Counters {
  return { sinceSeconds: seconds, atSeconds: seconds, feesUsd: 0n, lpFeesUsd: 0n, volumeUsd: 0n, valueSeconds: 0n, tvlUsd: 0n }
}

/** Counters extended to a time: the value stays as it was when they were written. */
export function countersAt(counters: Counters, seconds: number): Counters {
  if (seconds <= counters.atSeconds) return counters
  return {
    ...counters,
    atSeconds: seconds,
    valueSeconds: counters.valueSeconds + counters.tvlUsd * BigInt(seconds - counters.atSeconds),
  }
}

/** Sums of the swaps of one ledger: fees, the holders' part of them, and volume. */
export type SwapSums = Pick<Counters, 'feesUsd' | 'lpFeesUsd' | 'volumeUsd'>

/** The counters at a time, with the swaps of its ledger. `before` null: the pool is first seen now. */
export function countSwaps(before: Counters | null, seconds: number, swaps: Iterable<SwapSums>, tvlUsd: UsdUnits): Counters {
  const counters = { ...countersAt(before ?? newCounters(seconds), seconds), tvlUsd }
  for (const swap of swaps) {
    counters.feesUsd += swap.feesUsd
    counters.lpFeesUsd += swap.lpFeesUsd
    counters.volumeUsd += swap.volumeUsd
  }
  return counters
}

export interface FeeYield {
  /** Fraction per year, simple. */
  readonly apr: DecimalText
  /** The same, compounded daily. */
  readonly apy: DecimalText
}

export const NO_YIELD: FeeYield = { apr: '0', apy: '0' }

/**
 * Fees of a window over the mean value of the pool in it, annualised:
 *
 *   apr = (Δ fees / Δt · year) / (Δ valueSeconds / Δt) = Δ fees · year / Δ valueSeconds       half up
 *   apy = (1 + apr / 365)^365 − 1                                                             capped at 1,000,000
 *
 * `fees` are those that stay with the holders. `before` null: the pool is younger than the window, and its age is the window.
 * The daily compounding is the one that the AMMs' own pages show.
 */
export function feeYield(before: Counters | null, now: Counters): FeeYield {
  return yieldOf(now.lpFeesUsd - (before?.lpFeesUsd ?? 0n), now.valueSeconds - (before?.valueSeconds ?? 0n))
}

/** The same from the two differences. */
export function yieldOf(fees: UsdUnits, valueSeconds: bigint): FeeYield {
  if (fees <= 0n || valueSeconds <= 0n) return NO_YIELD
  const apr = ratio(fees * YEAR_SECONDS, valueSeconds, RATE_SCALE)
  return { apr, apy: compoundDaily(apr) }
}

/** (1 + apr / 365)^365 − 1, scale 8. */
export function compoundDaily(apr: DecimalText): DecimalText {
  const apy = new Compounding(apr).div(365).plus(1).pow(365).minus(1)
  return Decimal.min(apy, HIGHEST_APY).decimalPlaces(RATE_SCALE).toFixed()
}
