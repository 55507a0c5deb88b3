// The entries of an account in FxDAO: one vault of each currency, and one deposit of each asset in a locking pool.

import type { ContractId } from '@orrery/ledger'
import type { AccountEntries, EntryName, Network } from '@orrery/protocol-kit'
import { depositKey, vaultKey } from '../chain/entries.ts'
import { ENTRIES } from '../state/entries.ts'
import type { FxdaoState } from '../state/state.ts'
import { poolOfCurrency } from './asset.ts'

/** The vaults and the locking pools. One deployment holds everything. */
export function contractsOf({ deployments }: Pick<Network, 'deployments'>): readonly ContractId[] {
  return deployments.fxdao.slice(0, 1).flatMap(({ vaults, lockingPools }) => [vaults, ...lockingPools])
}

export const accountEntries: AccountEntries<FxdaoState> = {
  listings: contractsOf,
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
