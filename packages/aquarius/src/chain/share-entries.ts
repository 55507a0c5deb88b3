// Entries of a share token: balances of shares, a bare i128, and allowances, which move nothing.
// Source: soroban-amm token/src/{balance,allowance}.rs.

import { type Address, address, any, i128, matches, variant } from '@orrery/ledger'

export type ShareKey = { readonly kind: 'shares'; readonly holder: Address } | { readonly kind: 'allowance' } | { readonly kind: 'unknown' }

const ShareEntryKey = variant({ Balance: [address], Allowance: [any] })

export function readShareKey(key: Uint8Array): ShareKey {
  const read = matches(ShareEntryKey, key)
  if (read === null) return { kind: 'unknown' }
  return read.name === 'Balance' ? { kind: 'shares', holder: read.values[0] } : { kind: 'allowance' }
}

/** Shares of a holder. Null when it is something else. */
export function readShares(value: Uint8Array): bigint | null {
  return matches(i128, value)
}
