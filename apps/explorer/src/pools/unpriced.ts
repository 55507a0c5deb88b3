// Pools without any price: their value of 0 is unknown, not nothing.

import type { PoolReserve } from '@orrery/client'

/** Whether no token that a pool holds has a price. */
export function isUnpriced(reserves: readonly PoolReserve[]): boolean {
  const held = reserves.filter(({ supplied, supplied_usd }) => supplied_usd === null || Number(supplied) !== 0)
  return held.length > 0 && held.every(({ supplied_usd }) => supplied_usd === null)
}
