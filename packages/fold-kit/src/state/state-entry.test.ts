// What a declaration gives: rows and state from records, state from rows, and notices.

import { type EntryRecord, i128, matches, sc, writeScVal } from '@orrery/ledger'
import type { Slice, StateRow } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import type { KeyedRecord, LiveEntry } from './apply-entry.ts'
import { amountValue } from './common-values.ts'
import { Journal } from './journal.ts'
import { item } from './place.ts'
import { type FoldState, StateEntries, stateTable } from './state-entries.ts'
import { stateEntry } from './state-entry.ts'
import { only, text } from './stored-value.ts'

const POOL = 'C1'

interface Toy extends FoldState {
  readonly supplies: Map<string, LiveEntry<bigint>>
  readonly auctions: Map<string, LiveEntry<bigint>>
  readonly balances: Map<string, LiveEntry<bigint>>
  readonly ranges: Map<string, string>
}
const empty = (): Toy => ({
  ledger: 0,
  pricing: {} as Toy['pricing'],
  supplies: new Map(),
  auctions: new Map(),
  balances: new Map(),
  ranges: new Map(),
})

const docs = { under: 'pool', from: 'entry', what: 'an amount' }
const common = { value: amountValue, read: (bytes: Uint8Array) => matches(i128, bytes), docs }
const supply = stateEntry<Toy, string[]>()({
  ...common,
  key: 'supply',
  removal: 'kept',
  notices: { unreadable: 'unreadable supply', removed: 'a supply was removed' },
  place: ({ supplies }, { contract }) => (contract === POOL ? item(supplies, contract) : null),
  onChange: ({ before, now }, { contract }, { changes }) => changes.push(`${contract} ${before} -> ${now}`),
})
const auction = stateEntry<Toy, string[]>()({
  ...common,
  key: '@{owner}:auction:{type}',
  durability: 'temporary',
  place: ({ auctions }, { owner, type }) => item(auctions, `${owner} ${type}`),
  onChange: ({ before, now }, { owner, type }, { changes }) => changes.push(`${owner} ${type} ${before} -> ${now}`),
})
const balance = stateEntry<Toy, string[]>()({
  ...common,
  key: 'balance:{token}',
  removal: { means: 0n },
  place: ({ balances }, { token }) => item(balances, token),
})
const range = stateEntry<Toy>()({
  key: '@{owner}:range:{lower}:{upper}',
  value: only('name', text),
  place: ({ ranges }, { owner, lower, upper }) => ({ set: (live) => void ranges.set(`${owner} ${lower} ${upper}`, live?.value ?? '') }),
  onLoad: (name, { lower }, state, ledger) => void state.ranges.set(`loaded ${lower}`, `${name} of ${ledger}`),
  docs: { under: 'pool', from: 'fact', what: 'a range' },
})
const entries = new StateEntries<Toy>([supply, auction, balance, range])
const noPricing = { take: () => false }

const slice: Slice = {
  protocol: 'soroswap',
  partition: 3,
  after: 9,
  ledger: 10,
  closeTimeSeconds: 100,
  hourStart: false,
  dayStart: false,
  records: [],
  transactions: [],
} as unknown as Slice
const made = () => ({ state: empty(), journal: new Journal(slice), changes: [] as string[] })
const amount = (value: bigint) => writeScVal(sc.i128(value))
const record = (of: Partial<EntryRecord>): KeyedRecord => ({
  kind: 'entry',
  contract: POOL,
  key: new Uint8Array(),
  durability: 'persistent',
  change: 'updated',
  value: null,
  before: null,
  liveUntil: null,
  tx: 0,
  opIndex: 0,
  index: 0,
  ...of,
})
const rowsOf = (journal: Journal) =>
  journal.state().map(({ key, ledger, value, removed, inferred }) => [key, ledger, value, removed, inferred])
const reasons = (journal: Journal) => journal.notices().map(({ reason }) => reason)

describe('an entry that is applied', () => {
  it('an entry that is applied writes its pre-image as an inferred row, and its change is reported once', () => {
    const context = made()
    supply.apply(record({ value: amount(7n), before: amount(5n) }), { contract: POOL }, context)
    expect(rowsOf(context.journal)).toEqual([
      ['supply', 9, '{"amount":"5"}', false, true],
      ['supply', 10, '{"amount":"7"}', false, false],
    ])
    expect(context.changes).toEqual(['C1 5 -> 7'])
    expect(context.state.supplies.get(POOL)).toEqual({ value: 7n, liveUntil: 0 })
  })

  it('an entry that is applied with a longer TTL writes a row and reports no change; with the same value and TTL it writes none', () => {
    const context = made()
    supply.apply(record({ change: 'created', value: amount(7n), liveUntil: 20 }), { contract: POOL }, context)
    supply.apply(record({ value: amount(7n), liveUntil: 30 }), { contract: POOL }, context)
    expect(context.state.supplies.get(POOL)).toEqual({ value: 7n, liveUntil: 30 })
    expect(context.changes).toEqual(['C1 null -> 7'])
    const again = { ...made(), state: context.state }
    supply.apply(record({ value: amount(7n), liveUntil: 25 }), { contract: POOL }, again)
    expect(rowsOf(again.journal)).toEqual([])
  })

  it('an entry that is applied that is a bootstrap entry fills what is unknown by its pre-image, and never overwrites', () => {
    const context = made()
    supply.apply(record({ change: 'bootstrap', value: amount(9n), before: amount(5n), liveUntil: 50 }), { contract: POOL }, context)
    supply.apply(record({ change: 'bootstrap', value: amount(9n), before: amount(6n) }), { contract: POOL }, context)
    expect(rowsOf(context.journal)).toEqual([['supply', 9, '{"amount":"5"}', false, true]])
    expect(context.state.supplies.get(POOL)).toEqual({ value: 5n, liveUntil: 50 })
    expect(context.changes).toEqual([])
  })

  it('an entry that is applied and was removed is absent, keeps its last value, or means a value, as it declares', () => {
    const context = made()
    auction.apply(record({ change: 'created', value: amount(1n) }), { contract: POOL, owner: 'G', type: '0' }, context)
    auction.apply(record({ change: 'removed' }), { contract: POOL, owner: 'G', type: '0' }, context)
    supply.apply(record({ change: 'created', value: amount(7n) }), { contract: POOL }, context)
    supply.apply(record({ change: 'removed' }), { contract: POOL }, context)
    balance.apply(record({ change: 'created', value: amount(8n) }), { contract: POOL, token: 'T' }, context)
    balance.apply(record({ change: 'removed' }), { contract: POOL, token: 'T' }, context)
    expect(rowsOf(context.journal)).toEqual([
      ['@G:auction:0', 10, '', true, false],
      ['balance:T', 10, '{"amount":"0"}', false, false],
      ['supply', 10, '{"amount":"7"}', false, false],
    ])
    expect(context.changes).toEqual(['G 0 null -> 1', 'G 0 1 -> null', 'C1 null -> 7'])
    expect(reasons(context.journal)).toEqual(['a supply was removed'])
  })

  it('an entry that is applied and cannot be read leaves what was known, with the notice that it declares or none', () => {
    const context = made()
    supply.apply(record({ value: writeScVal(sc.symbol('x')) }), { contract: POOL }, context)
    balance.apply(record({ value: writeScVal(sc.symbol('x')) }), { contract: POOL, token: 'T' }, context)
    expect(rowsOf(context.journal)).toEqual([])
    expect(reasons(context.journal)).toEqual(['unreadable supply'])
  })

  it('an entry that is applied and is temporary has no value before once it has expired', () => {
    const context = made()
    context.state.auctions.set('G 0', { value: 1n, liveUntil: 9 })
    auction.apply(record({ change: 'created', value: amount(2n), liveUntil: 30 }), { contract: POOL, owner: 'G', type: '0' }, context)
    expect(context.changes).toEqual(['G 0 null -> 2'])
    expect(context.journal.state()).toMatchObject([{ durability: 'temporary', owner: 'G', liveUntil: 30, scope: 3 }])
  })

  it('an entry that is applied and has no place in the state changes nothing', () => {
    const context = made()
    supply.apply(record({ value: amount(7n) }), { contract: 'C2' }, context)
    expect(rowsOf(context.journal)).toEqual([])
  })
})

describe('a fact', () => {
  it('a fact is written to the state and to a row at once, of this ledger or as inferred of the one before, and removed from both', () => {
    const context = made()
    range.write(context, { contract: POOL, owner: 'G', lower: '-10', upper: '20' }, 'now')
    range.infer(context, { contract: POOL, owner: 'G', lower: '0', upper: '20' }, 'before', { shared: true })
    range.write(context, { contract: POOL, owner: 'G', lower: '1', upper: '2' }, 'gone')
    range.remove(context, { contract: POOL, owner: 'G', lower: '1', upper: '2' })
    expect(context.journal.state()).toMatchObject([
      { key: '@G:range:-10:20', ledger: 10, value: '{"name":"now"}', durability: 'fact', scope: 3, inferred: false },
      { key: '@G:range:0:20', ledger: 9, value: '{"name":"before"}', durability: 'fact', scope: 65_535, inferred: true },
      { key: '@G:range:1:2', ledger: 10, value: '', removed: true },
    ])
    expect(Object.fromEntries(context.state.ranges)).toEqual({ 'G -10 20': 'now', 'G 0 20': 'before', 'G 1 2': '' })
  })
})

describe('rows that are loaded', () => {
  const row = (key: string, of: Partial<StateRow> = {}): StateRow => ({
    protocol: 'soroswap',
    contract: POOL,
    key,
    ledger: 5,
    closeTimeSeconds: 0,
    owner: key.startsWith('@') ? 'G' : '',
    scope: 0,
    liveUntil: 9,
    durability: 'persistent',
    removed: false,
    inferred: false,
    value: '{"amount":"5"}',
    ...of,
  })
  const load = (...rows: StateRow[]) => entries.load(empty(), rows, 10, noPricing)

  it('rows that are loaded go to the entry of their key, with the parts that the key names', () => {
    const state = load(row('supply'), row('@G:auction:2'), row('balance:T'), row('@G:range:-10:20', { value: '{"name":"r"}' }))
    expect(state).toMatchObject({ ledger: 10 })
    expect(state.supplies.get(POOL)).toEqual({ value: 5n, liveUntil: 9 })
    expect([...state.auctions.keys(), ...state.balances.keys(), ...state.ranges.keys()]).toEqual(['G 2', 'T', 'G -10 20', 'loaded -10'])
    expect(state.ranges.get('loaded -10')).toBe('r of 5')
  })

  it('rows that are loaded are skipped when they are removed, later than asked for, or temporary and expired', () => {
    const state = load(row('supply', { removed: true }), row('balance:T', { ledger: 11 }), row('@G:auction:2', { durability: 'temporary' }))
    expect([state.supplies.size, state.balances.size, state.auctions.size]).toEqual([0, 0, 0])
  })

  it('rows that are loaded stop the load where no entry has such a key, or the state no such place', () => {
    const unreadable = expect.objectContaining({ code: 'state_unreadable', context: expect.objectContaining({ member: 'key' }) })
    expect(() => load(row('supplies'))).toThrow(unreadable)
    expect(() => load(row('@G:supply'))).toThrow(unreadable)
    expect(() => load(row('supply:T'))).toThrow(unreadable)
    expect(() => load(row('supply', { contract: 'C2' }))).toThrow(unreadable)
  })
})

describe('a list of entries', () => {
  it('a list of entries is the table of state of a page', () => {
    expect(stateTable([range])).toEqual([
      '| under | key | from | what | members of the JSON |',
      '| --- | --- | --- | --- | --- |',
      '| pool | `@<owner>:range:<lower>:<upper>` | fact | a range | `name` |',
    ])
  })

  it('a list of entries refuses two entries whose keys cannot be distinguished, and a key that is no pattern', () => {
    const other = { ...common, place: () => null }
    expect(() => new StateEntries<Toy>([balance, stateEntry<Toy>()({ ...other, key: 'balance:{pool}' })])).toThrow()
    expect(() => stateEntry<Toy>()({ ...other, key: '{token}:balance' })).toThrow()
  })
})
