import { sc } from '@orrery/ledger'
import { SHARED_SCOPE } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { constantProductQuote, type PricePoolReader, pricing, stellarAsset } from './index.ts'
import {
  contract,
  entry,
  instance,
  legacyPrice,
  protocolWithPools,
  reflectorInstance,
  slice,
  smallNetwork,
  stellar,
  usdReflector,
} from './test-slices.ts'

const [FEED, POOL, FOREIGN, XLM, AQUA] = [1, 2, 3, 4, 5].map(contract) as [string, string, string, string, string]
const NOON = 1_700_000_400

const reader: PricePoolReader = {
  read: (record, before) => (record.value === null ? before : { reserves: ['40000000000000', '40000000000'] }),
  quote: (pool, facts) => constantProductQuote(pool, [AQUA, XLM], (facts.reserves as string[]).map(BigInt)),
}
const network = smallNetwork({
  protocols: [protocolWithPools('soroswap', reader)],
  oracles: [usdReflector(FEED)],
  pricePools: [
    { protocol: 'soroswap', contract: POOL },
    { protocol: 'aquarius', contract: FOREIGN },
  ],
  assets: {
    [XLM]: { code: 'XLM', issuer: null, decimals: 7, tags: [] },
    [AQUA]: { code: 'AQUA', issuer: null, decimals: 7, tags: [] },
  },
})
const prices = pricing(network)
const round = (seconds: number, price = 25_000_000_000_000n) => [
  reflectorInstance(FEED, { assets: [stellar(XLM)], lastSeconds: seconds }),
  legacyPrice(FEED, seconds, 0, price),
]

describe('the rows of a ledger', () => {
  it('the rows of a ledger are the changed state, shared by all partitions, and the new prices', () => {
    const rows = prices.apply(prices.empty(), slice(10, NOON, round(NOON)))
    expect(rows.state.map(({ contract: id, key }) => [id, key])).toEqual([
      [FEED, 'feed'],
      [FEED, 'round:12'], // ⌊1,700,000,400 / 300⌋ mod 32 = 5,666,668 mod 32 = 12
      [FEED, 'settings'],
    ])
    for (const row of rows.state)
      expect(row).toMatchObject({ ledger: 10, scope: SHARED_SCOPE, durability: 'fact', removed: false, inferred: false })
    expect(rows.prices).toEqual([
      {
        protocol: 'soroswap',
        asset: XLM,
        source: `oracle:${FEED}`,
        ledger: 10,
        closeTimeSeconds: NOON,
        priceUsd: '0.25',
        observedAtSeconds: NOON,
      },
    ])
  })

  it('a ledger that writes the same values again has no rows', () => {
    const state = prices.empty()
    prices.apply(state, slice(10, NOON, round(NOON)))
    expect(prices.apply(state, slice(11, NOON + 5, [reflectorInstance(FEED, { assets: [stellar(XLM)], lastSeconds: NOON })]))).toEqual({
      state: [],
      prices: [],
      notices: [],
    })
  })

  it('a changed price pool gives prices only for tokens without an oracle price', () => {
    const rows = prices.apply(prices.empty(), slice(10, NOON, [...round(NOON), instance(POOL, [])]))
    expect(rows.prices.map(({ asset, source, priceUsd }) => ({ asset, source, priceUsd }))).toEqual([
      { asset: XLM, source: `oracle:${FEED}`, priceUsd: '0.25' },
      { asset: AQUA, source: `pool:${POOL}`, priceUsd: '0.00025' },
    ])
    expect(rows.state.find(({ contract: id }) => id === POOL)?.key).toBe('price_pool')
  })

  it('the rows are the same in the partition that owns the pool and in those with a copy', () => {
    const records = [...round(NOON), instance(POOL, [])]
    const copied = prices.apply(prices.empty(), slice(10, NOON, records))
    const owned = slice(10, NOON, records)
    const rows = prices.apply(prices.empty(), {
      ...owned,
      records: owned.records.map(({ record }) => ({ class: 'owned' as const, record })),
    })
    expect(rows).toEqual(copied)
  })

  it('every partition writes state rows, which a restart needs; only partition 0 writes price rows', () => {
    const records = [...round(NOON), instance(POOL, [])]
    const first = prices.apply(prices.empty(), slice(10, NOON, records))
    const second = prices.apply(prices.empty(), slice(10, NOON, records, { partition: 1 }))
    expect(first.prices).toHaveLength(2)
    expect(second).toEqual({ ...first, prices: [] })
  })

  it('context and other contracts give no rows', () => {
    const context = slice(10, NOON, round(NOON))
    const passed = prices.apply(prices.empty(), {
      ...context,
      records: context.records.map(({ record }) => ({ class: 'context' as const, record })),
    })
    expect(passed.state).toEqual([])
    expect(prices.apply(prices.empty(), slice(10, NOON, [instance(AQUA, [])])).state).toEqual([])
  })

  it('values from before the index are rows of the ledger before', () => {
    const [settings, price] = round(NOON) as [ReturnType<typeof entry>, ReturnType<typeof entry>]
    const before = reflectorInstance(FEED, { assets: [stellar(XLM)], lastSeconds: NOON - 300 }).value
    const rows = prices.apply(prices.empty(), slice(10, NOON, [{ ...settings, before }, price]))
    expect(rows.state.map(({ key, ledger, inferred }) => ({ key, ledger, inferred }))).toEqual([
      { key: 'feed', ledger: 9, inferred: true },
      { key: 'settings', ledger: 9, inferred: true },
      { key: 'feed', ledger: 10, inferred: false },
      { key: 'round:12', ledger: 10, inferred: false },
    ])
  })
})

describe('what cannot be used is counted once, by partition 0', () => {
  it('an unknown entry is counted', () => {
    const strange = entry(FEED, sc.symbol('Strange'), sc.void())
    const { notices } = prices.apply(prices.empty(), slice(10, NOON, [strange, strange]))
    expect(notices).toMatchObject([{ kind: 'oracle', contract: FEED, reason: 'unknown_entry', count: 2, partition: 0 }])
    expect(prices.apply(prices.empty(), slice(10, NOON, [strange], { partition: 1 })).notices).toEqual([])
  })

  it('a price pool without a reader is counted once a day', () => {
    expect(prices.apply(prices.empty(), slice(10, NOON, [])).notices).toEqual([])
    expect(prices.apply(prices.empty(), slice(10, NOON, [], { dayStart: true })).notices).toMatchObject([
      { kind: 'price_pool', contract: FOREIGN, reason: 'no_reader', count: 1 },
    ])
  })

  it("an oracle that differs from the registry is counted, and the oracle's own values are used", () => {
    const other = pricing({ ...network, oracles: [{ ...usdReflector(FEED), base: { kind: 'asset', asset: AQUA }, decimals: 7 }] })
    const state = other.empty()
    const { notices } = other.apply(state, slice(10, NOON, round(NOON)))
    expect(notices.map(({ reason }) => reason)).toEqual(['base_differs_from_registry', 'decimals_differ_from_registry'])
    expect(other.priceOf(state, XLM, { ledger: 10, closeTimeSeconds: NOON })?.usd).toBe('0.25')
  })
})

describe('what is followed', () => {
  it('every oracle and the price pools of other protocols are followed, all of them shared', () => {
    const blend = prices.roots('blend')
    expect(blend.map(({ role, contract: id }) => [role, id])).toEqual([
      ['oracle', FEED],
      ['price_pool', POOL],
    ])
    expect(prices.roots('soroswap').map(({ role }) => role)).toEqual(['oracle'])
    expect(blend.every(({ home }) => home === null)).toBe(true)
    expect(prices.isPricePool(POOL)).toBe(true)
    expect(prices.isPricePool(FOREIGN)).toBe(false)
  })

  it('prices come from the entries of an oracle, not from its events', () => {
    const [root] = prices.roots('soroswap')
    const [record] = round(NOON)
    if (root === undefined || record === undefined) throw new Error('no root')
    expect(prices.route(record, root)).toEqual({ owned: false, shared: true })
    const event = {
      kind: 'event',
      tx: 0,
      opIndex: 0,
      index: 0,
      contract: FEED,
      type: 'contract',
      topics: record.key,
      data: record.key,
    } as const
    expect(prices.route(event, root)).toEqual({ owned: false, shared: false })
    expect(prices.route(record, { ...root, role: 'pair' })).toBeNull()
  })

  it('state is restored from its rows, also if the contract has rows of other parts', () => {
    const state = prices.empty()
    const rows = prices.apply(state, slice(10, NOON, round(NOON))).state
    const foreign = rows.map((row) => ({ ...row, key: 'pair' }))
    const loaded = prices.load([...foreign, ...rows])
    expect(prices.lastPrice(loaded, FEED, stellarAsset(XLM), { ledger: 10, closeTimeSeconds: NOON })?.price).toBe(25_000_000_000_000n)
    for (const row of foreign) expect(prices.take(loaded, row)).toBe(false)
  })
})
