import { describe, expect, it } from 'vitest'
import { VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, ORACLE, timestamp, UNKNOWN_ACCOUNT } from './testing/fixtures/network.ts'
import { leg, rows } from './testing/fixtures/rows.ts'

// Alice: a deposit of 562.5 USD in ledger 101 (12:10), a swap of 1,250 USD in 120 (15:20), a deposit of 562.5 USD in 130 (17:00).
const fixture = withFixtureApi()

const at = (time: string): string => `2026-09-01T${time}:00Z`
const series = async (query: string, address = ALICE) => {
  const { data, meta } = await fixture.data(`/v1/users/${address}/activities/series${query}`)
  const points = data.points as { activity_type: string; events: number; ledger: number; timestamp: string; usd_volume: string }[]
  return {
    points: points.map((point) => [point.timestamp, point.ledger, point.activity_type, point.events, point.usd_volume]),
    meta,
  }
}

describe('200: on the time axis', () => {
  it('the series has a point for each bucket and type, and counts each action once', async () => {
    const { points, meta } = await series('?interval=1h')
    expect(points).toEqual([
      [at('12:00'), 101, 'deposit', 1, '562.5'],
      [at('15:00'), 120, 'swap', 1, '1250'],
      [at('17:00'), 130, 'deposit', 1, '562.5'],
    ])
    expect(meta).toMatchObject({ attribution_confidence: 0.9, partial_result: true, last_indexed_ledger: 220 })
  })

  it('types of a bucket are sorted by name, with the last ledger of each', async () => {
    expect((await series('?interval=1d')).points).toEqual([
      ['2026-09-01T00:00:00Z', 130, 'deposit', 2, '1125'],
      ['2026-09-01T00:00:00Z', 120, 'swap', 1, '1250'],
    ])
  })

  it('actions outside the window do not count, even in the same bucket', async () => {
    expect((await series(`?interval=1d&from=2026-09-01T12:10:01Z&to=2026-09-01T16:59:59Z`)).points).toEqual([
      ['2026-09-01T00:00:00Z', 120, 'swap', 1, '1250'],
    ])
    expect((await series(`?interval=1d&from=${at('12:10')}&to=${at('12:10')}`)).points).toEqual([
      ['2026-09-01T00:00:00Z', 101, 'deposit', 1, '562.5'],
    ])
  })

  it('a window without a beginning starts with the first action where one over the whole index has more than 5,000 buckets', async () => {
    // The index begins at 12:00, the account at 12:10.
    expect((await series('?interval=5m&to=2026-09-18T20:40:00Z')).points).toEqual((await series('?interval=5m')).points)
  })

  it('meta has the sources of the prices of volumes, and the age of the oldest at its ledger', async () => {
    // The oracle spoke at 12:00: the deposit at 17:00 is the last that its price valued.
    const sources = ['clickhouse', `oracle:${ORACLE}`]
    expect((await series('?interval=1d')).meta).toMatchObject({ oracle_staleness_seconds: 18_000, sources })
    const until = `?interval=1h&from=${at('12:00')}&to=${at('16:00')}`
    expect((await series(until)).meta).toMatchObject({ oracle_staleness_seconds: 12_000, sources })
  })

  it('an account without activities has no points and no price sources', async () => {
    const { points, meta } = await series('?interval=5m', UNKNOWN_ACCOUNT)
    expect(points).toEqual([])
    expect(meta).toMatchObject({ oracle_staleness_seconds: 0, sources: ['clickhouse'] })
  })
})

describe('200: range and protocol', () => {
  it('a preset window ends at the last indexed ledger, with its own buckets or those of interval', async () => {
    // The last ledger is 220, at 08:00 of 2 September. 30d: days; 24h: hours, from the hour of 08:00 on the day before.
    const days = [
      ['2026-09-01T00:00:00Z', 130, 'deposit', 2, '1125'],
      ['2026-09-01T00:00:00Z', 120, 'swap', 1, '1250'],
    ]
    expect((await series('?range=30d')).points).toEqual(days)
    expect((await series('?range=24h&interval=1d')).points).toEqual(days)
    expect((await series('?range=24h')).points).toEqual((await series('?interval=1h')).points)
  })

  it('only actions in the protocol count, and an open window begins with the first of them', async () => {
    const all = (await series('?interval=1h')).points
    expect(all.length).toBeGreaterThan(0)
    expect((await series('?interval=1h&protocol=soroswap')).points).toEqual(all)
    expect((await series('?interval=1h&protocol=aquarius')).points).toEqual([])
    expect((await series('?range=30d&protocol=aquarius')).points).toEqual([])
  })

  it('value_at is the close time of the last action of the point, on both axes', async () => {
    const shown = async (query: string) => {
      const { data } = await fixture.data(`/v1/users/${ALICE}/activities/series${query}`)
      return (data.points as { activity_type: string; value_at: string }[]).map((point) => [point.activity_type, point.value_at])
    }
    expect(await shown('?interval=1d')).toEqual([
      ['deposit', timestamp(130)],
      ['swap', timestamp(120)],
    ])
    expect(await shown('?ledger_bucket=20&from_ledger=101&to_ledger=120')).toEqual([
      ['deposit', timestamp(101)],
      ['swap', timestamp(120)],
    ])
  })
})

describe('200: on the ledger axis', () => {
  it('buckets of ledgers begin at from_ledger and show the time of the last action', async () => {
    expect((await series('?ledger_bucket=20&from_ledger=101&to_ledger=140')).points).toEqual([
      [timestamp(101), 101, 'deposit', 1, '562.5'],
      [timestamp(120), 101, 'swap', 1, '1250'],
      [timestamp(130), 121, 'deposit', 1, '562.5'],
    ])
    expect((await series('?ledger_bucket=100&from_ledger=121&to_ledger=129')).points).toEqual([])
  })
})

describe('200: written again', () => {
  it('a row that was stored twice counts as one action', async () => {
    await fixture.store.write(
      [rows({ activities: [leg({ ledger: 101, tx: 1, shareAmount: 5_000_000_000n, shareType: 'lp_share' })] })],
      VERSION,
    )
    expect((await series('?interval=1h')).points[0]).toEqual([at('12:00'), 101, 'deposit', 1, '562.5'])
  })
})
