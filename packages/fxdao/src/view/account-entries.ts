// The entries of an account in FxDAO: one vault of each currency, and one deposit of each asset in a locking pool.

import type { AccountEntries, EntryName } from '@orrery/protocol-kit'
import { depositKey, vaultKey } from '../chain/entries.ts'
import { ENTRIES } from '../state/entries.ts'
import type { FxdaoState } from '../state/state.ts'
import { poolOfCurrency } from './currency-pool.ts'

export const accountEntries: AccountEntries<FxdaoState> = {
  listings: ({ deployments }) => deployments.fxdao.slice(0, 1).flatMap(({ vaults, lockingPools }) => [vaults, ...lockingPools]),
  poolKeys: [],
  predatingPools: ({ currencies, locking }) => [...[...currencies.keys()].map(poolOfCurrency), ...locking.keys()].sort(),
  poolOf(row) {
    // Of an account's rows only those of a vault name a currency.
    const currency = row.owner === '' ? undefined : ENTRIES.readKey(row)?.at.denomination
    return currency === undefined ? row.contract : poolOfCurrency(currency)
  },
  names(pool, address, _, { vaultsContract, currencies, locking }): EntryName[] {
    const currency = [...currencies.keys()].find((denomination) => poolOfCurrency(denomination) === pool)
    if (currency !== undefined) return [{ contract: vaultsContract, key: vaultKey(address, currency), durability: 'persistent' }]
    const assets = [...(locking.get(pool)?.pools.keys() ?? [])]
    return assets.map((asset) => ({ contract: pool, key: depositKey(asset, address), durability: 'persistent' }))
  },
}
