// A price with a change in percent, exact: the API takes decimal text.

/** @param price Decimal text without a sign or an exponent. @param percent Whole, above -100. */
export function changedPrice(price: string, percent: number): string {
  const [whole = '0', part = ''] = price.split('.')
  const digits = (BigInt(whole + part) * BigInt(100 + percent)).toString().padStart(part.length + 3, '0')
  const point = digits.length - part.length - 2
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, '')
}
