// Shares that holders burnt by themselves: gone from balances, and counted by the pool for ever.

import { encode } from '../state/encode.ts'
import { stateKey } from '../state/state-keys.ts'
import type { Movement } from './action.ts'
import type { Moment } from './ledger-end.ts'

export function countBurnt({ state, journal }: Moment, movements: readonly Movement[]): void {
  for (const { kind, pool: contract, shares } of movements) {
    const pool = kind === 'burn' ? state.pools.get(contract) : undefined
    if (pool === undefined) continue
    pool.burntShares += shares
    journal.write({ contract, key: stateKey.burnt, durability: 'fact', value: encode.amount(pool.burntShares) })
  }
}
