// What an account has in FxDAO: one vault of each currency, and one deposit of each asset in a locking pool.

import type { AccountEntries, EntryName } from '@orrery/protocol-kit'
import { depositKey, vaultKey } from './entries.ts'
import { poolOfCurrency } from './snapshots.ts'
import type { FxdaoState } from './state.ts'
import { vaultCurrency } from './state-rows.ts'

export const accountEntries: AccountEntries<FxdaoState> = {
  listings: ({ deployments }) => deployments.fxdao.slice(0, 1).flatMap(({ vaults, lockingPools }) => [vaults, ...lockingPools]),
  poolKeys: [],
  olderPools: ({ currencies, locking }) => [...[...currencies.keys()].map(poolOfCurrency), ...locking.keys()].sort(),
  poolOf(row) {
    const currency = vaultCurrency(row)
    return currency === null ? row.contract : poolOfCurrency(currency)
  },
  names(pool, address, _, { vaultsContract, currencies, locking }): EntryName[] {
    const currency = [...currencies.keys()].find((denomination) => poolOfCurrency(denomination) === pool)
    if (currency !== undefined) return [{ contract: vaultsContract, key: vaultKey(address, currency), durability: 'persistent' }]
    const assets = [...(locking.get(pool)?.pools.keys() ?? [])]
    return assets.map((asset) => ({ contract: pool, key: depositKey(asset, address), durability: 'persistent' }))
  },
}
