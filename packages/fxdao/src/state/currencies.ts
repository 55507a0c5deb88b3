// Currencies with their conditions and totals: parts of the instance of the vaults, each stored separately.

import { item, type Place, stateEntry } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { currencyTotals, currencyValue, readVaultsInstance } from '../chain/entries.ts'
import type { Changes } from './changes.ts'
import type { FxdaoState } from './state.ts'

type At = { readonly contract: ContractId; readonly denomination: string }

export const currency = stateEntry<FxdaoState, Changes>()({
  key: 'currency:{denomination}',
  value: currencyValue,
  read: (bytes, { contract, denomination }) => readVaultsInstance(bytes, contract)?.currencies.get(denomination) ?? null,
  place: (state, at) => placeWithLedger(state, at, item(state.currencies, at.denomination)),
  onChange: ({ now }, { denomination }, { changes }) => {
    if (now !== null) changes.currencies.add(denomination)
  },
  docs: { under: 'vaults', from: 'instance', what: 'whether it is active, its coin' },
})

export const totals = stateEntry<FxdaoState, Changes>()({
  key: 'totals:{denomination}',
  value: currencyTotals,
  read: (bytes, { contract, denomination }) => readVaultsInstance(bytes, contract)?.totals.get(denomination) ?? null,
  place: (state, at) => placeWithLedger(state, at, item(state.totals, at.denomination)),
  onChange: ({ now }, { denomination }, { changes }) => {
    if (now !== null) changes.currencies.add(denomination)
  },
  docs: { under: 'vaults', from: 'instance', what: 'conditions, first of the list, stored totals' },
})

/** A place of a currency that also stores the ledger of its newest row. */
function placeWithLedger<T>(
  { vaultsContract, changedLedgers }: FxdaoState,
  { contract, denomination }: At,
  place: Place<T>,
): Place<T> | null {
  if (contract !== vaultsContract) return null
  return {
    get: place.get,
    set: (live, ledger) => {
      place.set(live, ledger)
      changedLedgers.set(denomination, Math.max(ledger, changedLedgers.get(denomination) ?? 0))
    },
  }
}
