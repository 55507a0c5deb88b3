// A currency counts as a pool, although one contract serves all currencies.

/** Names a currency where pools are named: `fxdao:USD`. */
export function poolOfCurrency(denomination: string): string {
  return `fxdao:${denomination}`
}
