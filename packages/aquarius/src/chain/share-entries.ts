// Entries of a share token: balances of shares, a bare i128, and allowances, which move nothing.
// Source: soroban-amm token/src/{balance,allowance}.rs.

import { address, any, i128, matches, type Of, variant } from '@orrery/ledger'

const ShareKey = variant({ Balance: [address], Allowance: [any] })

/** Null: the key of something else. */
export const readShareKey = (key: Uint8Array): Of<typeof ShareKey> | null => matches(ShareKey, key)

/** Shares of a holder. Null when it is something else. */
export const readShares = (value: Uint8Array): bigint | null => matches(i128, value)
