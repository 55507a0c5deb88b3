// Shares that holders burnt by themselves: gone from balances, and counted by the pool for ever.

import type { Movement } from './action.ts'
import { encode } from './encode.ts'
import type { Moment } from './moment.ts'
import { stateKey } from './state-keys.ts'

export function countBurnt({ state, journal }: Moment, movements: readonly Movement[]): void {
  for (const { kind, pool: contract, shares } of movements) {
    const pool = kind === 'burn' ? state.pools.get(contract) : undefined
    if (pool === undefined) continue
    pool.burntShares += shares
    journal.write({ contract, key: stateKey.burnt, durability: 'fact', value: encode.amount(pool.burntShares) })
  }
}
