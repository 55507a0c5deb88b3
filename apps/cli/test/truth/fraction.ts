// Exact fractions of integers, for expected values: a value is rounded only where a document specifies it.

export class Fraction {
  /** Of any sign. */
  readonly numerator: bigint
  /** Above zero. */
  readonly denominator: bigint

  constructor(numerator: bigint, denominator = 1n) {
    if (denominator === 0n) throw new Error('a fraction over zero')
    const sign = denominator < 0n ? -1n : 1n
    this.numerator = numerator * sign
    this.denominator = denominator * sign
  }

  /** A decimal text as the wire writes it, or an integer. */
  static of(value: string | number | bigint): Fraction {
    const [whole = '', part = ''] = String(value).split('.')
    return new Fraction(BigInt(whole + part), 10n ** BigInt(part.length))
  }

  /** A raw amount in whole units. */
  static units(raw: string | bigint, decimals: number): Fraction {
    return new Fraction(BigInt(raw), 10n ** BigInt(decimals))
  }

  plus(other: Fraction): Fraction {
    const [fine, coarse] = this.denominator < other.denominator ? [other, this] : [this, other]
    // Most are decimals: a sum of thousands keeps the digits of the finest.
    if (fine.denominator % coarse.denominator === 0n) {
      return new Fraction(fine.numerator + coarse.numerator * (fine.denominator / coarse.denominator), fine.denominator)
    }
    return new Fraction(this.numerator * other.denominator + other.numerator * this.denominator, this.denominator * other.denominator)
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.numerator, other.denominator))
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator)
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator)
  }

  power(exponent: number): Fraction {
    return new Fraction(this.numerator ** BigInt(exponent), this.denominator ** BigInt(exponent))
  }

  isLessThan(other: Fraction): boolean {
    return this.numerator * other.denominator < other.numerator * this.denominator
  }

  get sign(): number {
    return this.numerator > 0n ? 1 : this.numerator < 0n ? -1 : 0
  }

  /** With at most `digits` fractional digits, half up (away from zero). */
  rounded(digits: number): Fraction {
    const unit = 10n ** BigInt(digits)
    const twice = 2n * (this.numerator < 0n ? -this.numerator : this.numerator) * unit
    const units = (twice + this.denominator) / (2n * this.denominator)
    return new Fraction(this.numerator < 0n ? -units : units, unit)
  }

  /** As the wire writes it, half up: no exponent, no trailing zeros. */
  text(digits: number): string {
    const { numerator, denominator } = this.rounded(digits)
    const magnitude = (numerator < 0n ? -numerator : numerator).toString().padStart(digits + 1, '0')
    const whole = magnitude.slice(0, magnitude.length - digits)
    const part = magnitude.slice(magnitude.length - digits).replace(/0+$/, '')
    return `${numerator < 0n ? '-' : ''}${whole}${denominator === 1n || part === '' ? '' : `.${part}`}`
  }
}

export const ZERO = new Fraction(0n)
export const ONE = new Fraction(1n)

export function sum(values: Iterable<Fraction>): Fraction {
  let total = ZERO
  for (const value of values) total = total.plus(value)
  return total
}

/** Fractional digits of USD values and of rates (api-decisions 1). */
export const USD_DIGITS = 8

/** USD as the wire writes it. */
export const usdText = (value: Fraction): string => value.text(USD_DIGITS)
