// Numbers for people, by the locale of the browser. The API sends decimal strings; they are formatted as text, so that no digit is lost on the way.

/** What stands where the API has no value. */
export const NO_VALUE = '–'

const LOCALE: string | undefined = undefined

/** `Intl` takes decimal strings of any length; its type asks for literals. */
function format(options: Intl.NumberFormatOptions, locale: string | undefined): (decimal: string | number) => string {
  const formatter = new Intl.NumberFormat(locale, options)
  return (decimal) => formatter.format(decimal as `${number}`)
}

export interface NumberFormats {
  /** USD with cents; below one cent, and of either sign, three significant digits. */
  usd(decimal: string | null | undefined): string
  /** USD in a few characters, such as $4.26M. */
  usdShort(decimal: string | number | null | undefined): string
  /** Round USD in the fewest characters, for the axis of a chart. */
  usdAxis(value: number): string
  /** USD price of one token, up to six significant digits. */
  price(decimal: string | null | undefined): string
  /** Amount of a token: up to four fractional digits, more where the amount is small. */
  amount(decimal: string | null | undefined): string
  /** Amount of a token in a few characters, such as 3,005 and 285.9K. */
  amountShort(decimal: string | null | undefined): string
  /** What one unit of a token is worth in another, up to seven significant digits. */
  rate(decimal: string | null | undefined): string
  /** A fraction as a percentage: below 0.01 %, and of either sign, two significant digits. */
  percent(fraction: string | number | null | undefined): string
  /** A fraction as a percentage in the fewest characters, for the axis of a chart. */
  percentAxis(value: number): string
  /** A number that is a percentage already. */
  percentOf(percent: string | null | undefined): string
  /** A ratio that is compared with a limit, with two fractional digits. Rounded down: what is below the limit never looks as if it had reached it. */
  ratio(decimal: string | null | undefined): string
  /** A whole number with separators. */
  whole(value: number | string | null | undefined): string
  /** A number of things, such as `1 ledger` and `2 ledgers`. */
  count(value: number, noun: string): string
  /** Like `usd`, with a sign in front of gains too. */
  signedUsd(decimal: string | null | undefined): string
}

/** Makes the formats of a locale. Undefined: the one of the browser. */
export function numberFormats(locale: string | undefined = LOCALE): NumberFormats {
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  const cents = format(dollars, locale)
  const tiny = format({ ...dollars, maximumSignificantDigits: 3 }, locale)
  const short = format({ ...dollars, notation: 'compact', maximumFractionDigits: 2, minimumFractionDigits: 2 }, locale)
  const axis = format({ ...dollars, notation: 'compact', maximumSignificantDigits: 4 }, locale)
  const price = format({ ...dollars, maximumSignificantDigits: 6 }, locale)
  const amount = format({ maximumFractionDigits: 4 }, locale)
  const smallAmount = format({ maximumSignificantDigits: 4 }, locale)
  const shortAmount = format({ notation: 'compact', maximumSignificantDigits: 4 }, locale)
  const rate = format({ maximumSignificantDigits: 7 }, locale)
  const hundredths = format({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }, locale)
  const tinyPercent = format({ style: 'percent', maximumSignificantDigits: 2 }, locale)
  const percentAxis = format({ style: 'percent', maximumSignificantDigits: 3 }, locale)
  const ratio = format({ minimumFractionDigits: 2, maximumFractionDigits: 2, roundingMode: 'floor' }, locale)
  const whole = format({ maximumFractionDigits: 0 }, locale)
  const signedCents = format({ ...dollars, signDisplay: 'exceptZero' }, locale)
  const signedTiny = format({ ...dollars, signDisplay: 'exceptZero', maximumSignificantDigits: 3 }, locale)

  const isBelow = (decimal: string | number, limit: number): boolean => Math.abs(Number(decimal)) < limit && Number(decimal) !== 0
  const percent = (fraction: string | number): string => (isBelow(fraction, 0.0001) ? tinyPercent(fraction) : hundredths(fraction))
  const orNone =
    <Value>(formatted: (value: Value) => string) =>
    (value: Value | null | undefined): string =>
      value === null || value === undefined ? NO_VALUE : formatted(value)

  return {
    usd: orNone((decimal) => (isBelow(decimal, 0.01) ? tiny(decimal) : cents(decimal))),
    usdShort: orNone((decimal) => (isBelow(decimal, 0.01) ? tiny(decimal) : short(decimal))),
    usdAxis: axis,
    price: orNone((decimal) => (isBelow(decimal, 1000) ? price(decimal) : cents(decimal))),
    amount: orNone((decimal) => (isBelow(decimal, 1) ? smallAmount(decimal) : amount(decimal))),
    amountShort: orNone((decimal) => (isBelow(decimal, 10_000) ? smallAmount(decimal) : shortAmount(decimal))),
    rate: orNone(rate),
    percent: orNone(percent),
    percentAxis,
    // The number is small: dividing it cannot lose a digit that is shown.
    percentOf: orNone((decimal) => percent(Number(decimal) / 100)),
    ratio: orNone(ratio),
    whole: orNone(whole),
    count: (value, noun) => `${whole(value)} ${noun}${value === 1 ? '' : 's'}`,
    signedUsd: orNone((decimal) => (isBelow(decimal, 0.01) ? signedTiny(decimal) : signedCents(decimal))),
  }
}

/** The formats of the browser's locale. */
export const numbers: NumberFormats = numberFormats()
