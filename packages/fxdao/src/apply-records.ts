// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from calls.

import {
  applyTo,
  applyTokenInstance,
  type Cell,
  isInstanceKey,
  type Journal,
  type KeyedRecord,
  type Live,
  readBalanceHolder,
  readTokenBalance,
} from '@orrery/fold-kit'
import { type ContractId, sc, writeScVal } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import {
  readLockedDeposit,
  readLockingInstance,
  readLockingKey,
  readLockingPool,
  readVault,
  readVaultsInstance,
  readVaultsKey,
  type VaultsInstance,
} from './entries.ts'
import { type FxdaoState, type LockingState, type StakeState, stakeOf, type VaultState, vaultOf } from './state.ts'
import { encode, stateKey } from './state-rows.ts'

const NO_BALANCE = writeScVal(sc.i128(0n))

/** What changed in value, for snapshots. A longer life, and another place in the list, is no change. */
export interface Changes {
  readonly vaults: Set<VaultState>
  /** Denominations whose conditions or totals changed. */
  readonly currencies: Set<string>
  readonly stakes: Set<StakeState>
  readonly locking: Set<LockingState>
}

interface Context {
  readonly state: FxdaoState
  readonly journal: Journal
  readonly changes: Changes
  isPriceSource(contract: ContractId): boolean
}

export function applyRecords(state: FxdaoState, slice: Slice, isPriceSource: (contract: ContractId) => boolean, journal: Journal): Changes {
  const changes: Changes = { vaults: new Set(), currencies: new Set(), stakes: new Set(), locking: new Set() }
  const context: Context = { state, journal, changes, isPriceSource }
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    const locking = state.locking.get(record.contract)
    if (record.contract === state.vaultsContract) applyVaults(record, context)
    else if (locking !== undefined) applyLocking(locking, record, context)
    else if (recordClass === 'owned') applyBalance(record, context)
    else if (isInstanceKey(record.key) && !isPriceSource(record.contract)) applyTokenInstance(state.assets, record, journal)
  }
  return changes
}

function applyVaults(record: KeyedRecord, context: Context): void {
  const { state, journal, changes } = context
  const key = readVaultsKey(record.key)
  switch (key.kind) {
    case 'instance':
      applyVaultsInstance(record, context)
      return
    case 'vault': {
      const vault = vaultOf(state, key.owner, key.denomination)
      const outcome = applyTo(
        cell(
          { contract: record.contract, key: stateKey.vault(key.owner, key.denomination), owner: key.owner },
          () => vault.vault,
          (live) => (vault.vault = live),
          readVault,
          encode.vault,
        ),
        record,
        journal,
      )
      if (outcome.kind === 'unreadable') journal.notice(record.contract, 'entry', 'a vault has an unknown layout')
      if (outcome.kind === 'removed') changes.vaults.add(vault)
      if (outcome.kind !== 'changed') return
      const { before, now } = outcome
      if (before?.collateral !== now.collateral || before.debt !== now.debt) changes.vaults.add(vault)
      return
    }
    case 'index': // the vault says it as well
      return
    case 'unknown':
      journal.notice(record.contract, 'entry', 'unknown key')
  }
}

/** One entry holds the settings, the currencies and their totals; each of them is remembered by itself. */
function applyVaultsInstance(record: KeyedRecord, { state, journal, changes }: Context): void {
  const { contract } = record
  const names = new Set([...state.currencies.keys(), ...state.totals.keys()])
  if (record.kind === 'entry') {
    for (const value of [record.before, record.value]) {
      const instance = value === null ? null : readVaultsInstance(value, contract)
      if (instance !== null) for (const name of [...instance.currencies.keys(), ...instance.totals.keys()]) names.add(name)
      else if (value !== null && value === record.value) journal.notice(contract, 'entry', 'settings of the vaults have an unknown layout')
    }
  }
  const part = <T>(pick: (instance: VaultsInstance) => T | null | undefined) => {
    return (value: Uint8Array): T | null => {
      const instance = readVaultsInstance(value, contract)
      return instance === null ? null : (pick(instance) ?? null)
    }
  }
  applyTo(
    cell(
      { contract, key: stateKey.core },
      () => state.core,
      (live) => (state.core = live),
      part((it) => it.core),
      encode.core,
    ),
    record,
    journal,
  )
  for (const name of [...names].sort()) {
    const currency = applyTo(
      mapCell(
        { contract, key: stateKey.currency(name) },
        state.currencies,
        name,
        part((it) => it.currencies.get(name)),
        encode.currency,
      ),
      record,
      journal,
    )
    const totals = applyTo(
      mapCell(
        { contract, key: stateKey.totals(name) },
        state.totals,
        name,
        part((it) => it.totals.get(name)),
        encode.totals,
      ),
      record,
      journal,
    )
    if (currency.kind === 'changed' || totals.kind === 'changed') changes.currencies.add(name)
  }
}

function applyLocking(locking: LockingState, record: KeyedRecord, { journal, changes }: Context): void {
  const { contract } = record
  const key = readLockingKey(record.key)
  switch (key.kind) {
    case 'instance':
      if (record.kind === 'entry' && record.value !== null && readLockingInstance(record.value, contract) === null)
        journal.notice(contract, 'entry', 'settings of a locking pool have an unknown layout')
      applyTo(
        cell(
          { contract, key: stateKey.rewardsAsset },
          () => locking.rewardsAsset,
          (live) => (locking.rewardsAsset = live),
          (value) => readLockingInstance(value, contract)?.rewardsAsset ?? null,
          encode.address,
        ),
        record,
        journal,
      )
      return
    case 'pool': {
      const outcome = applyTo(
        mapCell({ contract, key: stateKey.pool(key.asset) }, locking.pools, key.asset, readLockingPool, encode.pool),
        record,
        journal,
      )
      if (outcome.kind === 'changed' || outcome.kind === 'removed') changes.locking.add(locking)
      if (outcome.kind === 'unreadable') journal.notice(contract, 'entry', 'a locking pool has an unknown layout')
      return
    }
    case 'deposit': {
      const stake = stakeOf(locking, key.owner, key.asset)
      const outcome = applyTo(
        cell(
          { contract, key: stateKey.deposit(key.owner, key.asset), owner: key.owner },
          () => stake.deposit,
          (live) => (stake.deposit = live),
          readLockedDeposit,
          encode.deposit,
        ),
        record,
        journal,
      )
      if (outcome.kind === 'changed' || outcome.kind === 'removed') {
        changes.stakes.add(stake)
        changes.locking.add(locking)
      }
      if (outcome.kind === 'unreadable') journal.notice(contract, 'entry', 'a locked deposit has an unknown layout')
      return
    }
    case 'unknown':
      journal.notice(contract, 'entry', 'unknown key')
  }
}

/** `Balance(holder)` of a token that the vaults or a locking pool hold. */
function applyBalance(record: KeyedRecord, { state, journal }: Context): void {
  const holder = readBalanceHolder(record.key)
  const balances = holder === state.vaultsContract ? state.balances : state.locking.get(holder ?? '')?.balances
  if (holder === null || balances === undefined) return
  const token = record.contract
  // An emptied balance may be removed: then there is nothing.
  const emptied = record.kind === 'entry' && record.value === null ? { ...record, value: NO_BALANCE } : record
  applyTo(mapCell({ contract: holder, key: stateKey.balance(token) }, balances, token, readTokenBalance, encode.amount), emptied, journal)
}

function cell<T>(
  row: Cell<T>['row'],
  get: () => Live<T> | null,
  put: (live: Live<T> | null) => void,
  read: Cell<T>['read'],
  encodeValue: Cell<T>['encode'],
): Cell<T> {
  return { row, get, set: put, delete: () => put(null), read, encode: encodeValue }
}

function mapCell<T>(
  row: Cell<T>['row'],
  map: Map<string, Live<T>>,
  name: string,
  read: Cell<T>['read'],
  encodeValue: Cell<T>['encode'],
): Cell<T> {
  const put = (live: Live<T> | null) => (live === null ? map.delete(name) : map.set(name, live))
  return cell(row, () => map.get(name) ?? null, put, read, encodeValue)
}
