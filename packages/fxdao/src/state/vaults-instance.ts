// The instance of the vaults: the settings, and currencies with their conditions and totals. Each is stored separately.

import { type Change, item, member, type Place, stateEntry } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { coreState, currencyTotals, currencyValue, readVaultsInstance } from '../chain/entries.ts'
import type { Changes, FxdaoState } from './state.ts'

type At = { readonly contract: ContractId; readonly denomination: string }

/** The currency gets a snapshot. */
function currencyChanged({ now }: Change<unknown>, { denomination }: At, { changes }: { readonly changes: Changes }): void {
  if (now !== null) changes.currencies.add(denomination)
}

export const core = stateEntry<FxdaoState>()({
  key: 'core',
  value: coreState,
  read: (bytes, { contract }) => readVaultsInstance(bytes, contract)?.core ?? null,
  place: (state, { contract }) => (contract === state.vaultsContract ? member(state, 'core') : null),
  docs: { under: 'vaults', from: 'instance', what: 'administration, fee, oracle, treasury, panic mode' },
})

export const currency = stateEntry<FxdaoState, Changes>()({
  key: 'currency:{denomination}',
  value: currencyValue,
  read: (bytes, { contract, denomination }) => readVaultsInstance(bytes, contract)?.currencies.get(denomination) ?? null,
  place: (state, at) => placeWithLedger(state, at, item(state.currencies, at.denomination)),
  onChange: currencyChanged,
  docs: { under: 'vaults', from: 'instance', what: 'whether it is active, its coin' },
})

export const totals = stateEntry<FxdaoState, Changes>()({
  key: 'totals:{denomination}',
  value: currencyTotals,
  read: (bytes, { contract, denomination }) => readVaultsInstance(bytes, contract)?.totals.get(denomination) ?? null,
  place: (state, at) => placeWithLedger(state, at, item(state.totals, at.denomination)),
  onChange: currencyChanged,
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
