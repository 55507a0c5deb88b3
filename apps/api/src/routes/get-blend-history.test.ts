import { describe, expect, it } from 'vitest'
import { VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { lendingSnapshot } from './testing/fixtures/blend.ts'
import { ALICE, BOB, CAROL, DAVE, ERIN, POOL, POOL_2, timestamp, UNKNOWN_ACCOUNT } from './testing/fixtures/network.ts'
import { rows } from './testing/fixtures/rows.ts'

// Alice in Fixed v2: ledger 110 at 13:40, 118 at 15:00. In Second: 112 at 14:00, and nothing any more from 130 at 17:00 on.
const fixture = withFixtureApi(['blend'])

const at = (time: string): string => `2026-09-01T${time}:00Z`
const summaryPath = (query = '', address = ALICE) => `/v1/users/${address}/positions/blend/summary/history${query}`

/** supplied, borrowed, deposited, net APY, health factor, borrow limit; ledger and time. */
const summary = async (query = '', address = ALICE) => {
  const { data, meta } = await fixture.data(summaryPath(query, address))
  const points = data.points as Record<string, string | number | null>[]
  return {
    points: points.map((it) => [
      it.supplied_usd,
      it.borrowed_usd,
      it.deposited_usd,
      it.net_apy,
      it.health_factor,
      it.borrow_limit_pct,
      it.ledger,
      it.timestamp,
    ]),
    partial: meta.partial_result,
  }
}

// 950 / 500; net 600 at 5 % and 200 at 1 %; 1,045 / 400; net 800 at 4 % and 200 at 1 %; net 800 at 4 % alone.
const FIRST_POINT = ['1000', '400', '1060', '0.05', '1.9', '52.63157895'] as const
const SECOND = ['1200', '400', '1260', '0.04', '1.9', '52.63157895'] as const
const THIRD = ['1300', '300', '1360', '0.034', '2.6125', '38.27751196'] as const
const FOURTH = ['1100', '300', '1160', '0.04', '2.6125', '38.27751196'] as const

describe('200: summary, raw', () => {
  it('the summary has a point wherever a pool has a snapshot, with the last snapshot of each pool', async () => {
    expect(await summary()).toEqual({
      points: [
        [...FIRST_POINT, 110, timestamp(110)],
        [...SECOND, 112, timestamp(112)],
        [...THIRD, 118, timestamp(118)],
        [...FOURTH, 130, timestamp(130)],
      ],
      partial: false,
    })
  })

  it('the summary between two ledgers includes snapshots from before', async () => {
    expect(await summary('?from_ledger=112&to_ledger=118')).toEqual({
      points: [
        [...SECOND, 112, timestamp(112)],
        [...THIRD, 118, timestamp(118)],
      ],
      partial: false,
    })
    expect((await summary('?from_ledger=131&to_ledger=220')).points).toEqual([])
    expect((await summary('?from_ledger=50&to_ledger=110')).partial).toBe(true)
  })

  it('the summary as of a ledger is one point: the latest', async () => {
    expect((await summary('?as_of_ledger=129')).points).toEqual([[...THIRD, 118, timestamp(118)]])
    expect(await summary('?as_of_ledger=109')).toEqual({ points: [], partial: false })
    const { meta } = await fixture.data(summaryPath('?as_of_ledger=118'))
    expect(meta).toMatchObject({ last_indexed_ledger: 220, oracle_staleness_seconds: 18 * 600 })
  })

  it('an account that never lent has no points', async () => {
    expect(await summary('', UNKNOWN_ACCOUNT)).toEqual({ points: [], partial: false })
  })
})

describe('200: summary, buckets', () => {
  const hours = (query: string) => summary(`?interval=1h&from=${at('13:00')}&to=${at('17:30')}${query}`)

  it('buckets of time have the value at the end of each hour that has a snapshot', async () => {
    expect((await hours('')).points).toEqual([
      [...FIRST_POINT, 110, at('13:00')],
      [...SECOND, 112, at('14:00')],
      [...THIRD, 118, at('15:00')],
      [...FOURTH, 130, at('17:00')],
    ])
  })

  it('buckets of time with locf carry values from before the window, and not past its end', async () => {
    const { points } = await summary(`?interval=1h&from=${at('14:30')}&to=${at('16:59')}&fill=locf`)
    expect(points).toEqual([
      [...SECOND, 112, at('14:00')],
      [...THIRD, 118, at('15:00')],
      [...THIRD, 118, at('16:00')],
    ])
    expect((await summary(`?interval=1h&from=${at('12:00')}&to=${at('13:59')}&fill=locf`)).points).toEqual([
      [...FIRST_POINT, 110, at('13:00')],
    ])
  })

  it('an empty hour is null, or zero without a health factor, with the last ledger that closed in it', async () => {
    const { points } = await hours('&fill=null')
    expect(points[3]).toEqual([null, null, null, null, null, null, 129, at('16:00')])
    expect((await hours('&fill=zero')).points[3]).toEqual(['0', '0', '0', '0', null, '0', 129, at('16:00')])
    expect(points).toHaveLength(5)
  })

  it('buckets of ledgers are counted from the first ledger', async () => {
    const buckets = (query: string) => summary(`?ledger_bucket=10&from_ledger=105&to_ledger=139${query}`)
    expect((await buckets('')).points).toEqual([
      [...SECOND, 105, timestamp(112)],
      [...THIRD, 115, timestamp(118)],
      [...FOURTH, 125, timestamp(130)],
    ])
    const filled = (await buckets('&fill=locf')).points
    expect(filled[3]).toEqual([...FOURTH, 135, timestamp(130)])
    expect((await buckets('&fill=null')).points[3]).toEqual([null, null, null, null, null, null, 135, timestamp(139)])
  })
})

describe('200: summary of several debts', () => {
  it('the summary has the limit of the weakest pool, and null for a debt without collateral value', async () => {
    await fixture.store.write(
      [
        rows({
          positionSnapshots: [
            lendingSnapshot(140, { address: BOB, supplied: '100', borrowed: '50', effective: ['90', '60'] }),
            lendingSnapshot(150, { address: BOB, pool: POOL_2, supplied: '100', borrowed: '70', effective: ['90', '75'] }),
            lendingSnapshot(160, { address: BOB, supplied: '0', borrowed: '50', effective: ['0', '60'] }),
          ],
        }),
      ],
      VERSION,
    )
    const { points } = await summary('', BOB)
    expect(points.map(([, , , , health, limit]) => [health, limit])).toEqual([
      ['1.5', '66.66666667'],
      ['1.2', '83.33333333'],
      ['0', null],
    ])
    // Net 50 and 30, then -50 and 30.
    expect(points.map(([, , , apy]) => apy)).toEqual(['0', '0', '0'])
  })

  it('an asset without a price makes sums null and the answer partial, and does not hide the health factor of another pool', async () => {
    await fixture.store.write(
      [
        rows({
          positionSnapshots: [
            lendingSnapshot(140, { address: CAROL, supplied: '100', borrowed: '50', effective: ['90', '60'], apy: '0.1' }),
            lendingSnapshot(150, { address: CAROL, pool: POOL_2, supplied: null, borrowed: '7', effective: [null, '8'] }),
          ],
        }),
      ],
      VERSION,
    )
    const { points, partial } = await summary('', CAROL)
    expect(points[1]?.slice(0, 6)).toEqual([null, '57', null, '0.1', '1.5', '66.66666667'])
    expect(partial).toBe(true)
  })

  it('the health factor is rounded down as in the contract, even if the quotient of the shown values is above it', async () => {
    // 712.502264 / 100 of USD values; the contract says one unit of its oracle's 7 digits less.
    const below = lendingSnapshot(140, {
      address: DAVE,
      supplied: '900',
      borrowed: '90',
      effective: ['712.502264', '100'],
      health: '7.1250226',
    })
    await fixture.store.write([rows({ positionSnapshots: [below] })], VERSION)
    const { points } = await summary('', DAVE)
    expect(points.map(([, , , , health, limit]) => [health, limit])).toEqual([['7.1250226', '14.03504312']])
  })

  it('the limit of a debt without a price is null if no other pool has a limit', async () => {
    const unknown = lendingSnapshot(145, { address: ERIN, supplied: null, borrowed: '7', effective: [null, '8'] })
    await fixture.store.write([rows({ positionSnapshots: [unknown] })], VERSION)
    const { points } = await summary('', ERIN)
    expect(points.map(([, , , , health, limit]) => [health, limit])).toEqual([[null, null]])
  })
})

describe('200: one pool', () => {
  it('the history of one pool has only its own snapshots', async () => {
    const { data, enrichment } = await fixture.data(`/v1/users/${ALICE}/positions/blend/${POOL_2}/history`)
    expect(data).toEqual({
      pool_id: POOL_2,
      points: [
        { supplied_usd: '200', borrowed_usd: '0', net_usd: '200', ledger: 112, timestamp: timestamp(112), value_at: timestamp(112) },
        { supplied_usd: '0', borrowed_usd: '0', net_usd: '0', ledger: 130, timestamp: timestamp(130), value_at: timestamp(130) },
      ],
    })
    expect(enrichment.contracts[POOL_2]).toMatchObject({ name: 'Second', protocol: 'blend' })
    const carried = await fixture.data(
      `/v1/users/${ALICE}/positions/blend/${POOL}/history?ledger_bucket=10&from_ledger=115&to_ledger=130&fill=locf`,
    )
    expect(carried.data.points).toMatchObject([
      { net_usd: '800', ledger: 115, timestamp: timestamp(118) },
      { net_usd: '800', ledger: 125, timestamp: timestamp(118) },
    ])
  })
})

describe('200: the end of a chart', () => {
  it('the bucket of the last indexed ledger shows the summary of the portfolio beside it', async () => {
    const { data } = await fixture.data(summaryPath('?range=24h&fill=locf'))
    const { data: portfolio } = await fixture.data(`/v1/users/${ALICE}/positions`)
    const [blend] = portfolio.protocols as [Record<string, unknown>]
    const { borrowed_usd, deposited_usd, health_factor, net_apy } = blend
    expect((data.points as unknown[]).at(-1)).toEqual({
      ...{ borrowed_usd, deposited_usd, health_factor, net_apy },
      // 300 of 1,172.5 and 60 of these in the backstop; 100 / 2.6125.
      ...{ supplied_usd: '1112.5', borrow_limit_pct: '38.27751196' },
      ...{ ledger: 220, timestamp: '2026-09-02T08:00:00Z', value_at: timestamp(220) },
    })
  })

  it('the bucket of the last indexed ledger shows a pool without its backstop, and a carried value keeps the time of its snapshot', async () => {
    const { data } = await fixture.data(`/v1/users/${ALICE}/positions/blend/${POOL}/history?range=24h&fill=locf`)
    const points = data.points as { value_at: string }[]
    expect(points.at(-1)).toEqual({
      ...{ supplied_usd: '1112.5', borrowed_usd: '300', net_usd: '812.5', ledger: 220 },
      ...{ timestamp: '2026-09-02T08:00:00Z', value_at: timestamp(220) },
    })
    expect(points.at(-2)).toMatchObject({ timestamp: '2026-09-02T07:00:00Z', value_at: timestamp(118) })
  })

  it('a position that is closed adds no point to buckets without a snapshot', async () => {
    const { data } = await fixture.data(`/v1/users/${ALICE}/positions/blend/${POOL_2}/history?range=24h`)
    expect((data.points as { ledger: number }[]).map(({ ledger }) => ledger)).toEqual([112, 130])
  })
})
