// Applies the entries of one ledger to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and events are never summed up.

import {
  type ApplyContext,
  applyTokenInstance,
  isInstanceKey,
  type KeyedRecord,
  type LedgerContext,
  readBalanceHolder,
} from '@orrery/fold-kit'
import type { EntryRecord } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { readFactoryKey, readListedPair, readPairInstance, readPairKey } from '../chain/entries.ts'
import { readFactoryEvent } from '../chain/events.ts'
import { balance } from '../state/balance.ts'
import { Changes } from '../state/changes.ts'
import { factory } from '../state/factory.ts'
import { listing } from '../state/listing.ts'
import { pair } from '../state/pair.ts'
import { shares } from '../state/shares.ts'
import type { SoroswapState } from '../state/state.ts'
import type { Directory } from './directory.ts'

interface Context extends ApplyContext<SoroswapState, Changes> {
  readonly directory: Directory
}

/** Announcements first, then instances, then everything that needs to know a pair's tokens. */
export function applyRecords({ state, slice, journal }: LedgerContext<SoroswapState>, directory: Directory): Changes {
  const changes = new Changes()
  const context: Context = { state, journal, changes, directory }
  listAnnounced(slice, context)
  listBootstrapped(slice, context)
  markOwned(slice, context)
  const later: KeyedRecord[] = []
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    if (isInstanceKey(record.key)) applyInstance(record, context)
    else later.push(record)
  }
  for (const record of later) applyEntry(record, context)
  return changes
}

function listAnnounced(slice: Slice, context: Context): void {
  for (const { record } of slice.records) {
    if (record.kind !== 'event' || record.contract === null || !context.directory.isFactory(record.contract)) continue
    const event = readFactoryEvent(record)
    if (event.name === 'new_pair') listing.write(context, { contract: record.contract, pair: event.pair }, event)
  }
}

/**
 * Pairs that predate the index: those that the factory lists now and those that the registry names, each with its tokens by its own instance.
 * Tokens never change, so it does not matter that the bootstrap entry is younger than the ledger.
 */
function listBootstrapped(slice: Slice, context: Context): void {
  const { state, directory } = context
  const bootstrapped: EntryRecord[] = []
  for (const { record } of slice.records) if (record.kind === 'entry' && record.change === 'bootstrap') bootstrapped.push(record)
  const listed = new Set(bootstrapped.flatMap((record) => (directory.isFactory(record.contract) ? (readListedPair(record) ?? []) : [])))
  for (const { contract, key, value } of bootstrapped) {
    const known = state.pairs.get(contract)
    if (!(listed.has(contract) || known) || !isInstanceKey(key) || value === null || known?.listing) continue
    const instance = readPairInstance(value, contract)
    if (instance !== null) listing.infer(context, { contract: instance.factory, pair: contract }, { ...instance, index: null })
  }
}

/** A pair is owned when one of its records is. Balances are records of the token contracts; this finds their pair. */
function markOwned(slice: Slice, { state }: Context): void {
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass !== 'owned' || record.contract === null) continue
    const known = state.pairs.get(record.contract)
    if (known !== undefined && (record.kind === 'event' || ('key' in record && isInstanceKey(record.key)))) known.owned = true
  }
}

function applyInstance(record: KeyedRecord, context: Context): void {
  const { state, directory, journal } = context
  const { contract } = record
  const known = state.pairs.get(contract)
  if (directory.isFactory(contract)) factory.apply(record, { contract }, context)
  else if (known?.owned) pair.apply(record, { contract }, context)
  else if (known === undefined && !directory.isRouter(contract) && !directory.isPriceSource(contract))
    applyTokenInstance(state.assets, record, journal)
}

function applyEntry(record: KeyedRecord, context: Context): void {
  const { state, directory, journal } = context
  const { contract } = record
  if (directory.isFactory(contract)) {
    checkListing(record, context)
    return
  }
  if (state.pairs.get(contract)?.owned) {
    const key = readPairKey(record.key)
    if (key?.name === 'Balance') shares.apply(record, { contract, owner: key.values[0] }, context)
    if (key === null) journal.notice(contract, 'entry', 'unknown key of a pair')
  }
  const holder = readBalanceHolder(record.key)
  const holding = holder === null ? undefined : state.pairs.get(holder)
  if (holding?.owned && holding.tokens?.includes(contract)) balance.apply(record, { contract: holding.pair, token: contract }, context)
}

/** The factory's own list must have the pairs that its events announced. Pairs that predate the index have no such event. */
function checkListing(record: KeyedRecord, { state, journal }: Context): void {
  if (record.kind !== 'entry' || record.value === null) return
  const key = readFactoryKey(record.key)
  if (key === null) journal.notice(record.contract, 'entry', 'unknown key of the factory')
  if (key?.name !== 'PairAddressesNIndexed' || record.change !== 'created') return
  const listed = readListedPair(record)
  const known = listed === null ? undefined : state.pairs.get(listed)?.listing
  if (known?.index !== key.values[0]) journal.notice(record.contract, 'entry', 'the factory lists a pair that it did not announce')
}
