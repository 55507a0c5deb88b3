// Every mode of the specification's table 4.2, on the history of an Aquarius position. Alice's snapshots: ledger 110 at 13:40 (200 USD) and
// 130 at 17:00 (210 USD).

import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, AQUA_POOL, timestamp, UNKNOWN_ACCOUNT } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['aquarius'])

const at = (time: string): string => `2026-09-01T${time}:00Z`
const history = async (query: string, address = ALICE) => {
  const { data } = await fixture.data(`/v1/users/${address}/positions/aquarius/${AQUA_POOL}/history${query}`)
  expect(data.pool_id).toBe(AQUA_POOL)
  const points = data.points as { net_usd: string | null; ledger: number; timestamp: string }[]
  return points.map((point) => [point.net_usd, point.ledger, point.timestamp])
}

const FIRST = ['200', 110, timestamp(110)]
const SECOND = ['210', 130, timestamp(130)]

describe('200', () => {
  it('a raw history has all snapshots, those of a window of time, or those up to a ledger', async () => {
    expect(await history('')).toEqual([FIRST, SECOND])
    expect(await history(`?from=${at('13:40')}&to=${at('16:59')}`)).toEqual([FIRST])
    expect(await history(`?from=${at('13:41')}`)).toEqual([SECOND])
    expect(await history('?as_of_ledger=129')).toEqual([FIRST])
    expect(await history('', UNKNOWN_ACCOUNT)).toEqual([])
  })

  it('a history in buckets of time supports every value of fill', async () => {
    const window = `?interval=1h&from=${at('13:00')}&to=${at('17:00')}`
    const [first, second] = [
      ['200', 110, at('13:00')],
      ['210', 130, at('17:00')],
    ]
    expect(await history(window)).toEqual([first, second])
    expect(await history(`${window}&fill=none`)).toEqual([first, second])
    // 14:50, 15:50 and 16:50 are ledgers 117, 123 and 129.
    const empty = [
      [117, at('14:00')],
      [123, at('15:00')],
      [129, at('16:00')],
    ]
    expect(await history(`${window}&fill=null`)).toEqual([first, ...empty.map((it) => [null, ...it]), second])
    expect(await history(`${window}&fill=zero`)).toEqual([first, ...empty.map((it) => ['0', ...it]), second])
    expect(await history(`${window}&fill=locf`)).toEqual([first, ...empty.map(([, start]) => ['200', 110, start]), second])
  })

  it('a preset has its own width unless an interval is given', async () => {
    // The index ends at ledger 220, 08:00 of the next day. Its bucket shows the position as it is then: by the state, 200 USD.
    const live = (start: string) => ['200', 220, start]
    expect(await history('?range=24h')).toEqual([['200', 110, at('13:00')], ['210', 130, at('17:00')], live('2026-09-02T08:00:00Z')])
    expect(await history('?range=7d')).toEqual([['200', 110, at('12:00')], ['210', 130, at('16:00')], live('2026-09-02T08:00:00Z')])
    expect(await history('?range=30d')).toEqual([['210', 130, at('00:00')], live('2026-09-02T00:00:00Z')])
    expect(await history('?range=30d&interval=4h')).toEqual(await history('?range=7d'))
  })

  it('a history in buckets of ledgers shows the first ledger of each bucket', async () => {
    const window = '?ledger_bucket=10&from_ledger=105&to_ledger=130'
    expect(await history(window)).toEqual([
      ['200', 105, timestamp(110)],
      ['210', 125, timestamp(130)],
    ])
    expect((await history(`${window}&fill=null`))[1]).toEqual([null, 115, timestamp(124)])
    expect((await history(`${window}&fill=locf`))[1]).toEqual(['200', 115, timestamp(110)])
  })
})
