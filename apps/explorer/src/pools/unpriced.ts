// Pools without any price: their value of 0 is unknown, not nothing.

import type { PoolReserve } from '@orrery/client'

/** Whether no token of a pool has a price. */
export function isUnpriced(reserves: readonly PoolReserve[]): boolean {
  return reserves.length > 0 && reserves.every(({ supplied_usd }) => supplied_usd === null)
}
