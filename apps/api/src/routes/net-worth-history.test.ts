import { encodeStrkey } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, COMET, DAVE, ERIN, PAIR, POOL, timestamp, UNKNOWN_ACCOUNT, VAULTS, whole } from './testing/fixtures/network.ts'
import { leg, positionSnapshot, rows } from './testing/fixtures/rows.ts'

const fixture = withFixtureApi(TESTED_PROTOCOLS.map(({ id }) => id))

/** Deposits twice and does nothing else. */
const PATIENT = encodeStrkey('G', new Uint8Array(32).fill(6))

const worth = (of: Partial<ActivityRow>, usdValue: string | null) => ({ ...of, usdValue, volumeUsd: '0', counts: 0 }) as const
const BLEND = { protocol: 'blend', contract: POOL, counterparty: POOL } as const
const FXDAO = { protocol: 'fxdao', contract: VAULTS, counterparty: VAULTS, activityType: 'transfer' } as const
const SHARES = { activityType: 'transfer', shareAmount: whole(1), shareType: 'lp_share' } as const

/** What Dave did at ledger 107, each with what it adds to his flows: 371 USD together. */
const FLOWS: readonly Partial<ActivityRow>[] = [
  worth({ ...BLEND, activityType: 'deposit', direction: 'sent' }, '500'), // + 500
  worth({ ...BLEND, activityType: 'borrow', direction: 'received' }, '200'), // - 200
  worth({ ...BLEND, activityType: 'repay', direction: 'sent' }, '50'), // + 50
  worth({ ...BLEND, activityType: 'withdraw', direction: 'received' }, '20'), // - 20
  worth({ ...BLEND, activityType: 'stake', direction: 'sent' }, '7'), // + 7
  worth({ ...BLEND, activityType: 'unstake', direction: 'received' }, '3'), // - 3
  worth({ ...BLEND, activityType: 'claim', direction: 'received' }, '9'),
  worth({ activityType: 'swap', direction: 'sent' }, '11'),
  worth({ activityType: 'swap', direction: 'received' }, '10.9'),
  worth({ ...BLEND, activityType: 'liquidation', direction: 'sent' }, '13'),
  worth({ ...SHARES, direction: 'sent' }, '17'), // - 17, sent
  worth({ ...SHARES, direction: 'received' }, '19'), // + 19, received
  // Tokens that a pair had too many of.
  worth({ activityType: 'transfer', direction: 'received' }, '23'),
  // A vault that was received, with its debt; and the debt of one that was given away.
  worth({ ...FXDAO, direction: 'received', metadata: { role: 'receiver' } }, '29'), // + 29
  worth({ ...FXDAO, direction: 'none', metadata: { role: 'receiver', raw_debt_change: '5' } }, '31'), // - 31
  worth({ ...FXDAO, direction: 'none', metadata: { role: 'giver', raw_debt_change: '-5' } }, '37'), // + 37
  // What the backstop holds is a token; outside of a backstop it is no position.
  worth({ protocol: 'blend', contract: COMET, activityType: 'deposit', direction: 'sent' }, '1000'),
  worth({ ...SHARES, protocol: 'blend', contract: COMET, direction: 'received' }, '1000'),
]

const blendSnapshot = (ledger: number, depositedUsd: string, borrowedUsd: string) => ({
  ...positionSnapshot(ledger, depositedUsd, DAVE, POOL),
  protocol: 'blend',
  borrowedUsd,
})

beforeAll(() =>
  fixture.store.write(
    [
      rows({
        positionSnapshots: [
          positionSnapshot(101, '100', DAVE),
          positionSnapshot(106, '110', DAVE),
          blendSnapshot(107, '500', '200'),
          positionSnapshot(130, '0', DAVE),
          positionSnapshot(102, '562.5', PATIENT),
          positionSnapshot(108, '563', PATIENT),
          positionSnapshot(114, '570.25', PATIENT),
          positionSnapshot(131, '1125', PATIENT),
          positionSnapshot(110, null, ERIN),
          { ...positionSnapshot(111, '40', ERIN, POOL), protocol: 'blend' },
        ],
        activities: [
          leg({ ledger: 101, tx: 60, address: DAVE, usdValue: '100' }),
          ...FLOWS.map((of, row) => leg({ ledger: 107, tx: 61, row, address: DAVE, ...of })),
          leg({ ledger: 130, tx: 62, address: DAVE, activityType: 'withdraw', direction: 'received', usdValue: '105' }),
          leg({ ledger: 102, tx: 64, address: PATIENT, usdValue: '562.5' }),
          leg({ ledger: 131, tx: 65, address: PATIENT, usdValue: '562.5' }),
          leg({ ledger: 111, tx: 63, address: ERIN, usdValue: null }),
        ],
      }),
    ],
    VERSION,
  ),
)

type Point = Record<'timestamp' | 'value_at' | 'net_usd' | 'deposited_usd' | 'borrowed_usd' | 'net_flows_usd', string | null> & {
  readonly ledger: number
  readonly by_protocol: Readonly<Record<string, string | null>>
}

async function history(address: string, query = '') {
  const { data, enrichment, meta } = await fixture.data(`/v1/users/${address}/history${query}`)
  return { points: data.points as readonly Point[], enrichment, meta }
}

const brief = ({ timestamp: at, ledger, net_usd, net_flows_usd }: Point) => [at?.slice(11, 16), ledger, net_usd, net_flows_usd]
const DAY = '?interval=1h&from=2026-09-01T12:00:00Z&to=2026-09-01T18:00:00Z'

describe('buckets', () => {
  it('a bucket has the sum of the last snapshots at its end, and what entered and left positions in it', async () => {
    const { points } = await history(DAVE, DAY)
    expect(points.map(brief)).toEqual([
      ['12:00', 101, '100', '100'],
      ['13:00', 107, '410', '371'],
      ['17:00', 130, '300', '-105'],
    ])
    expect(points[1]).toEqual({
      timestamp: timestamp(106),
      ledger: 107,
      value_at: timestamp(107),
      net_usd: '410',
      deposited_usd: '610',
      borrowed_usd: '200',
      net_flows_usd: '371',
      by_protocol: { aquarius: '0', blend: '300', fxdao: '0', soroswap: '110' },
    })
  })

  it('`locf` carries all positions over buckets without a snapshot, also from before the window', async () => {
    const { points } = await history(DAVE, '?interval=1h&from=2026-09-01T14:00:00Z&to=2026-09-01T18:00:00Z&fill=locf')
    expect(points.map(brief)).toEqual([
      ['14:00', 107, '410', '0'],
      ['15:00', 107, '410', '0'],
      ['16:00', 107, '410', '0'],
      ['17:00', 130, '300', '-105'],
      ['18:00', 130, '300', '0'],
    ])
  })

  it('`null` and `zero` show buckets without a snapshot', async () => {
    const window = '?interval=1h&from=2026-09-01T16:00:00Z&to=2026-09-01T17:59:00Z'
    const none = { aquarius: null, blend: null, fxdao: null, soroswap: null }
    const [empty] = (await history(DAVE, `${window}&fill=null`)).points
    // 16:50 is ledger 129.
    const at = { timestamp: timestamp(124), ledger: 129, value_at: timestamp(129) }
    expect(empty).toEqual({ ...at, net_usd: null, deposited_usd: null, borrowed_usd: null, net_flows_usd: null, by_protocol: none })
    const zero = (await history(DAVE, `${window}&fill=zero`)).points
    expect(zero.map(brief)).toEqual([
      ['16:00', 129, '0', '0'],
      ['17:00', 130, '300', '-105'],
    ])
    expect(zero[0]?.by_protocol).toEqual({ aquarius: '0', blend: '0', fxdao: '0', soroswap: '0' })
  })

  it('buckets of ledgers begin at `from_ledger`, and their time is that of the values', async () => {
    const { points } = await history(DAVE, '?ledger_bucket=5&from_ledger=101&to_ledger=135&fill=locf')
    expect(
      points.map(({ ledger, timestamp: at, value_at, net_usd, net_flows_usd }) => [ledger, at, value_at === at, net_usd, net_flows_usd]),
    ).toEqual([
      [101, timestamp(101), true, '100', '100'],
      [106, timestamp(107), true, '410', '371'],
      [111, timestamp(107), true, '410', '0'],
      [116, timestamp(107), true, '410', '0'],
      [121, timestamp(107), true, '410', '0'],
      [126, timestamp(130), true, '300', '-105'],
      [131, timestamp(130), true, '300', '0'],
    ])
  })

  it('the gain is the change of the value minus the flows: of prices alone it is the whole change', async () => {
    const { points } = await history(PATIENT, `${DAY}&fill=locf`)
    const gains = points.map(
      ({ net_usd, net_flows_usd }, n) => Number(net_usd) - Number(points[n - 1]?.net_usd ?? 0) - Number(net_flows_usd),
    )
    // 562.5 USD come in at 12:20 and at 17:10; in between prices make 563 and 570.25 of them, and after it 1,125 of both.
    expect(gains).toEqual([0, 0.5, 7.25, 0, 0, 1_125 - 570.25 - 562.5, 0])
    expect(points.map(({ net_flows_usd }) => net_flows_usd)).toEqual(['562.5', '0', '0', '0', '0', '562.5', '0'])
  })

  it('a value without a price is left out and named, in a position and in a flow', async () => {
    const { points, meta } = await history(ERIN, DAY)
    expect(points.map(brief)).toEqual([['13:00', 111, '40', '0']])
    expect(meta.warnings).toContainEqual(expect.objectContaining({ code: 'unpriced_asset', path: '/points/0' }))
    expect(meta.partial_result).toBe(true)
  })
})

describe('the last indexed ledger', () => {
  it('a history on the time axis ends at the portfolio', async () => {
    for (const address of [ALICE, BOB]) {
      const { data } = await fixture.data(`/v1/users/${address}/positions`)
      const protocols = data.protocols as readonly Record<'protocol_id' | 'deposited_usd' | 'borrowed_usd', string>[]
      for (const query of [
        '?range=24h',
        '?range=7d&fill=locf',
        '?range=30d&interval=1w&fill=null',
        '?interval=1h&from=2026-09-02T00:00:00Z&to=2026-09-03T00:00:00Z',
      ]) {
        const last = (await history(address, query)).points.at(-1)
        expect([query, last?.net_usd]).toEqual([query, data.total_value_usd])
        expect(last).toMatchObject({ ledger: 220, value_at: timestamp(220) })
        for (const { protocol_id, deposited_usd, borrowed_usd } of protocols) {
          expect(Number(last?.by_protocol[protocol_id])).toBeCloseTo(Number(deposited_usd) - Number(borrowed_usd), 7)
        }
      }
    }
  })

  it('a window that ends before it, and buckets of ledgers, show stored snapshots', async () => {
    const before = (await history(ALICE, '?interval=1h&from=2026-09-01T12:00:00Z&to=2026-09-02T07:59:59Z&fill=locf')).points.at(-1)
    expect(before?.ledger).toBeLessThan(220)
    const ledgers = (await history(ALICE, '?ledger_bucket=100&from_ledger=100&to_ledger=220')).points.at(-1)
    expect(ledgers?.value_at).not.toBe(timestamp(220))
  })

  it('without an open position the last bucket is absent, or as `fill` has it', async () => {
    expect((await history(DAVE, '?range=24h')).points.map(({ ledger }) => ledger)).toEqual([101, 107, 130])
    expect((await history(UNKNOWN_ACCOUNT, '?range=24h&fill=locf')).points).toEqual([])
    expect((await history(UNKNOWN_ACCOUNT, '?range=24h&fill=null')).points.at(-1)).toMatchObject({ ledger: 220, net_usd: '0' })
  })
})

describe('raw points', () => {
  it('there is a point at each ledger with a snapshot, without flows', async () => {
    const { points } = await history(DAVE)
    expect(points.map(({ ledger, net_usd, net_flows_usd }) => [ledger, net_usd, net_flows_usd])).toEqual([
      [101, '100', null],
      [106, '110', null],
      [107, '410', null],
      [130, '300', null],
    ])
    expect(points[0]).toMatchObject({ timestamp: timestamp(101), value_at: timestamp(101) })
    const bounded = (await history(DAVE, '?from_ledger=107&to_ledger=129')).points
    expect(bounded.map(({ ledger, net_usd }) => [ledger, net_usd])).toEqual([[107, '410']])
  })

  it('`as_of_ledger` gives one point: the latest at or before it', async () => {
    expect((await history(DAVE, '?as_of_ledger=129')).points.map(({ ledger, net_usd }) => [ledger, net_usd])).toEqual([[107, '410']])
    expect((await history(DAVE, '?as_of_ledger=100')).points).toEqual([])
  })

  it('an account without a position has no points', async () => {
    expect((await history(UNKNOWN_ACCOUNT)).points).toEqual([])
  })
})

it('an account that is a contract is described', async () => {
  expect((await history(PAIR)).enrichment.contracts).toHaveProperty(PAIR)
})
