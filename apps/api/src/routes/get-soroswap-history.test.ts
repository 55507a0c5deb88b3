import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, CAROL, closeTime, hashOf, NEW_PAIR, PAIR, timestamp, UNKNOWN_ACCOUNT } from './testing/fixtures/network.ts'
import { positionSnapshot, rows } from './testing/fixtures/rows.ts'

// Alice's snapshots: ledger 101 at 12:10 (562.5 USD), 106 at 13:00 (563), 112 at 14:00 (570.25), 130 at 17:00 (1125).
const fixture = withFixtureApi()

const at = (time: string): string => `2026-09-01T${time}:00Z`
const history = async (query: string, address = ALICE, pair = PAIR) => {
  const { data, meta } = await fixture.data(`/v1/users/${address}/positions/soroswap/${pair}/history${query}`)
  const points = data.points as {
    net_usd: string | null
    supplied_usd: string | null
    borrowed_usd: string | null
    ledger: number
    timestamp: string
  }[]
  // Net, ledger, time: what there is besides follows from them in a liquidity pool.
  return { points: points.map((point) => [point.net_usd, point.ledger, point.timestamp]), whole: points, partial: meta.partial_result }
}

describe('200: raw', () => {
  it('a raw history has all snapshots in order', async () => {
    const { points, whole, partial } = await history('')
    expect(points).toEqual([
      ['562.5', 101, timestamp(101)],
      ['563', 106, timestamp(106)],
      ['570.25', 112, timestamp(112)],
      ['1125', 130, timestamp(130)],
    ])
    expect(whole[0]).toEqual({
      ...{ net_usd: '562.5', supplied_usd: '562.5', borrowed_usd: '0', ledger: 101 },
      ...{ timestamp: timestamp(101), value_at: timestamp(101) },
    })
    expect(partial).toBe(false)
  })

  it('both bounds of a window of time are inclusive', async () => {
    expect((await history(`?from=${at('13:00')}&to=${at('14:00')}`)).points.map(([, ledger]) => ledger)).toEqual([106, 112])
    expect((await history(`?from=2026-09-01T13:00:00.5Z&to=2026-09-01T13:59:59.9Z`)).points).toEqual([])
    expect((await history(`?from=2026-09-01T15:00:00%2B02:00&to=2026-09-01T16:00:00+02:00`)).points.map(([, ledger]) => ledger)).toEqual([
      106, 112,
    ])
  })

  it('a raw history can be limited by a ledger, also together with a window of time', async () => {
    expect((await history('?as_of_ledger=111')).points.map(([, ledger]) => ledger)).toEqual([101, 106])
    expect((await history(`?as_of_ledger=112&from=${at('13:00')}`)).points.map(([, ledger]) => ledger)).toEqual([106, 112])
  })

  it('a history as of a ledger has the age of prices at that ledger, so that it never changes', async () => {
    const { meta } = await fixture.data(`/v1/users/${ALICE}/positions/soroswap/${PAIR}/history?as_of_ledger=130`)
    expect(meta).toMatchObject({ last_indexed_ledger: 220, oracle_staleness_seconds: 30 * 600 })
  })

  it('an account without a position has no points, and a value without a price is null and makes the answer partial', async () => {
    expect(await history('', UNKNOWN_ACCOUNT)).toMatchObject({ points: [], partial: false })
    expect(await history('', BOB, NEW_PAIR)).toMatchObject({ points: [[null, 110, timestamp(110)]], partial: true })
  })
})

describe('200: buckets of time', () => {
  const window = `&from=${at('12:00')}&to=${at('17:00')}`

  it('each bucket has its last snapshot, and an empty bucket has no point', async () => {
    const { points, partial } = await history(`?interval=1h${window}`)
    expect(points).toEqual([
      ['562.5', 101, at('12:00')],
      ['563', 106, at('13:00')],
      ['570.25', 112, at('14:00')],
      ['1125', 130, at('17:00')],
    ])
    expect(partial).toBe(false)
  })

  it('empty buckets with null or zero show the last ledger that closed in them', async () => {
    // 15:50 is ledger 123, 16:50 is 129.
    const { points, whole } = await history(`?interval=1h${window}&fill=null`)
    expect(points.slice(3, 5)).toEqual([
      [null, 123, at('15:00')],
      [null, 129, at('16:00')],
    ])
    expect(whole[3]).toMatchObject({ supplied_usd: null, borrowed_usd: null })
    const zero = await history(`?interval=1h${window}&fill=zero`)
    expect(zero.points[4]).toEqual(['0', 129, at('16:00')])
    expect(zero.points).toHaveLength(6)
  })

  it('buckets with locf carry the last snapshot, also from before the window, with its ledger', async () => {
    const { points } = await history(`?interval=1h&from=${at('15:00')}&to=${at('18:00')}&fill=locf`)
    expect(points).toEqual([
      ['570.25', 112, at('15:00')],
      ['570.25', 112, at('16:00')],
      ['1125', 130, at('17:00')],
      ['1125', 130, at('18:00')],
    ])
  })

  it('buckets with locf before the first snapshot have no points', async () => {
    const { points } = await history(`?interval=5m&from=${at('12:00')}&to=${at('12:20')}&fill=locf`)
    expect(points.map(([, , start]) => start)).toEqual([at('12:10'), at('12:15'), at('12:20')])
    expect((await history(`?range=24h&fill=locf`, UNKNOWN_ACCOUNT)).points).toEqual([])
  })

  it('locf carries nothing past the last indexed ledger', async () => {
    const { points, partial } = await history('?interval=1d&from=2026-09-01T00:00:00Z&to=2027-01-01T00:00:00Z&fill=locf')
    expect(points).toEqual([
      ['1125', 130, '2026-09-01T00:00:00Z'],
      // The bucket of the last indexed ledger shows the position as it is then.
      ['1125', 220, '2026-09-02T00:00:00Z'],
    ])
    expect(partial).toBe(true)
  })

  it('buckets of a preset longer than the index begin with the index, and the answer is not partial', async () => {
    const { points, partial } = await history('?range=24h&fill=zero')
    expect([points.length, points[0], partial]).toEqual([21, ['562.5', 101, at('12:00')], false])
  })

  it('buckets without `from` start with the first snapshot', async () => {
    const { points } = await history(`?interval=4h&to=${at('16:30')}&fill=null`)
    expect(points).toEqual([
      ['570.25', 112, at('12:00')],
      // 16:30 is ledger 127: the window ends there.
      [null, 127, at('16:00')],
    ])
  })
})

describe('200: buckets of ledgers', () => {
  it('buckets of ledgers begin at from_ledger and show the close time of the snapshot', async () => {
    const { points } = await history('?ledger_bucket=10&from_ledger=101&to_ledger=130')
    expect(points).toEqual([
      ['563', 101, timestamp(106)],
      ['570.25', 111, timestamp(112)],
      ['1125', 121, timestamp(130)],
    ])
  })

  it('empty buckets of ledgers show the close time of their last ledger, and end with the index', async () => {
    const { points, partial } = await history('?ledger_bucket=10&from_ledger=95&to_ledger=134&fill=null')
    expect(points).toEqual([
      ['562.5', 95, timestamp(101)],
      ['570.25', 105, timestamp(112)],
      [null, 115, timestamp(124)],
      ['1125', 125, timestamp(130)],
    ])
    expect(partial).toBe(true)
    const end = await history('?ledger_bucket=100&from_ledger=140&to_ledger=400&fill=locf')
    expect(end.points).toEqual([['1125', 140, timestamp(130)]])
  })
})

describe('200: the newest 5,000', () => {
  it('snapshots beyond the newest 5,000 are cut off, and the answer is partial', async () => {
    const last = 5_200
    const ledgers = Array.from({ length: last - 220 }, (_, n) => 221 + n)
    await fixture.store.writeLedgers(
      ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
      2n,
    )
    const all = Array.from({ length: 5_001 }, (_, n) => positionSnapshot(last - n, String(last - n), CAROL))
    await fixture.store.write([rows({ positionSnapshots: all })], VERSION)
    await setCheckpoint(fixture.store, last)
    const { points, partial } = await history('', CAROL)
    expect([points.length, points[0]?.[1], points.at(-1)?.[1], partial]).toEqual([5_000, 201, 5_200, true])
    const newer = await history(`?from=${timestamp(201)}`, CAROL)
    expect([newer.points.length, newer.partial]).toEqual([5_000, false])
  })

  it.each(['', `?from=${timestamp(200)}`])(
    'as CSV the pages of `Link` have every snapshot once, the newest page first: %s',
    async (query) => {
      const pages: string[][] = []
      let next: string | undefined = `/v1/users/${CAROL}/positions/soroswap/${PAIR}/history${query}`
      while (next !== undefined) {
        const page = await fixture.api.ask(next, { headers: { accept: 'text/csv' } })
        expect(page.status, next).toBe(200)
        const [columns = [], ...lines] = parse(page.text, { record_delimiter: '\r\n' }) as string[][]
        pages.push(lines.map((line) => line[columns.indexOf('ledger')] ?? ''))
        next = /^<([^>]+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
      }
      expect(pages.map(({ length }) => length)).toEqual([5_000, 1])
      expect(pages.toReversed().flat()).toEqual(Array.from({ length: 5_001 }, (_, n) => String(200 + n)))
    },
  )
})
