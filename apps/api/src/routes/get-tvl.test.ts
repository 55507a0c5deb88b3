import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'

// USDC/XLM: 4,000 USD in ledger 101 and 4,500 in 160 (1 September), 5,000 in 200 and 5,100 in 210 (2 September).
// USDC/NEW: 100 USD in ledger 165 (1 September) and never again; NEW has no price.
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
  it('each pool counts with its last snapshot of the day or before', async () => {
    expect(await tvl('')).toEqual({
      points: [
        [DAY_1, '4600'],
        [DAY_2, '5200'],
      ],
      partial: true,
    })
    expect(await tvl('?resolution=1d')).toMatchObject({
      points: [
        [DAY_1, '4600'],
        [DAY_2, '5200'],
      ],
    })
  })

  it('the last day of TVL as of a ledger has the snapshots at or before it', async () => {
    expect((await tvl('?as_of_ledger=209')).points).toEqual([
      [DAY_1, '4600'],
      [DAY_2, '5100'],
    ])
    expect((await tvl('?as_of_ledger=199')).points).toEqual([
      [DAY_1, '4600'],
      [DAY_2, '4600'],
    ])
    expect((await tvl('?as_of_ledger=164')).points).toEqual([[DAY_1, '4500']])
    // The pool without a price is younger: nothing is left out.
    expect(await tvl('?as_of_ledger=150')).toEqual({ points: [[DAY_1, '4000']], partial: false })
    expect(await tvl('?as_of_ledger=99')).toEqual({ points: [], partial: true })
  })

  it('a day is in the window if its start is', async () => {
    expect((await tvl(`?from=${DAY_2}`)).points).toEqual([[DAY_2, '5200']])
    expect((await tvl('?from=2026-09-01T00:00:01Z')).points).toEqual([[DAY_2, '5200']])
    expect((await tvl('?to=2026-09-01T23:59:59Z')).points).toEqual([[DAY_1, '4600']])
    expect((await tvl(`?from=${DAY_1}&to=${DAY_2}&as_of_ledger=209`)).points).toEqual([
      [DAY_1, '4600'],
      [DAY_2, '5100'],
    ])
    expect((await tvl('?from=2026-09-01T06:00:00Z&to=2026-09-01T18:00:00Z')).points).toEqual([])
  })

  it('the answer for a window outside the indexed days is partial', async () => {
    const whole = (query: string) => tvl(`${query}&as_of_ledger=150`)
    expect(await whole(`?from=${DAY_1}`)).toEqual({ points: [[DAY_1, '4000']], partial: false })
    expect(await whole('?from=2026-08-31T23:59:59Z')).toEqual({ points: [[DAY_1, '4000']], partial: true })
    expect(await whole('?to=2026-09-03T00:00:00Z')).toEqual({ points: [[DAY_1, '4000']], partial: true })
    expect(await whole('?from=2026-09-03T00:00:00Z')).toEqual({ points: [], partial: true })
    expect(await whole('?to=2026-08-31T23:59:59Z')).toEqual({ points: [], partial: true })
  })

  it('a protocol without an adapter has no points, and the answer is partial', async () => {
    expect(await tvl('', 'fxdao')).toEqual({ points: [], partial: true })
  })
})
