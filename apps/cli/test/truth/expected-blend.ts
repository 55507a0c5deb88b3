// Blend's derived figures at a checkpoint, recomputed from the contracts' own answers: accrued reserves, configs, emissions, the backstop and the
// prices of the oracles. Formulas: sections 4.1, 4.2, 4.4, 4.5, 4.7 and 4.8 of the Blend reference; what is rounded where: docs/protocols/blend.md,
// "Formulas", and api-decisions 1 and 6. Integers and exact fractions; nothing of it comes from Orrery.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Checkpoint, Words } from './checkpoint.ts'
import { type ExpectedPrice, type ExpectedPrices, LP_DECIMALS } from './expected-prices.ts'
import { Fraction, ONE, sum, USD_DIGITS, ZERO } from './fraction.ts'

export const UNIT = 10_000_000n
export const YEAR_SECONDS = 31_536_000n
/** As the contracts count emissions. */
const BLND_DECIMALS = 7
const UTILIZATION_95 = 9_500_000n

export const floorDiv = (a: bigint, b: bigint): bigint => a / b
export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** Of raw units at a price: 8 digits, half up. Null without a price. */
export function usdValueOf(raw: bigint, price: ExpectedPrice | null, decimals: number): Fraction | null {
  return price === null ? null : Fraction.units(raw, decimals).times(price.usd).rounded(USD_DIGITS)
}

/** (1 + apr / periods)^periods - 1: 8 digits, half up. Supply compounds weekly, debt daily. */
export function compounded(apr: Fraction, periods: number): Fraction {
  return ONE.plus(apr.over(Fraction.of(periods)))
    .power(periods)
    .minus(ONE)
    .rounded(8)
}

export interface ExpectedReserve {
  readonly asset: string
  readonly decimals: number
  readonly price: ExpectedPrice | null
  /** Raw integer price and its decimals as the pool's own oracle answers; null where it does not. */
  readonly own: { readonly price: bigint; readonly decimals: number } | null
  readonly rate: { readonly b: bigint; readonly d: bigint; readonly scale: bigint }
  readonly cFactor: bigint
  readonly lFactor: bigint
  /** Raw underlying. */
  readonly supplied: bigint
  readonly borrowed: bigint
  /** Fractions of 7 digits. */
  readonly utilization: Fraction
  readonly borrowApr: Fraction
  readonly supplyApr: Fraction
  readonly borrowApy: Fraction
  readonly supplyApy: Fraction
  readonly borrowCap: bigint
  /** BLND a year over what the side holds; null where there never were emissions. */
  readonly supplyEmission: ExpectedEmission | null
  readonly borrowEmission: ExpectedEmission | null
}

export interface ExpectedEmission {
  /** Whole BLND per second. */
  readonly perSecond: Fraction
  readonly apy: Fraction | null
}

export class ExpectedPool {
  readonly line: ExpectedAnswer
  readonly reserves: ReadonlyMap<string, ExpectedReserve>
  readonly #at: Checkpoint
  readonly #prices: ExpectedPrices
  readonly #blnd: ExpectedPrice | null

  constructor(line: ExpectedAnswer, at: Checkpoint, prices: ExpectedPrices) {
    this.line = line
    this.#at = at
    this.#prices = prices
    this.#blnd = prices.ofBlnd(line.version)
    const lines = at.of('blend.reserve').filter(({ contract }) => contract === line.contract)
    this.reserves = new Map(lines.map((it) => [String(it.asset), this.#reserve(it)]))
  }

  get takeRate(): bigint {
    return BigInt((this.line.config as Words).bstop_rate ?? '')
  }

  #reserve(line: ExpectedAnswer): ExpectedReserve {
    const asset = String(line.asset)
    const version = Number(line.version)
    const accrued = line.accrued as Words
    const config = line.config as Words
    const scale = version === 1 ? 10n ** 9n : 10n ** 12n
    const integer = (name: string): bigint => BigInt(accrued[name] ?? config[name] ?? '')
    const supplied = floorDiv(integer('b_supply') * integer('b_rate'), scale)
    const borrowed = ceilDiv(integer('d_supply') * integer('d_rate'), scale)
    const utilization = utilizationOf(supplied, borrowed, version)
    const borrowApr = borrowRate(utilization, integer, version === 1 ? 10n ** 9n : UNIT)
    const supplyApr = (borrowApr * floorDiv((UNIT - this.takeRate) * utilization, UNIT)) / UNIT
    const oracle = (this.line.config as Words).oracle ?? ''
    const price = this.#prices.ofPoolWithOracle(oracle, asset)
    const decimals = Number(config.decimals)
    const emission = (side: string, raw: bigint) => this.#emission(asset, side, usdValueOf(raw, price, decimals))
    return {
      asset,
      decimals,
      price,
      own: this.#prices.rawAnswer(oracle, asset),
      rate: { b: integer('b_rate'), d: integer('d_rate'), scale },
      cFactor: integer('c_factor'),
      lFactor: integer('l_factor'),
      supplied,
      borrowed,
      utilization: new Fraction(utilization, UNIT),
      borrowApr: new Fraction(borrowApr, UNIT),
      supplyApr: new Fraction(supplyApr, UNIT),
      borrowApy: compounded(new Fraction(borrowApr, UNIT), 365),
      supplyApy: compounded(new Fraction(supplyApr, UNIT), 52),
      borrowCap: (integer('max_util') * supplied) / UNIT,
      supplyEmission: emission('b_token', supplied),
      borrowEmission: emission('d_token', borrowed),
    }
  }

  #emission(asset: string, side: string, onUsd: Fraction | null): ExpectedEmission | null {
    const line = this.#at
      .of('blend.reserve_emissions')
      .find((it) => it.contract === this.line.contract && it.asset === asset && it.side === side)
    const rate = line === undefined ? null : ((line.config ?? line.data) as Words)
    if (rate === null) return null
    const eps = BigInt(rate.expiration ?? '') > BigInt(this.#at.closeTime) ? BigInt(rate.eps ?? '') : 0n
    return { perSecond: Fraction.units(eps, this.#epsDigits), apy: this.#yearlyOver(eps, onUsd) }
  }

  /** Digits of BLND per second: 7 in v1, 14 in v2. */
  get #epsDigits(): number {
    return this.line.version === 1 ? 7 : 14
  }

  /** BLND of a year, in its raw units, at its price, over a value: 8 digits. Null without a price. */
  #yearlyOver(eps: bigint, onUsd: Fraction | null): Fraction | null {
    if (eps === 0n || onUsd?.sign === 0) return ZERO
    const yearly = usdValueOf((eps * YEAR_SECONDS) / 10n ** BigInt(this.#epsDigits - BLND_DECIMALS), this.#blnd, BLND_DECIMALS)
    return yearly === null || onUsd === null ? null : yearly.over(onUsd).rounded(8)
  }

  /** What stands behind the pool; null where the backstop has nothing of it. */
  backstop(): ExpectedBackstop | null {
    const line = this.#at.of('blend.backstop_pool').find(({ pool }) => pool === this.line.contract)
    if (line === undefined) return null
    const { shares = '', tokens = '', q4w = '' } = line.balance as Words
    const rate = (line.emissions_config ?? line.emissions) as Words | null
    const isPaid = rate !== null && BigInt(rate.expiration ?? '') > BigInt(this.#at.closeTime)
    const eps = isPaid ? BigInt(rate.eps ?? '') : 0n
    const lp = this.#prices.ofBackstop(line.contract)
    const value = (raw: bigint): Fraction | null => (raw === 0n ? ZERO : usdValueOf(raw, lp, LP_DECIMALS))
    const unqueued = lpOf(BigInt(shares) - BigInt(q4w), BigInt(shares), BigInt(tokens))
    const usd = value(BigInt(tokens))
    return {
      line,
      usd,
      apr: this.#interestOf(usd),
      emissionApy: this.#yearlyOver(eps, value(unqueued)),
      perSecond: Fraction.units(eps, this.#epsDigits),
      lpOfShares: (held) => lpOf(held, BigInt(shares), BigInt(tokens)),
      valueOfShares: (held) => value(lpOf(held, BigInt(shares), BigInt(tokens))),
    }
  }

  /** Take rate · sum of (owed · borrow APY) over the backstop's value. */
  #interestOf(backstopUsd: Fraction | null): Fraction | null {
    if (backstopUsd?.sign === 0) return ZERO
    const owed = [...this.reserves.values()].map((it) => usdValueOf(it.borrowed, it.price, it.decimals)?.times(it.borrowApy) ?? null)
    const known = owed.filter((it) => it !== null)
    if (backstopUsd === null || known.length < owed.length) return null
    return sum(known).times(new Fraction(this.takeRate, UNIT)).over(backstopUsd).rounded(8)
  }
}

export interface ExpectedBackstop {
  readonly line: ExpectedAnswer
  readonly usd: Fraction | null
  readonly apr: Fraction | null
  readonly emissionApy: Fraction | null
  readonly perSecond: Fraction
  /** Raw LP tokens that shares stand for: nothing once the backstop is drained. */
  readonly lpOfShares: (shares: bigint) => bigint
  readonly valueOfShares: (shares: bigint) => Fraction | null
}

/** Shares in LP tokens, floored. */
function lpOf(shares: bigint, all: bigint, tokens: bigint): bigint {
  return all === 0n ? shares : (shares * tokens) / all
}

/** 7 digits. Section 4.1. */
function utilizationOf(supplied: bigint, borrowed: bigint, version: number): bigint {
  if (borrowed === 0n || (version === 1 && supplied === 0n)) return 0n
  if (version === 2 && borrowed >= supplied) return UNIT
  return ceilDiv(borrowed * UNIT, supplied)
}

/** 7 digits. Section 4.2. */
function borrowRate(u: bigint, of: (name: string) => bigint, modifierUnit: bigint): bigint {
  const target = of('util')
  const modifier = of('ir_mod')
  if (u > UTILIZATION_95) {
    const steep = ceilDiv(ceilDiv((u - UTILIZATION_95) * UNIT, 500_000n) * of('r_three'), UNIT)
    return steep + ceilDiv(modifier * (of('r_two') + of('r_one') + of('r_base')), modifierUnit)
  }
  const base =
    u <= target
      ? ceilDiv(ceilDiv(u * UNIT, target) * of('r_one'), UNIT) + of('r_base')
      : ceilDiv(ceilDiv((u - target) * UNIT, UTILIZATION_95 - target) * of('r_two'), UNIT) + of('r_one') + of('r_base')
  return ceilDiv(base * modifier, modifierUnit)
}
