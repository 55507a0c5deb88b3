import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { closeTime, LAST, timestamp } from './testing/fixtures/network.ts'

// Snapshots. USDC/XLM: 4,000 USD in ledger 101 and 4,500 in 160 (1 September). USDC/NEW: 100 USD in ledger 165; NEW has no price.
// State, from the first ledger on. USDC/XLM: 2,000 USDC at 1 USD and 10,000 XLM at 0.25 USD, 4,500 USD. USDC/NEW: 100 USDC, 100 USD.
const fixture = withFixtureApi()

const DAY_1 = '2026-09-01T00:00:00Z'
const DAY_2 = '2026-09-02T00:00:00Z'

const tvl = async (query: string, protocol = 'soroswap') => {
  const { data, meta } = await fixture.data(`/v1/protocols/${protocol}/tvl${query}`)
  expect(data).toMatchObject({ protocol_id: protocol, resolution: '1d' })
  return {
    points: (data.points as { timestamp: string; tvl_usd: string }[]).map((point) => [point.timestamp, point.tvl_usd]),
    partial: meta.partial_result,
  }
}

describe('200', () => {
  it('a day that is over has each pool at its last snapshot of the day or before, and the last day has the pools as they are', async () => {
    const expected = {
      points: [
        [DAY_1, '4600'],
        [DAY_2, '4600'],
      ],
      partial: true,
    }
    expect(await tvl('')).toEqual(expected)
    expect(await tvl('?resolution=1d')).toEqual(expected)
  })

  it('the day of the ledger of the answer has the sum of the reserves and of the pools at that ledger', async () => {
    for (const at of ['', '?as_of_ledger=209', '?as_of_ledger=150']) {
      const { data } = await fixture.data(`/v1/protocols/soroswap/tvl${at}`)
      const { data: held } = await fixture.data(`/v1/protocols/soroswap/reserves${at}`)
      const reserves = held.reserves as { metadata: { usd_value: string | null } }[]
      const points = data.points as { tvl_usd: string }[]
      expect(Number(points.at(-1)?.tvl_usd)).toBe(reserves.reduce((sum, { metadata }) => sum + Number(metadata.usd_value), 0))
    }
    const { data: now } = await fixture.data('/v1/protocols/soroswap/tvl')
    const { data: listed } = await fixture.data('/v1/pools?protocol=soroswap')
    const pools = listed.pools as { tvl_usd: string }[]
    expect(Number((now.points as { tvl_usd: string }[]).at(-1)?.tvl_usd)).toBe(pools.reduce((sum, pool) => sum + Number(pool.tvl_usd), 0))
  })

  it('a point has the ledger of its value with its close time', async () => {
    const dayOf = (ledger: number): number => Math.floor(closeTime(ledger) / 86_400)
    const last = Array.from({ length: LAST - 99 }, (_, n) => LAST - n).find((ledger) => dayOf(ledger) < dayOf(LAST)) as number
    const { data } = await fixture.data('/v1/protocols/soroswap/tvl')
    expect(data.points).toMatchObject([
      { timestamp: DAY_1, ledger: last, value_at: timestamp(last) },
      { timestamp: DAY_2, ledger: LAST, value_at: timestamp(LAST) },
    ])
    const { data: asOf } = await fixture.data('/v1/protocols/soroswap/tvl?as_of_ledger=150')
    expect(asOf.points).toMatchObject([{ timestamp: DAY_1, ledger: 150, value_at: timestamp(150) }])
  })

  it('TVL as of a ledger before the first pool has no points', async () => {
    expect(await tvl('?as_of_ledger=99')).toEqual({ points: [], partial: true })
  })

  it('a day is in the window if its start is', async () => {
    expect((await tvl(`?from=${DAY_2}`)).points).toEqual([[DAY_2, '4600']])
    expect((await tvl('?from=2026-09-01T00:00:01Z')).points).toEqual([[DAY_2, '4600']])
    expect((await tvl('?to=2026-09-01T23:59:59Z')).points).toEqual([[DAY_1, '4600']])
    expect((await tvl(`?from=${DAY_1}&to=${DAY_2}&as_of_ledger=209`)).points.map(([day]) => day)).toEqual([DAY_1, DAY_2])
    expect((await tvl('?from=2026-09-01T06:00:00Z&to=2026-09-01T18:00:00Z')).points).toEqual([])
  })

  it('the answer for a window outside the indexed days has a warning', async () => {
    const outside = async (query: string) => {
      const { data, meta } = await fixture.data(`/v1/protocols/soroswap/tvl${query}&as_of_ledger=150`)
      return [(data.points as unknown[]).length, (meta.warnings as { code: string }[]).some(({ code }) => code === 'outside_index')]
    }
    expect(await outside(`?from=${DAY_1}`)).toEqual([1, false])
    expect(await outside('?from=2026-08-31T23:59:59Z')).toEqual([1, true])
    expect(await outside('?to=2026-09-03T00:00:00Z')).toEqual([1, true])
    expect(await outside('?from=2026-09-03T00:00:00Z')).toEqual([0, true])
    expect(await outside('?to=2026-08-31T23:59:59Z')).toEqual([0, true])
  })

  it('a protocol without an adapter has no points, and the answer is partial', async () => {
    expect(await tvl('', 'fxdao')).toEqual({ points: [], partial: true })
  })
})
