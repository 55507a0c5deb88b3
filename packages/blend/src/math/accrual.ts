// Interest accrual of a reserve: what the pool does on the first touch of a reserve in a ledger.
// A reserve stores the rates of its last touch, so anything shown "now" goes through `accrue` first.
// The result is for reading; only entries taken from ledgers are ever stored as state.

import { mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import type { BlendVersion, ReserveConfig, ReserveData } from '../chain/values.ts'
import { SCALE_7, SECONDS_PER_YEAR, scaleOf } from './scale.ts'

/** The third slope of the borrow rate begins here, 7 decimals. */
const UTIL_95 = 9_500_000n

/** Underlying that bTokens stand for: ⌊bTokens · bRate / S⌋. Down: the pool never promises more than it holds. */
export function underlyingOf(bTokens: bigint, data: ReserveData, version: BlendVersion): bigint {
  return mulDivFloor(bTokens, data.bRate, scaleOf(version).rate)
}

/** Underlying that dTokens owe: ⌈dTokens · dRate / S⌉. Up: debt is never understated. */
export function debtOf(dTokens: bigint, data: ReserveData, version: BlendVersion): bigint {
  return mulDivCeil(dTokens, data.dRate, scaleOf(version).rate)
}

/**
 * Share of the supply that is lent, 7 decimals.
 *
 *   v1  ⌈owed · 1e7 / supplied⌉              may be above one
 *   v2  the same, at most one                0 where nothing is owed
 *
 * Where nothing is supplied v1 would divide by zero, but the pool never calls it there: 0.
 * Source: pool/src/pool/reserve.rs, `utilization`.
 */
export function utilization(data: ReserveData, version: BlendVersion): bigint {
  const supplied = underlyingOf(data.bSupply, data, version)
  const owed = debtOf(data.dSupply, data, version)
  if (owed === 0n) return 0n
  if (version === 'v2' && owed >= supplied) return SCALE_7
  return supplied === 0n ? 0n : mulDivCeil(owed, SCALE_7, supplied)
}

/**
 * What borrowers pay a year, 7 decimals, rounded up at each step:
 *
 *   U ≤ T          ⌈(⌈⌈U · 1e7 / T⌉ · r_one / 1e7⌉ + r_base) · mod / M⌉                                T = target utilisation
 *   U ≤ 95 %       ⌈(⌈⌈(U − T) · 1e7 / (95 % − T)⌉ · r_two / 1e7⌉ + r_one + r_base) · mod / M⌉          M = scale of the modifier
 *   above          ⌈⌈(U − 95 %) · 1e7 / 5 %⌉ · r_three / 1e7⌉ + ⌈mod · (r_two + r_one + r_base) / M⌉    r_three is not modified
 *
 * Source: pool/src/pool/interest.rs, `calc_accrual`.
 */
export function borrowRate(util: bigint, rateModifier: bigint, config: ReserveConfig, version: BlendVersion): bigint {
  const { modifier } = scaleOf(version)
  if (util <= config.util) {
    // A target of zero is refused by the pool; nothing can be lent at it.
    const part = config.util === 0n ? 0n : mulDivCeil(util, SCALE_7, config.util)
    return mulDivCeil(mulDivCeil(part, config.rOne, SCALE_7) + config.rBase, rateModifier, modifier)
  }
  if (util <= UTIL_95) {
    const part = mulDivCeil(util - config.util, SCALE_7, UTIL_95 - config.util)
    return mulDivCeil(mulDivCeil(part, config.rTwo, SCALE_7) + config.rOne + config.rBase, rateModifier, modifier)
  }
  const part = mulDivCeil(util - UTIL_95, SCALE_7, SCALE_7 - UTIL_95)
  return mulDivCeil(part, config.rThree, SCALE_7) + mulDivCeil(rateModifier, config.rTwo + config.rOne + config.rBase, modifier)
}

/** What suppliers earn a year, 7 decimals: ⌊borrowRate · ⌊(1 − takeRate) · U⌋⌋. Source: blend-sdk-js src/pool/reserve.ts, `setRates`. */
export function supplyRate(borrow: bigint, util: bigint, backstopTakeRate: bigint): bigint {
  return mulDivFloor(borrow, mulDivFloor(SCALE_7 - backstopTakeRate, util, SCALE_7), SCALE_7)
}

/**
 * Brings a reserve to `closeTimeSeconds` in one linear step, as the contract does.
 *
 *   elapsed = ⌊seconds · S / 31 536 000⌋                        S = rate scale: 1e9 in v1, 1e12 in v2
 *   growth  = S + ⌈elapsed · borrowRate / 1e7⌉                  borrowRate has 7 decimals
 *   dRate'  = ⌈growth · dRate / S⌉                              up: debt is never understated
 *   credit  = ⌊interest · backstopTakeRate / 1e7⌋               interest = what dSupply owes more than before
 *   bRate'  = ⌊(supplied + interest − credit) · S / bSupply⌋    down: the pool never promises more than it holds
 *
 * One step is not two: the rate modifier moves in between, so never split a step. bRate may fall from ledger to ledger (defaults), not in here.
 *
 * Source: blend-contracts(-v2) pool/src/pool/{reserve,interest}.rs.
 * Checked by: every reserve transition of the executed vectors, mainnet ledger 63092996, and `get_reserve` throughout the recording.
 */
export function accrue(
  data: ReserveData,
  config: ReserveConfig,
  backstopTakeRate: bigint,
  closeTimeSeconds: bigint,
  version: BlendVersion,
): ReserveData {
  const seconds = closeTimeSeconds - data.lastTime
  if (seconds <= 0n) return data
  const util = utilization(data, version)
  if (data.bSupply === 0n || util === 0n) return { ...data, lastTime: closeTimeSeconds }

  const { rate: scale } = scaleOf(version)
  const borrow = borrowRate(util, data.rateModifier, config, version)
  const elapsed = mulDivFloor(seconds, scale, SECONDS_PER_YEAR)
  const growth = scale + mulDivCeil(elapsed, borrow, SCALE_7)
  const dRate = mulDivCeil(growth, data.dRate, scale)
  const accrued = { ...data, dRate, rateModifier: movedModifier(data, config, util, seconds, version), lastTime: closeTimeSeconds }

  const interest = debtOf(data.dSupply, accrued, version) - debtOf(data.dSupply, data, version)
  if (interest <= 0n) return accrued
  const credit = mulDivFloor(interest, backstopTakeRate, SCALE_7)
  const supplied = underlyingOf(data.bSupply, data, version)
  const bRate = mulDivFloor(supplied + interest - credit, scale, data.bSupply)
  return { ...accrued, bRate, backstopCredit: data.backstopCredit + credit }
}

/**
 * The rate modifier follows the distance from the target utilisation: mod + (seconds · (U − T) · weight · reactivity / 1e7, towards zero),
 * kept between a tenth and ten times one.
 */
function movedModifier(data: ReserveData, config: ReserveConfig, util: bigint, seconds: bigint, version: BlendVersion): bigint {
  const { modifier, utilisationWeight } = scaleOf(version)
  const distance = seconds * (util - config.util) * utilisationWeight
  // bigint division goes towards zero, as the contract's floor of a positive and ceil of a negative error does.
  const moved = data.rateModifier + (distance * config.reactivity) / SCALE_7
  const least = modifier / 10n
  const most = modifier * 10n
  return moved < least ? least : moved > most ? most : moved
}
