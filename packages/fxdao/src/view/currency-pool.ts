// A currency is a pool of its own: one contract serves them all.

/** Names a currency where pools are named: `fxdao:USD`. */
export function poolOfCurrency(denomination: string): string {
  return `fxdao:${denomination}`
}
