// What an account has in a lending pool at a checkpoint, valued: health, limits, prices of liquidation and yields from the recorded answers.
// Formulas: sections 4.3 and 4.4 of the Blend reference, api-decisions 6. The contract's health factor floors in the decimals of its oracle;
// figures that it does not compute are made of USD values with 8 digits, each rounded half up once.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Words } from './checkpoint.ts'
import { ceilDiv, type ExpectedPool, type ExpectedReserve, floorDiv, UNIT, usdValueOf } from './expected-blend.ts'
import { Fraction, sum, USD_DIGITS, usdText, ZERO } from './fraction.ts'

/** One asset on one side. */
export interface ExpectedBalance {
  readonly reserve: ExpectedReserve
  /** Raw underlying: plain supply and collateral each floored, a debt rounded up. */
  readonly amount: bigint
  readonly usd: Fraction | null
  readonly collateralUsd: Fraction | null
  /** Collateral after its factor, or the debt after its. */
  readonly effective: bigint
  readonly effectiveUsd: Fraction | null
}

export class ExpectedAccount {
  /** By asset; only what has shares. */
  readonly supply: readonly ExpectedBalance[]
  readonly borrow: readonly ExpectedBalance[]

  /** `line`: `blend.user`. */
  constructor(line: ExpectedAnswer, pool: ExpectedPool) {
    const shares = (side: string): Words => line[side] as Words
    const assets = [...pool.reserves.values()]
    this.supply = assets.flatMap((reserve) =>
      suppliedOf(reserve, BigInt(shares('supply')[reserve.asset] ?? 0), BigInt(shares('collateral')[reserve.asset] ?? 0)),
    )
    this.borrow = assets.flatMap((reserve) => owedOf(reserve, BigInt(shares('liabilities')[reserve.asset] ?? 0)))
  }

  get suppliedUsd(): Fraction | null {
    return total(this.supply.map(({ usd }) => usd))
  }

  get borrowedUsd(): Fraction | null {
    return total(this.borrow.map(({ usd }) => usd))
  }

  get effectiveCollateral(): Fraction | null {
    return total(this.supply.map(({ effectiveUsd }) => effectiveUsd))
  }

  get effectiveDebt(): Fraction | null {
    return total(this.borrow.map(({ effectiveUsd }) => effectiveUsd))
  }

  /** Supplied - borrowed of what has a price. */
  get netUsd(): Fraction {
    const priced = (balances: readonly ExpectedBalance[]): Fraction => sum(balances.flatMap(({ usd }) => usd ?? []))
    return priced(this.supply).minus(priced(this.borrow))
  }

  /** As the contract computes it, and where its oracle is silent from the values shown. */
  get healthFactor(): string | null {
    if (this.borrow.length === 0) return null
    return this.#ownHealth() ?? this.#shownHealth()
  }

  #ownHealth(): string | null {
    const counted = this.supply.filter(({ effective }) => effective > 0n)
    const own = [...counted, ...this.borrow].map(({ reserve }) => reserve.own)
    const decimals = own[0]?.decimals
    if (own.includes(null) || decimals === undefined) return null
    const worth = ({ reserve, effective }: ExpectedBalance, divide: typeof floorDiv): bigint =>
      divide((reserve.own?.price ?? 0n) * effective, 10n ** BigInt(reserve.decimals))
    const collateral = counted.reduce((all, it) => all + worth(it, floorDiv), 0n)
    const debt = this.borrow.reduce((all, it) => all + worth(it, ceilDiv), 0n)
    if (debt === 0n) return null
    const scale = 10n ** BigInt(decimals)
    return new Fraction((collateral * scale) / debt, scale).text(decimals)
  }

  #shownHealth(): string | null {
    const [collateral, debt] = [this.effectiveCollateral, this.effectiveDebt]
    if (collateral === null || debt === null || debt.sign === 0) return null
    const { numerator, denominator } = collateral.over(debt)
    return new Fraction((numerator * 10n ** 8n) / denominator, 10n ** 8n).text(8)
  }

  /** 100 / health factor, of effective values. */
  get borrowLimitPct(): string | null {
    if (this.borrow.length === 0) return '0'
    const [collateral, debt] = [this.effectiveCollateral, this.effectiveDebt]
    if (collateral === null || debt === null || collateral.sign === 0) return null
    return debt.times(Fraction.of(100)).over(collateral).text(8)
  }

  /** The price of an asset at which effective collateral and debt are equal, of everything that the account has in it: 18 digits, shown with 8. */
  liquidationPrice({ effective, reserve }: ExpectedBalance): string | null {
    const [collateral, debt] = [this.effectiveCollateral, this.effectiveDebt]
    if (collateral === null || debt === null || effective === 0n || this.borrow.length === 0) return null
    const of = (side: readonly ExpectedBalance[]) => side.filter((it) => it.reserve === reserve)
    const usdOf = (side: readonly ExpectedBalance[]) => sum(of(side).map(({ effectiveUsd }) => effectiveUsd ?? ZERO))
    const units = [...of(this.supply).map((it) => it.effective), ...of(this.borrow).map((it) => -it.effective)].reduce((a, b) => a + b, 0n)
    if (units === 0n) return null
    const missing = debt.minus(usdOf(this.borrow)).minus(collateral.minus(usdOf(this.supply)))
    const price = missing.over(Fraction.units(units, reserve.decimals))
    return price.sign <= 0 ? null : usdText(price.rounded(18))
  }

  /** Interest over the net value; null where a price is missing. */
  get netApy(): Fraction | null {
    const [supplied, borrowed] = [this.suppliedUsd, this.borrowedUsd]
    if (supplied === null || borrowed === null) return null
    const net = supplied.minus(borrowed)
    if (net.sign <= 0) return ZERO
    const earned = sum(this.supply.flatMap(({ usd, reserve }) => usd?.times(reserve.supplyApy) ?? []))
    const paid = sum(this.borrow.flatMap(({ usd, reserve }) => usd?.times(reserve.borrowApy) ?? []))
    return earned.minus(paid).over(net).rounded(8)
  }
}

function suppliedOf(reserve: ExpectedReserve, plain: bigint, collateral: bigint): ExpectedBalance[] {
  if (plain + collateral === 0n) return []
  const { rate, price, decimals, cFactor } = reserve
  const underlying = (shares: bigint): bigint => floorDiv(shares * rate.b, rate.scale)
  const effective = floorDiv(underlying(collateral) * cFactor, UNIT)
  const [plainUsd, collateralUsd] = [usdValueOf(underlying(plain), price, decimals), usdValueOf(underlying(collateral), price, decimals)]
  const amount = underlying(plain) + underlying(collateral)
  const usd = plainUsd === null || collateralUsd === null ? null : plainUsd.plus(collateralUsd)
  return [{ reserve, amount, usd, collateralUsd, effective, effectiveUsd: usdValueOf(effective, price, decimals) }]
}

function owedOf(reserve: ExpectedReserve, shares: bigint): ExpectedBalance[] {
  if (shares === 0n) return []
  const { rate, price, decimals, lFactor } = reserve
  const amount = ceilDiv(shares * rate.d, rate.scale)
  const effective = ceilDiv(amount * UNIT, lFactor)
  const usd = usdValueOf(amount, price, decimals)
  return [{ reserve, amount, usd, collateralUsd: null, effective, effectiveUsd: usdValueOf(effective, price, decimals) }]
}

/** Null as soon as one part is unknown. */
export function total(values: readonly (Fraction | null)[]): Fraction | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : sum(known).rounded(USD_DIGITS)
}
