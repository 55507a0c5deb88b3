// An account's vault of one currency, its cost, and whether it is small.

import { costValue, factMember, member, nameIn, placeIn, smallValue, stateEntry } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { readVault, vaultValue } from '../chain/entries.ts'
import { type Changes, type FxdaoState, type VaultState, vaultName, vaultOf } from './state.ts'

type At = { readonly contract: ContractId; readonly owner: Address; readonly denomination: string }

const vaultAt = (state: FxdaoState, { contract, owner, denomination }: At): VaultState | null =>
  contract === state.vaultsContract ? vaultOf(state, owner, denomination) : null

export const vault = stateEntry<FxdaoState, Changes>()({
  key: '@{owner}:vault:{denomination}',
  value: vaultValue,
  read: readVault,
  place: (state, at) => placeIn(vaultAt(state, at), (of) => member(of, 'vault')),
  notices: { unreadable: 'a vault has an unknown layout' },
  onChange: ({ before, now }, { owner, denomination }, { state, changes }) => {
    // Another place in the list changes neither amount.
    if (now !== null && before?.collateral === now.collateral && before.debt === now.debt) return
    changes.vaults.add(vaultOf(state, owner, denomination))
  },
  docs: { under: 'vaults', from: '`Vault(owner, denomination)`', what: 'index, next of the list, collateral, debt' },
})

export const collateralCost = stateEntry<FxdaoState>()({
  key: '@{owner}:collateral_cost:{denomination}',
  value: costValue,
  place: (state, at) => placeIn(vaultAt(state, at), (of) => factMember(of, 'collateralCost')),
  docs: { under: 'vaults', from: 'fact', what: 'average cost of the collateral' },
})

export const debtCost = stateEntry<FxdaoState>()({
  key: '@{owner}:debt_cost:{denomination}',
  value: costValue,
  place: (state, at) => placeIn(vaultAt(state, at), (of) => factMember(of, 'debtCost')),
  docs: { under: 'vaults', from: 'fact', what: 'what the debt was worth when it was borrowed' },
})

/** Written with snapshots: `rememberSize`. */
export const smallVault = stateEntry<FxdaoState>()({
  key: '@{owner}:small:{denomination}',
  value: smallValue,
  place: ({ vaultsContract, smallVaults }, { contract, owner, denomination }) =>
    contract === vaultsContract ? nameIn(smallVaults, vaultName(owner, denomination)) : null,
  docs: { under: 'vaults', from: 'fact', what: 'there while the newest snapshot of the vault is below 1 USD' },
})
