// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// A key that was never seen brings its old value along: the index began in the middle of its life.

import type { Address, ContractId, EntryRecord, EvictionRecord, TtlRecord } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import type { Directory } from './directory.ts'
import {
  type FactoryInstance,
  isInstanceKey,
  type PairInstance,
  readBalanceHolder,
  readFactoryInstance,
  readFactoryKey,
  readListedPair,
  readPairInstance,
  readPairKey,
  readShares,
  readTokenBalance,
  readTokenMetadata,
} from './entries.ts'
import { readFactoryEvent } from './events.ts'
import type { Journal } from './journal.ts'
import { holderOf, type Live, type PairState, pairOf, type SoroswapState, setShares } from './state.ts'
import { encode, stateKey } from './state-rows.ts'

type KeyedRecord = EntryRecord | TtlRecord | EvictionRecord

/** What changed in value, for snapshots and costs. A longer life is no change. */
export interface Changes {
  readonly pairs: Set<PairState>
  /** Shares at the ledger's start, of the holders whose shares changed. */
  readonly sharesBefore: Map<PairState, Map<Address, bigint>>
}

interface Context {
  readonly state: SoroswapState
  readonly journal: Journal
  readonly directory: Directory
  readonly ledger: number
  readonly changes: Changes
}

/** Announcements first, then instances, then everything that needs to know a pair's tokens. */
export function applyRecords(state: SoroswapState, slice: Slice, directory: Directory, journal: Journal): Changes {
  const changes: Changes = { pairs: new Set(), sharesBefore: new Map() }
  const context: Context = { state, journal, directory, ledger: slice.ledger, changes }
  for (const { record } of slice.records) {
    if (record.contract === null) continue
    if (record.kind === 'event' && directory.isFactory(record.contract)) {
      const event = readFactoryEvent(record)
      if (event.name === 'new_pair') listPair(record.contract, event.newPair, context)
    }
  }
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

function applyInstance(record: KeyedRecord, context: Context): void {
  const { state, directory } = context
  const pair = state.pairs.get(record.contract)
  if (directory.isFactory(record.contract)) applyFactory(record, context)
  else if (pair === undefined) {
    if (!directory.isRouter(record.contract)) applyToken(record, context)
  } else if (pair.owned) applyPair(pair, record, context)
}

function applyFactory(record: KeyedRecord, { state, journal }: Context): void {
  const factory = record.contract
  const write = (it: Live<FactoryInstance>): void => {
    state.factories.set(factory, it)
    journal.write({ ...named(it), value: encode.factory(it.value) })
  }
  const named = (it: Live<unknown>) =>
    ({ contract: factory, key: stateKey.factory, durability: 'persistent', shared: true, liveUntil: it.liveUntil }) as const
  const before = state.factories.get(factory) ?? null
  const next = nextLive(before, record, (value) => readFactoryInstance(value, factory))
  if (next === null) return
  if (before === null && record.kind === 'entry' && record.before !== null) {
    journal.infer({ ...named({ value: null, liveUntil: 0 }), value: encode.factory(readFactoryInstance(record.before, factory)) })
  }
  if (before === null || next.liveUntil !== before.liveUntil || encode.factory(next.value) !== encode.factory(before.value)) write(next)
}

function applyPair(pair: PairState, record: KeyedRecord, { journal, changes, ledger }: Context): void {
  const named = { contract: pair.pair, key: stateKey.pair, durability: 'persistent' } as const
  const before = pair.instance
  // Made but not initialised: nothing to say yet. It is initialised in the same operation.
  if (record.kind === 'entry' && record.value !== null && readPairInstance(record.value, pair.pair) === null) return
  const next = nextLive(before, record, (value) => readPairInstance(value, pair.pair) as PairInstance)
  if (next === null) return
  if (before === null && record.kind === 'entry' && record.before !== null) {
    const old = readPairInstance(record.before, pair.pair)
    if (old !== null) journal.infer({ ...named, value: encode.pair(old) })
  }
  const text = encode.pair(next.value)
  const changed = before === null || encode.pair(before.value) !== text
  if (!changed && next.liveUntil === before.liveUntil) return
  pair.instance = next
  pair.tokens = [next.value.token0, next.value.token1]
  if (pair.factory === '') pair.factory = next.value.factory
  journal.write({ ...named, value: text, liveUntil: next.liveUntil })
  if (changed) {
    pair.changedLedger = ledger
    changes.pairs.add(pair)
  }
}

/** A token's own instance: its name and decimals, where the registry does not tell them. */
function applyToken(record: KeyedRecord, { state, journal }: Context): void {
  if (record.kind !== 'entry' || record.value === null) return
  const metadata = readTokenMetadata(record.value, record.contract)
  if (metadata === null) return
  const value = encode.asset(metadata)
  const before = state.assets.get(record.contract)
  if (before !== undefined && encode.asset(before) === value) return
  state.assets.set(record.contract, metadata)
  journal.write({ contract: record.contract, key: stateKey.asset, value, durability: 'fact', shared: true })
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

/** The factory's own list must know the pairs that its events announced. */
function checkListing(record: KeyedRecord, { state, journal }: Context): void {
  if (record.kind !== 'entry' || record.value === null) return
  const key = readFactoryKey(record.key)
  if (key.kind === 'unknown') journal.notice(record.contract, 'entry', 'unknown key of the factory')
  if (key.kind !== 'pair_by_index') return
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
  const named = { contract: pair.pair, key: stateKey.shares(holder), owner: holder, durability: 'persistent' } as const
  if (record.kind === 'entry' && record.value === null) {
    // A pair never removes a balance: it leaves a zero. The last value stands, as in an archive.
    journal.notice(pair.pair, 'entry', 'a balance of shares was removed')
    return
  }
  const before = holderOf(pair, holder).shares
  const next = nextLive(before, record, readShares)
  if (next === null) {
    if (record.kind === 'entry') journal.notice(pair.pair, 'entry', 'unreadable balance of shares')
    return
  }
  let old = before?.value ?? 0n
  if (before === null && record.kind === 'entry' && record.before !== null) {
    old = readShares(record.before) ?? 0n
    journal.infer({ ...named, value: encode.amount(old) })
  }
  if (before !== null && next.value === before.value && next.liveUntil === before.liveUntil) return
  setShares(pair, holder, next)
  journal.write({ ...named, value: encode.amount(next.value), liveUntil: next.liveUntil })
  if (next.value === old) return
  changes.pairs.add(pair)
  const ofPair = changes.sharesBefore.get(pair) ?? new Map<Address, bigint>()
  changes.sharesBefore.set(pair, ofPair)
  if (!ofPair.has(holder)) ofPair.set(holder, old)
}

function applyBalance(pair: PairState, record: KeyedRecord, { journal, changes }: Context): void {
  const named = { contract: pair.pair, key: stateKey.balance(record.contract), durability: 'persistent' } as const
  const before = pair.balances.get(record.contract) ?? null
  // A token may drop an empty balance: that is a zero.
  const next = record.kind === 'entry' && record.value === null ? { value: 0n, liveUntil: 0 } : nextLive(before, record, readTokenBalance)
  if (next === null) {
    if (record.kind === 'entry') journal.notice(record.contract, 'entry', 'unreadable balance of a token')
    return
  }
  if (before === null && record.kind === 'entry' && record.before !== null) {
    const old = readTokenBalance(record.before)
    if (old !== null) journal.infer({ ...named, value: encode.amount(old) })
  }
  if (before !== null && next.value === before.value && next.liveUntil === before.liveUntil) return
  pair.balances.set(record.contract, next)
  journal.write({ ...named, value: encode.amount(next.value), liveUntil: next.liveUntil })
  if (next.value !== before?.value) changes.pairs.add(pair)
}

/**
 * What an entry is after a record, or null when the record says nothing: a life told of an entry whose value nobody knows,
 * a removal, or a value that `read` refuses. An evicted entry keeps its value: it is archived, and its life is over.
 */
function nextLive<T>(before: Live<T> | null, record: KeyedRecord, read: (value: Uint8Array) => T | null): Live<T> | null {
  switch (record.kind) {
    case 'ttl':
      return before === null ? null : { value: before.value, liveUntil: record.liveUntil }
    case 'evicted':
      return null
    case 'entry': {
      const value = record.value === null ? null : read(record.value)
      return value === null ? null : { value, liveUntil: record.liveUntil ?? before?.liveUntil ?? 0 }
    }
  }
}
