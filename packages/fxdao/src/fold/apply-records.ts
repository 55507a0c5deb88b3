// Applies the entries of one ledger to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and calls are never summed up.

import {
  type ApplyContext,
  applyTokenInstance,
  isInstanceKey,
  type KeyedRecord,
  type LedgerContext,
  readBalanceHolder,
} from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { readLockingInstance, readLockingKey, readVaultsInstance, readVaultsKey } from '../chain/entries.ts'
import { balance } from '../state/entries.ts'
import { deposit, pool, rewardsAsset } from '../state/locking.ts'
import { Changes, type FxdaoState } from '../state/state.ts'
import { vault } from '../state/vault.ts'
import { core, currency, totals } from '../state/vaults-instance.ts'

type Context = ApplyContext<FxdaoState, Changes>

/** @param priceSources Contracts that are tracked for prices only. */
export function applyRecords({ state, slice, journal }: LedgerContext<FxdaoState>, priceSources: ReadonlySet<ContractId>): Changes {
  const changes = new Changes()
  const context: Context = { state, journal, changes }
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    if (record.contract === state.vaultsContract) applyVaults(record, context)
    else if (state.locking.has(record.contract)) applyLocking(record, context)
    else if (recordClass === 'owned') applyBalance(record, context)
    else if (isInstanceKey(record.key) && !priceSources.has(record.contract)) applyTokenInstance(state.assets, record, journal)
  }
  return changes
}

function applyVaults(record: KeyedRecord, context: Context): void {
  const { contract } = record
  const key = readVaultsKey(record.key)
  switch (key.kind) {
    case 'instance':
      applyVaultsInstance(record, context)
      return
    case 'vault':
      vault.apply(record, { contract, owner: key.owner, denomination: key.denomination }, context)
      return
    case 'index': // the vault has it as well
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key')
  }
}

/** One entry holds the settings, the currencies and their totals; each is stored separately. */
function applyVaultsInstance(record: KeyedRecord, context: Context): void {
  const { state, journal } = context
  const { contract } = record
  const denominations = new Set([...state.currencies.keys(), ...state.totals.keys()])
  if (record.kind === 'entry') {
    for (const value of [record.before, record.value]) {
      const instance = value === null ? null : readVaultsInstance(value, contract)
      if (instance !== null) for (const name of [...instance.currencies.keys(), ...instance.totals.keys()]) denominations.add(name)
      else if (value !== null && value === record.value) journal.notice(contract, 'entry', 'settings of the vaults have an unknown layout')
    }
  }
  core.apply(record, { contract }, context)
  for (const denomination of [...denominations].sort()) {
    currency.apply(record, { contract, denomination }, context)
    totals.apply(record, { contract, denomination }, context)
  }
}

function applyLocking(record: KeyedRecord, context: Context): void {
  const { contract } = record
  const key = readLockingKey(record.key)
  switch (key.kind) {
    case 'instance':
      if (record.kind === 'entry' && record.value !== null && readLockingInstance(record.value, contract) === null)
        context.journal.notice(contract, 'entry', 'settings of a locking pool have an unknown layout')
      rewardsAsset.apply(record, { contract }, context)
      return
    case 'pool':
      pool.apply(record, { contract, asset: key.asset }, context)
      return
    case 'deposit':
      deposit.apply(record, { contract, owner: key.owner, asset: key.asset }, context)
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key')
  }
}

/** `Balance(holder)` of a token that the vaults or a locking pool hold. */
function applyBalance(record: KeyedRecord, context: Context): void {
  const { state } = context
  const holder = readBalanceHolder(record.key)
  if (holder === null || (holder !== state.vaultsContract && !state.locking.has(holder))) return
  balance.apply(record, { contract: holder, token: record.contract }, context)
}
