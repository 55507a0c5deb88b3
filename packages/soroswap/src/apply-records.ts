// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// A key that was never seen brings its old value along: the index began in the middle of its life.

import {
  applyTo,
  applyTokenInstance,
  type Cell,
  isInstanceKey,
  type Journal,
  type KeyedRecord,
  readBalanceHolder,
  readTokenBalance,
} from '@orrery/fold-kit'
import { type Address, type ContractId, type EntryRecord, sc, writeScVal } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import type { Directory } from './directory.ts'
import {
  type FactoryInstance,
  type PairInstance,
  readFactoryInstance,
  readFactoryKey,
  readListedPair,
  readPairInstance,
  readPairKey,
  readShares,
} from './entries.ts'
import { readFactoryEvent } from './events.ts'
import { type PairContents, type PairState, pairOf, type SoroswapState, setShares } from './state.ts'
import { encode, stateKey } from './state-rows.ts'

const NO_BALANCE = writeScVal(sc.i128(0n))

/** What changed in value, for snapshots and costs. A longer life is no change. */
export interface Changes {
  readonly pairs: Set<PairState>
  /** Shares at the ledger's start, of the holders whose shares changed. */
  readonly sharesBefore: Map<PairState, Map<Address, bigint>>
  /** Changed pairs as they were at the ledger's start, where their instance was known. */
  readonly pairsBefore: Map<PairState, PairContents>
}

interface Context {
  readonly state: SoroswapState
  readonly journal: Journal
  readonly directory: Directory
  readonly changes: Changes
}

/** Announcements first, then instances, then everything that needs to know a pair's tokens. */
export function applyRecords(state: SoroswapState, slice: Slice, directory: Directory, journal: Journal): Changes {
  const changes: Changes = { pairs: new Set(), sharesBefore: new Map(), pairsBefore: new Map() }
  const context: Context = { state, journal, directory, changes }
  for (const { record } of slice.records) {
    if (record.contract === null) continue
    if (record.kind === 'event' && directory.isFactory(record.contract)) {
      const event = readFactoryEvent(record)
      if (event.name === 'new_pair') listPair(record.contract, event.newPair, context)
    }
  }
  learnPairs(slice, context)
  // A pair is ours when something of it is: token balances of others come by their own contracts and are told apart by this.
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass !== 'owned' || record.contract === null) continue
    const pair = state.pairs.get(record.contract)
    if (pair !== undefined && (record.kind === 'event' || ('key' in record && isInstanceKey(record.key)))) pair.owned = true
  }
  const later: KeyedRecord[] = []
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    if (isInstanceKey(record.key)) applyInstance(record, context)
    else later.push(record)
  }
  for (const record of later) applyEntry(record, context)
  return changes
}

function listPair(
  factory: ContractId,
  { pair, token0, token1, index }: { pair: ContractId; token0: ContractId; token1: ContractId; index: number },
  { state, journal }: Context,
): void {
  const known = pairOf(state, pair)
  const tokens = [token0, token1] as const
  known.factory = factory
  known.tokens = tokens
  known.listing = { index }
  journal.write({ contract: factory, key: stateKey.listing(pair), value: encode.listing(tokens, index), durability: 'fact', shared: true })
}

/**
 * Pairs that are older than the index: those that the factory lists now and those that the registry names, each with its tokens by its own
 * instance. Tokens never change, so it does not matter that the answer is younger than the ledger.
 */
function learnPairs(slice: Slice, { state, journal, directory }: Context): void {
  const adopted = slice.records.flatMap(({ record }) => (record.kind === 'entry' && record.change === 'adopted' ? [record] : []))
  const listed = new Set(adopted.flatMap((record) => (directory.isFactory(record.contract) ? (listedPairOf(record) ?? []) : [])))
  for (const { contract, key, value } of adopted) {
    const known = state.pairs.get(contract)
    if (!(listed.has(contract) || known) || !isInstanceKey(key) || value === null || known?.listing) continue
    const instance = readPairInstance(value, contract)
    if (instance === null) continue
    const tokens = [instance.token0, instance.token1] as const
    const pair = pairOf(state, contract)
    pair.factory = instance.factory
    pair.tokens = tokens
    const row = { contract: instance.factory, key: stateKey.listing(contract), value: encode.listing(tokens, null) }
    journal.infer({ ...row, durability: 'fact', shared: true })
  }
}

function listedPairOf({ key, value }: EntryRecord): ContractId | null {
  return value !== null && readFactoryKey(key).kind === 'pair_by_index' ? readListedPair(value) : null
}

function applyInstance(record: KeyedRecord, context: Context): void {
  const { state, directory } = context
  const pair = state.pairs.get(record.contract)
  if (directory.isFactory(record.contract)) applyFactory(record, context)
  else if (pair === undefined) {
    if (!directory.isRouter(record.contract) && !directory.isPriceSource(record.contract))
      applyTokenInstance(context.state.assets, record, context.journal)
  } else if (pair.owned) applyPair(pair, record, context)
}

function applyFactory(record: KeyedRecord, { state, journal }: Context): void {
  const factory = record.contract
  const cell: Cell<FactoryInstance> = {
    row: { contract: factory, key: stateKey.factory, shared: true },
    get: () => state.factories.get(factory) ?? null,
    set: (live) => state.factories.set(factory, live),
    read: (value) => readFactoryInstance(value, factory),
    encode: encode.factory,
  }
  applyTo(cell, record, journal)
}

function applyPair(pair: PairState, record: KeyedRecord, { journal, changes }: Context): void {
  const cell: Cell<PairInstance> = {
    row: { contract: pair.pair, key: stateKey.pair },
    get: () => pair.instance,
    set: (live, ledger) => {
      if (ledger === journal.ledger) rememberPair(pair, changes)
      pair.instance = live
      pair.changedLedger = ledger
      pair.tokens = [live.value.token0, live.value.token1]
      pair.factory ||= live.value.factory
    },
    read: (value) => readPairInstance(value, pair.pair),
    encode: encode.pair,
  }
  // Unreadable is one that was made and not initialised yet: that follows in the same operation.
  if (applyTo(cell, record, journal).kind === 'changed') changes.pairs.add(pair)
}

/** Called before the first change of a ledger. */
function rememberPair(pair: PairState, { pairsBefore }: Changes): void {
  if (pair.instance === null || pairsBefore.has(pair)) return
  pairsBefore.set(pair, { instance: pair.instance.value, balances: new Map(pair.balances) })
}

function applyEntry(record: KeyedRecord, context: Context): void {
  const { state, directory } = context
  if (directory.isFactory(record.contract)) {
    checkListing(record, context)
    return
  }
  const pair = state.pairs.get(record.contract)
  if (pair?.owned) applyPairEntry(pair, record, context)
  const holder = readBalanceHolder(record.key)
  const holding = holder === null ? undefined : state.pairs.get(holder)
  if (holding?.owned && holding.tokens?.includes(record.contract)) applyBalance(holding, record, context)
}

/** The factory's own list must know the pairs that its events announced. What it listed before the index began, no event told. */
function checkListing(record: KeyedRecord, { state, journal }: Context): void {
  if (record.kind !== 'entry' || record.value === null) return
  const key = readFactoryKey(record.key)
  if (key.kind === 'unknown') journal.notice(record.contract, 'entry', 'unknown key of the factory')
  if (key.kind !== 'pair_by_index' || record.change !== 'created') return
  const pair = readListedPair(record.value)
  const listing = pair === null ? undefined : state.pairs.get(pair)?.listing
  if (listing?.index !== key.index) journal.notice(record.contract, 'entry', 'the factory lists a pair that it did not announce')
}

function applyPairEntry(pair: PairState, record: KeyedRecord, context: Context): void {
  const key = readPairKey(record.key)
  if (key.kind === 'shares') applyShares(pair, key.holder, record, context)
  if (key.kind === 'unknown') context.journal.notice(pair.pair, 'entry', 'unknown key of a pair')
}

function applyShares(pair: PairState, holder: Address, record: KeyedRecord, { journal, changes }: Context): void {
  const cell: Cell<bigint> = {
    row: { contract: pair.pair, key: stateKey.shares(holder), owner: holder },
    get: () => pair.holders.get(holder)?.shares ?? null,
    set: (live) => setShares(pair, holder, live),
    read: readShares,
    encode: encode.amount,
  }
  const outcome = applyTo(cell, record, journal)
  if (outcome.kind === 'unreadable') journal.notice(pair.pair, 'entry', 'unreadable balance of shares')
  // A pair never removes a balance: it leaves a zero. The last value stands, as in an archive.
  if (record.kind === 'entry' && record.value === null) journal.notice(pair.pair, 'entry', 'a balance of shares was removed')
  if (outcome.kind !== 'changed') return
  // An entry of nothing, made for who never had a share (a transfer of zero): nobody's position.
  if (outcome.before === null && outcome.now === 0n) return
  changes.pairs.add(pair)
  const ofPair = changes.sharesBefore.get(pair) ?? new Map<Address, bigint>()
  changes.sharesBefore.set(pair, ofPair)
  if (!ofPair.has(holder)) ofPair.set(holder, outcome.before ?? 0n)
}

function applyBalance(pair: PairState, record: KeyedRecord, { journal, changes }: Context): void {
  const token = record.contract
  const cell: Cell<bigint> = {
    row: { contract: pair.pair, key: stateKey.balance(token) },
    get: () => pair.balances.get(token) ?? null,
    set: (live, ledger) => {
      if (ledger === journal.ledger) rememberPair(pair, changes)
      pair.balances.set(token, live)
    },
    read: readTokenBalance,
    encode: encode.amount,
  }
  // A token may drop an empty balance: that is a zero.
  const isGone = record.kind === 'entry' && record.value === null
  const outcome = applyTo(cell, isGone ? { ...record, value: NO_BALANCE } : record, journal)
  if (outcome.kind === 'unreadable') journal.notice(token, 'entry', 'unreadable balance of a token')
  if (outcome.kind === 'changed') changes.pairs.add(pair)
}
