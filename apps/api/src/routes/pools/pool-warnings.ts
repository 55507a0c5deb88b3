// What is missing from the value of a pool.

import type { PoolEntry } from '../../present/pools/pool-item.ts'
import type { Warning } from '../../warnings.ts'

/** `at`: JSON pointer of the pool. */
export function poolWarnings({ item, isUnpriced, hasUnknownDecimals }: PoolEntry, at: string): Warning[] {
  const path = `${at}/tvl_usd`
  const pool = item.name === '' ? item.pool_id : item.name
  // Without decimals an amount cannot be valued: one warning names the cause.
  if (hasUnknownDecimals) {
    return [{ code: 'unknown_decimals', message: `The value of ${pool} lacks a token whose decimals are unknown.`, path }]
  }
  return isUnpriced ? [{ code: 'unpriced_asset', message: `The value of ${pool} lacks a token without a price.`, path }] : []
}
