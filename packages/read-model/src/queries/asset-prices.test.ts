import { NO_ROWS, type PriceRow } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { openReadModel, type ReadModel } from '../read-model.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { ALWAYS, assetPriceHistory, assetPrices, firstAssetPrice } from './asset-prices.ts'
import { assetMet, assetPage } from './assets.ts'

const databases = withDatabases()

const ASSET = `C${'T'.repeat(55)}`
const OTHER = `C${'U'.repeat(55)}`
/** 2023-11-15T00:00:00Z, and a minute for each ledger: 60 to an hour. */
const START = 1_700_006_400
const timeOf = (ledger: number): number => START + ledger * 60
const OPTIONS = { tag: { route: 'test', requestId: 'test' } }

/** `a` is asked first and counts for ten minutes, `b` for an hour. A price is observed at its ledger's close time. */
const price = (source: string, ledger: number, priceUsd: string, asset = ASSET): PriceRow => ({
  protocol: 'soroswap',
  asset,
  source,
  ledger,
  closeTimeSeconds: timeOf(ledger),
  priceUsd,
  observedAtSeconds: timeOf(ledger),
})

const PRICES: readonly PriceRow[] = [
  price('a', 5, '1.05'),
  price('b', 10, '2.1'),
  price('a', 58, '1.58'),
  price('b', 61, '2.61'),
  // The second hour: `a` is silent, so `b` counts.
  price('b', 100, '2.100000000000000001'),
  // The fourth hour: nothing in the third.
  price('a', 190, '1.9'),
  // Newer than the watermark of every question.
  price('a', 300, '9'),
  price('b', 20, '7', OTHER),
]

let readModel: ReadModel
beforeAll(async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  readModel = openReadModel(database.connect('api'))
  await store.activateIfNone('soroswap', 1, 1)
  // Twice, in other batches: copies that are not merged yet.
  await store.write([{ ...NO_ROWS, prices: PRICES }], 1)
  for (const one of PRICES) await store.write([{ ...NO_ROWS, prices: [one] }], 1)
  // Of a version that is not active.
  await store.write([{ ...NO_ROWS, prices: [price('a', 59, '5')] }], 2)
})

const asked = { asset: ASSET, protocol: 'soroswap', sources: ['a', 'b'], ages: [600, 3_600], watermark: 240 }
const shown = (row: { price_usd: string | null; source: string; observed_at_seconds: number }) => [
  row.price_usd,
  row.source,
  row.observed_at_seconds === 0 ? 0 : (row.observed_at_seconds - START) / 60,
]

describe('the price at every ledger that brought one', () => {
  const raw = async (more: object = {}) =>
    (
      await readModel.query(assetPrices, { ...asked, from: 0, to: 2 ** 32 - 1, to_ledger: 240, events: 100, rows: 100, ...more }, OPTIONS)
    ).map((row) => [row.ledger, ...shown(row)])

  it('is that of the first source that counts then, newest ledger first, where its own row is of that ledger', async () => {
    expect(await raw()).toEqual([
      [190, '1.9', 'a', 190],
      [100, '2.100000000000000001', 'b', 100],
      // Neither at 61 nor at 10, where `a` is three and five minutes old and comes first.
      [58, '1.58', 'a', 58],
      [5, '1.05', 'a', 5],
    ])
  })

  it('is cut by ledgers, by time and by rows, and still knows the prices before', async () => {
    expect(await raw({ to_ledger: 61, rows: 1 })).toEqual([[58, '1.58', 'a', 58]])
    expect(await raw({ from: timeOf(61), to: timeOf(99) })).toEqual([])
    expect(await raw({ from: timeOf(61), to: timeOf(99), ages: [60, 3_600] })).toEqual([[61, '2.61', 'b', 61]])
    expect(await raw({ watermark: 60 })).toHaveLength(2)
    expect(await raw({ asset: `C${'V'.repeat(55)}` })).toEqual([])
  })

  it('is looked for in the newest rows', async () => {
    const question = { ...asked, from: 0, to: 2 ** 32 - 1, to_ledger: 240, rows: 100 }
    // 190, 100, 61 and 58: the row of 61 is not the price there.
    const rows = await readModel.query(assetPrices, { ...question, events: 4 }, OPTIONS)
    expect(rows.map(({ ledger, scanned }) => [ledger, scanned])).toEqual([
      [190, 4n],
      [100, 4n],
      [58, 4n],
    ])
  })

  it('is none where no source counts any more, and holds at every ledger of a source that always does', async () => {
    // Nothing counts for longer than it was observed: at ledger 61 `b` is new, `a` is not.
    expect(await raw({ ages: [0, 0], to_ledger: 61 })).toEqual([
      [61, '2.61', 'b', 61],
      [58, '1.58', 'a', 58],
      [10, '2.1', 'b', 10],
      [5, '1.05', 'a', 5],
    ])
    expect(await raw({ sources: ['c', 'a'], ages: [600, 600] })).toHaveLength(3)
    expect(await raw({ ages: [600, ALWAYS], from: timeOf(190) })).toEqual([[190, '1.9', 'a', 190]])
    expect(await raw({ sources: ['b', 'a'], ages: [ALWAYS, 600], from: timeOf(100) })).toEqual([[100, '2.100000000000000001', 'b', 100]])
  })

  it('the first price is that of the first ledger', async () => {
    const { asset, protocol, sources, watermark } = asked
    expect(await readModel.query(firstAssetPrice, { asset, protocol, sources, watermark }, OPTIONS)).toEqual([
      { close_time_seconds: timeOf(5) },
    ])
  })
})

describe('the price in buckets', () => {
  const window = {
    axis: 'time',
    first: START,
    width: 3_600,
    count: 4,
    from: START,
    to: timeOf(230),
    since: 0,
    split: START + 3 * 3_600,
  } as const
  const history = async (more: object = {}) =>
    (await readModel.query(assetPriceHistory, { ...asked, ...window, keep: 'all', ...more }, OPTIONS)).map((row) => [
      (row.start - START) / 3_600,
      row.fresh,
      row.ledger,
      ...shown(row),
    ])

  const HOURS = [
    [0, true, 58, '1.58', 'a', 58],
    [1, true, 100, '2.100000000000000001', 'b', 100],
    [2, false, 100, '2.100000000000000001', 'b', 100],
    [3, true, 190, '1.9', 'a', 190],
  ]

  it('is that at the last ledger of the bucket that brought a price', async () => {
    expect(await history()).toEqual(HOURS)
    expect(await history({ keep: 'fresh' })).toEqual(HOURS.filter(([, fresh]) => fresh))
  })

  it('is the same from the table of hours and from every price', async () => {
    expect(await history({ split: 0 })).toEqual(HOURS)
    expect(await history({ split: START + 3_600 })).toEqual(HOURS)
  })

  it('carries the last price from before the window', async () => {
    const later = { first: START + 2 * 3_600, from: START + 2 * 3_600, count: 1, to: START + 3 * 3_600 - 1, split: START + 2 * 3_600 }
    expect(await history({ ...later, keep: 'carry' })).toEqual([[2, false, 100, '2.100000000000000001', 'b', 100]])
    expect(await history({ ...later, keep: 'carry', since: START + 2 * 3_600 })).toEqual([])
    expect(await history({ ...later, keep: 'fresh' })).toEqual([])
    // A source that always holds is looked at however old its price is.
    const always = { ...later, since: START + 2 * 3_600, ages: [600, ALWAYS] }
    expect(await history({ ...always, keep: 'carry' })).toEqual([[2, false, 100, '2.100000000000000001', 'b', 100]])
  })

  it('ends with the window inside of a bucket', async () => {
    expect(await history({ count: 2, to: timeOf(70), split: START + 3_600 })).toEqual([
      [0, true, 58, '1.58', 'a', 58],
      // At 61 `a` still comes first.
      [1, false, 58, '1.58', 'a', 58],
    ])
  })

  it('on the ledger axis is that at the last ledger of each', async () => {
    const ledgers = { axis: 'ledger', first: 1, width: 60, count: 4, from: 1, to: 240, split: START }
    const rows = await readModel.query(assetPriceHistory, { ...asked, ...window, ...ledgers, keep: 'all' } as never, OPTIONS)
    expect(rows.map((row) => [row.start, row.fresh, row.ledger, ...shown(row)])).toEqual([
      [1, true, 58, '1.58', 'a', 58],
      [61, true, 100, '2.100000000000000001', 'b', 100],
      [121, false, 100, '2.100000000000000001', 'b', 100],
      [181, true, 190, '1.9', 'a', 190],
    ])
  })
})

describe('the assets of the index', () => {
  it('come in the order of their contracts, each once, page by page, when their first ledger is reached', async () => {
    const page = async (after: string, rows: number, watermark: number) =>
      (await readModel.query(assetPage, { after, rows, watermark }, OPTIONS)).map(({ asset }) => asset)
    expect(await page('', 10, 240)).toEqual([ASSET, OTHER])
    expect(await page('', 1, 240)).toEqual([ASSET])
    expect(await page(ASSET, 1, 240)).toEqual([OTHER])
    expect(await page('', 10, 19)).toEqual([ASSET])
    expect(await page('', 10, 4)).toEqual([])
  })

  it('one is known from its first ledger on', async () => {
    const met = async (asset: string, watermark: number) => (await readModel.query(assetMet, { asset, watermark }, OPTIONS)).length
    expect(await Promise.all([met(OTHER, 20), met(OTHER, 19), met(`C${'V'.repeat(55)}`, 240)])).toEqual([1, 0, 0])
  })
})
