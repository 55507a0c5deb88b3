// Shares that holders burnt by themselves: gone from balances, and counted by the pool for ever.

import { burnt } from '../state/entries.ts'
import type { Movement } from './action.ts'
import type { Moment } from './ledger-end.ts'

export function countBurnt(moment: Moment, movements: readonly Movement[]): void {
  for (const { kind, pool: contract, shares } of movements) {
    const pool = kind === 'burn' ? moment.state.pools.get(contract) : undefined
    if (pool !== undefined) burnt.write(moment, { contract }, pool.burntShares + shares)
  }
}
