// Exact arithmetic on the decimal strings of answers, with bigint. Nothing here rounds.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** A decimal as an integer with a scale: `digits / 10^scale`. */
interface Scaled {
  readonly digits: bigint
  readonly scale: number
}

/**
 * `amount` in the smallest unit of its token: `toRaw('1.5', 7)` is `15000000n`.
 * @throws RangeError for a text that is no decimal, or has more fractional digits than `decimals` that are not zero.
 */
export function toRaw(amount: string, decimals: number): bigint {
  const { digits, scale } = parse(amount)
  if (scale <= decimals) return digits * 10n ** BigInt(decimals - scale)
  const divisor = 10n ** BigInt(scale - decimals)
  if (digits % divisor !== 0n) throw new RangeError(`${amount} has more than ${decimals} fractional digits.`)
  return digits / divisor
}

/** The opposite: `fromRaw(15000000n, 7)` is `1.5`, without zeros at the end. */
export function fromRaw(raw: bigint, decimals: number): string {
  const text = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = text.slice(0, text.length - decimals)
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '')
  return `${raw < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The exact sum; null counts as 0, as in the totals of the API. */
export function sumDecimals(values: Iterable<string | null>): string {
  let sum: Scaled = { digits: 0n, scale: 0 }
  for (const value of values) if (value !== null) sum = add(sum, parse(value))
  return fromRaw(sum.digits, sum.scale)
}

/** Below 0 if `a` is less than `b`, 0 if they are equal, above 0 if it is more: for `sort`. */
export function compareDecimals(a: string, b: string): number {
  const { digits } = add(parse(a), negated(parse(b)))
  return digits < 0n ? -1 : digits > 0n ? 1 : 0
}

function parse(text: string): Scaled {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (sign === undefined) throw new RangeError(`${text} is no decimal.`)
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

function add(a: Scaled, b: Scaled): Scaled {
  const scale = Math.max(a.scale, b.scale)
  const digitsAt = ({ digits, scale: own }: Scaled) => digits * 10n ** BigInt(scale - own)
  return { digits: digitsAt(a) + digitsAt(b), scale }
}

function negated({ digits, scale }: Scaled): Scaled {
  return { digits: -digits, scale }
}
