import type { PriceRow } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { closeTime, NEW, ORACLE, RATES, timestamp, USDC, XLM } from './testing/fixtures/network.ts'
import { rows } from './testing/fixtures/rows.ts'

// Ledgers close every ten minutes: 100 at 12:00, 103 at 12:30, 106 at 13:00, 118 at 15:00, 220 at 08:00 of the next day. At the last one the
// state of the oracle says 0.25 USD for XLM, observed at 12:00. The registry asks ORACLE before RATES.
const fixture = withFixtureApi()

const ORACLE_SOURCE = `oracle:${ORACLE}`
const RATES_SOURCE = `oracle:${RATES}`

function price(asset: string, ledger: number, priceUsd: string, source = ORACLE_SOURCE, observedAtSeconds = closeTime(ledger)): PriceRow {
  return { protocol: 'soroswap', asset, source, ledger, closeTimeSeconds: closeTime(ledger), priceUsd, observedAtSeconds }
}

const SIXTEEN_HOURS = 57_600
const PRICES = rows({
  prices: [
    price(XLM, 100, '0.25'),
    price(XLM, 103, '0.255'),
    // Asked after the oracle: its price never shows.
    price(XLM, 104, '9', RATES_SOURCE),
    price(XLM, 106, '0.260000005'),
    price(XLM, 118, '0.3'),
    // 16 hours old already: it ends to count at 20:00.
    price(NEW, 100, '2', RATES_SOURCE, closeTime(100) - SIXTEEN_HOURS),
  ],
})

beforeAll(async () => {
  await fixture.store.write([PRICES], VERSION)
  await fixture.store.write([PRICES], VERSION)
})

type Point = Record<'timestamp' | 'value_at' | 'price_usd' | 'price_source' | 'observed_at', string | null> & { ledger: number }
const ask = async (query: string, asset = XLM) => {
  const { data, meta } = await fixture.data(`/v1/assets/${asset}/prices${query}`)
  expect(data.asset_id).toBe(asset)
  const { warnings } = meta as { warnings: { code: string }[] }
  return { points: data.points as Point[], codes: warnings.map(({ code }) => code).filter((code) => code !== 'adapter_unhealthy') }
}
/** Hour and minute of a timestamp of the first day. */
const brief = ({ timestamp: at, ledger, value_at, price_usd }: Point) => [at?.slice(11, 16), ledger, value_at?.slice(11, 16), price_usd]
const points = async (query: string, asset = XLM) => (await ask(query, asset)).points.map(brief)

const DAY = 'from=2026-09-01T12:00:00Z&to=2026-09-01T16:59:59Z'

describe('raw', () => {
  const ALL = [
    ['12:00', 100, '12:00', '0.25'],
    ['12:30', 103, '12:30', '0.255'],
    ['13:00', 106, '13:00', '0.26000001'],
    ['15:00', 118, '15:00', '0.3'],
  ]

  it('has the price at each ledger that brought it', async () => {
    expect(await points('')).toEqual(ALL)
    const { points: shown } = await ask('')
    expect(shown[1]).toEqual({
      timestamp: timestamp(103),
      ledger: 103,
      value_at: timestamp(103),
      price_usd: '0.255',
      price_source: ORACLE_SOURCE,
      observed_at: timestamp(103),
    })
  })

  it('is bounded by time and by a ledger', async () => {
    expect(await points('?from=2026-09-01T12:30:00Z&to=2026-09-01T13:00:00Z')).toEqual(ALL.slice(1, 3))
    expect(await points('?as_of_ledger=105')).toEqual(ALL.slice(0, 2))
    expect(await points('?as_of_ledger=99')).toEqual([])
  })

  it('outside of the index has a warning', async () => {
    expect((await ask('?as_of_ledger=99')).codes).toEqual(['outside_index'])
    // At the last ledger the price of the oracle's state is 20 hours old.
    expect((await ask('?as_of_ledger=221')).codes).toEqual(['outside_index', 'stale_price'])
    expect((await ask('?as_of_ledger=220')).codes).toEqual(['stale_price'])
  })
})

describe('in buckets of time', () => {
  const FRESH = [
    ['12:00', 103, '12:30', '0.255'],
    ['13:00', 106, '13:00', '0.26000001'],
    ['15:00', 118, '15:00', '0.3'],
  ]

  it('each shows the price at its last ledger that brought it', async () => {
    expect(await points(`?interval=1h&${DAY}`)).toEqual(FRESH)
    expect(await points(`?interval=4h&${DAY}`)).toEqual([['12:00', 118, '15:00', '0.3']])
    expect(await points(`?interval=15m&${DAY}`)).toEqual([
      ['12:00', 100, '12:00', '0.25'],
      ['12:30', 103, '12:30', '0.255'],
      ['13:00', 106, '13:00', '0.26000001'],
      ['15:00', 118, '15:00', '0.3'],
    ])
  })

  it('without a price is null under fill=null, with the last ledger that closed', async () => {
    expect(await points(`?interval=1h&fill=null&${DAY}`)).toEqual([
      FRESH[0],
      FRESH[1],
      ['14:00', 117, '14:50', null],
      FRESH[2],
      ['16:00', 129, '16:50', null],
    ])
  })

  it('carries the last price under fill=locf, also from before the window', async () => {
    expect(await points(`?interval=1h&fill=locf&${DAY}`)).toEqual([
      FRESH[0],
      FRESH[1],
      ['14:00', 106, '13:00', '0.26000001'],
      FRESH[2],
      ['16:00', 118, '15:00', '0.3'],
    ])
    expect(await points('?interval=1h&fill=locf&from=2026-09-01T14:00:00Z&to=2026-09-01T14:59:59Z')).toEqual([
      ['14:00', 106, '13:00', '0.26000001'],
    ])
    expect(await points('?interval=5m&fill=locf&from=2026-09-01T14:10:00Z&to=2026-09-01T14:14:59Z')).toEqual([
      ['14:10', 106, '13:00', '0.26000001'],
    ])
  })

  it('the bucket that holds the last ledger shows the present price', async () => {
    const { points: shown } = await ask('?range=24h')
    expect(shown.map(brief)).toEqual([...FRESH, ['08:00', 220, '08:00', '0.25']])
    expect(shown.at(-1)).toEqual({
      timestamp: '2026-09-02T08:00:00Z',
      ledger: 220,
      value_at: timestamp(220),
      price_usd: '0.25',
      price_source: ORACLE_SOURCE,
      observed_at: timestamp(100),
    })
    // 12:00 to 08:00: 21 hours, with an open end of the same window.
    expect(await points('?range=24h&fill=locf')).toHaveLength(21)
    expect((await points('?interval=1h')).at(-1)).toEqual(['08:00', 220, '08:00', '0.25'])
  })
})

describe('in buckets of ledgers', () => {
  it('each shows its first ledger, and the close time of the price', async () => {
    const window = '?ledger_bucket=6&from_ledger=100&to_ledger=123'
    const fresh = [
      ['12:30', 100, '12:30', '0.255'],
      ['13:00', 106, '13:00', '0.26000001'],
      ['15:00', 118, '15:00', '0.3'],
    ]
    expect(await points(window)).toEqual(fresh)
    expect(await points(`${window}&fill=null`)).toEqual([fresh[0], fresh[1], ['14:50', 112, '14:50', null], fresh[2]])
    expect(await points(`${window}&fill=locf`)).toEqual([fresh[0], fresh[1], ['13:00', 112, '13:00', '0.26000001'], fresh[2]])
  })
})

describe('an old price', () => {
  it('is carried until it is 24 hours old, and null from then on', async () => {
    const { points: shown } = await ask('?interval=1h&fill=locf&from=2026-09-01T18:00:00Z&to=2026-09-01T21:59:59Z', NEW)
    expect(shown.map(({ timestamp: at, ledger, price_usd, price_source }) => [at?.slice(11, 16), ledger, price_usd, price_source])).toEqual(
      [
        ['18:00', 100, '2', RATES_SOURCE],
        ['19:00', 100, '2', RATES_SOURCE],
        ['20:00', 100, null, null],
        ['21:00', 100, null, null],
      ],
    )
  })
})

it('an asset without a price in the window, or at all, has no points', async () => {
  expect(await points(`?interval=1h&from=2026-09-01T14:00:00Z&to=2026-09-01T14:59:59Z`)).toEqual([])
  expect(await points('', USDC)).toEqual([])
})
