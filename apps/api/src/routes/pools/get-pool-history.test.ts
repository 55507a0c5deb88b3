import type { PoolSnapshotRow, ReserveSnapshotRow } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from '../testing/fixture-api.ts'
import { AQUA_POOL, closeTime, hashOf, OTHER_CONTRACT, POOL_2, timestamp, USDC, whole, XLM } from '../testing/fixtures/network.ts'
import { rows } from '../testing/fixtures/rows.ts'

// Ledgers close every ten minutes: 100 at 12:00 of 1 September, 110 at 13:40, 112 at 14:00, 160 at 22:00, 220 (the last) at 08:00 of the next day.
// Snapshots of the Aquarius pool, whose counters begin at ledger 110:
//
// | ledger | value | volume | fees to holders | USD seconds                       |
// |--------|-------|--------|-----------------|-----------------------------------|
// | 110    | 2,000 |        |                 |                                   |
// | 112    | 2,000 | 100    | 0.3             | 2,000 · 1,200 s = 2,400,000       |
// | 117    | 2,100 | 400    | 1.2             | + 2,000 · 3,000 s = 8,400,000     |
// | 160    | 2,200 | 1,000  | 3               | + 2,100 · 25,800 s = 62,580,000   |
/** The oracles of the network observed their prices at 12:00 of 1 September, 20 hours before its last ledger. */
const OLD_PRICE = { code: 'stale_price', message: expect.stringContaining('72000 seconds'), path: null }

const fixture = withFixtureApi(['aquarius', 'blend', 'soroswap', 'fxdao'])

interface Point {
  readonly timestamp: string
  readonly ledger: number
  readonly tvl_usd: string | null
}

const history = async (query: string, pool = AQUA_POOL) => {
  const { data, meta } = await fixture.data(`/v1/pools/${pool}/history${query}`)
  return { points: data.points as Point[], meta }
}
const refusal = (query: string) => fixture.refusal(`/v1/pools/${AQUA_POOL}/history${query}`)

function snapshot(ledger: number, tvlUsd: string, [volume, fees, valueSeconds]: readonly [string, string, string]): PoolSnapshotRow {
  return {
    ...{ protocol: 'aquarius', pool: AQUA_POOL, ledger, closeTimeSeconds: closeTime(ledger), heartbeat: false, tvlUsd },
    ...{ unpricedAssets: 0, shareSupply: 0n },
    native: { volume_usd: volume, fees_usd: fees, lp_fees_usd: fees, value_seconds_usd: valueSeconds, reward_apy: '3.9' },
  }
}

function reserve(ledger: number, asset: string, units: number, usd: string): ReserveSnapshotRow {
  return {
    ...{ protocol: 'aquarius', pool: AQUA_POOL, asset, ledger, closeTimeSeconds: closeTime(ledger), heartbeat: false },
    ...{ supplied: whole(units), borrowed: 0n, suppliedUsd: usd, borrowedUsd: '0', priceUsd: null, priceSource: '', native: {} },
  }
}

const LENDING: ReserveSnapshotRow = {
  ...reserve(150, USDC, 1_000, '1000'),
  ...{ protocol: 'blend', pool: POOL_2, borrowed: whole(250), borrowedUsd: '250' },
  native: { utilization: '2500000', supply_apy: '0.01', borrow_apy: '0.05', supply_emission_apy: '0.002', borrow_emission_apy: null },
}

const SNAPSHOTS = rows({
  poolSnapshots: [
    snapshot(112, '2000', ['100', '0.3', '2400000']),
    snapshot(117, '2100', ['400', '1.2', '8400000']),
    snapshot(160, '2200', ['1000', '3', '62580000']),
    {
      ...{ protocol: 'blend', pool: POOL_2, ledger: 150, closeTimeSeconds: closeTime(150), heartbeat: false, tvlUsd: '750' },
      ...{ unpricedAssets: 0, shareSupply: 0n, native: {} },
    },
  ],
  reserveSnapshots: [
    reserve(112, USDC, 1_000, '1000'),
    reserve(112, XLM, 4_000, '1000'),
    reserve(117, USDC, 1_050, '1050'),
    reserve(117, XLM, 4_200, '1050'),
    reserve(160, USDC, 1_100, '1100'),
    reserve(160, XLM, 4_400, '1100'),
    LENDING,
  ],
})
// Written twice: no answer counts a row twice.
beforeAll(async () => {
  await fixture.store.write([SNAPSHOTS], VERSION)
  await fixture.store.write([SNAPSHOTS], VERSION)
})

const noRates = { utilization: null, supply_apy: null, borrow_apy: null, supply_emission_apy: null, borrow_emission_apy: null }
const reserves = (usdc: string, xlm: string, usd: string) => [
  { asset_id: USDC, symbol: 'USDC', supplied: usdc, borrowed: '0', supplied_usd: usd, borrowed_usd: '0', ...noRates },
  { asset_id: XLM, symbol: 'XLM', supplied: xlm, borrowed: '0', supplied_usd: usd, borrowed_usd: '0', ...noRates },
]
const FIRST_HOUR = {
  ...{ timestamp: '2026-09-01T13:00:00Z', ledger: 110, value_at: timestamp(110) },
  ...{ tvl_usd: '2000', volume_usd: null, fee_apy: '0', reward_apy: null, reserves: [] },
}
/** 1.2 · 31,536,000 / 8,400,000 = 4.50514286 a year, daily compounded. */
const SECOND_HOUR = {
  ...{ timestamp: '2026-09-01T14:00:00Z', ledger: 117, value_at: timestamp(117) },
  ...{ tvl_usd: '2100', volume_usd: '400', fee_apy: '87.02020372', reward_apy: '3.9', reserves: reserves('1050', '4200', '1050') },
}
/** 3 · 31,536,000 / 62,580,000 = 1.51179291. */
const LATER_HOUR = {
  ...{ timestamp: '2026-09-01T22:00:00Z', ledger: 160, value_at: timestamp(160) },
  ...{ tvl_usd: '2200', volume_usd: '600', fee_apy: '3.52071733', reward_apy: '3.9', reserves: reserves('1100', '4400', '1100') },
}
/** What `/v1/pools` has: nothing was traded in this hour. */
const PRESENT = {
  ...{ timestamp: '2026-09-02T08:00:00Z', ledger: 220, value_at: timestamp(220) },
  ...{ tvl_usd: '2000', volume_usd: '0', fee_apy: '0', reward_apy: '3.942', reserves: reserves('1000', '4000', '1000') },
}

describe('GET /v1/pools/{pool_id}/history', () => {
  it('has the last snapshot of each bucket with the volume in it, and ends with the present values', async () => {
    const { points, meta } = await history('?range=24h')
    expect(points).toEqual([FIRST_HOUR, SECOND_HOUR, LATER_HOUR, PRESENT])
    expect(meta).toMatchObject({ partial_result: false, warnings: [OLD_PRICE] })
    const { tvl_usd, fee_apy, reward_apy, reserves } = (await fixture.data(`/v1/pools/${AQUA_POOL}`)).data
    expect(points.at(-1)).toMatchObject({ tvl_usd, fee_apy, reward_apy, reserves })
  })

  it('without a beginning starts in the bucket of the first snapshot', async () => {
    expect((await history('?interval=1h')).points).toEqual([FIRST_HOUR, SECOND_HOUR, LATER_HOUR, PRESENT])
  })

  it('of a day has the volume of all its hours', async () => {
    expect((await history('?interval=1d')).points).toMatchObject([
      { timestamp: '2026-09-01T00:00:00Z', ledger: 160, volume_usd: '1000', fee_apy: LATER_HOUR.fee_apy },
      { timestamp: '2026-09-02T00:00:00Z', ledger: 220, volume_usd: '0' },
    ])
  })

  it('has the same in buckets of minutes, which are made of snapshots', async () => {
    const { points } = await history('?interval=5m&from=2026-09-01T14:00:00Z&to=2026-09-01T22:10:00Z')
    expect(points).toEqual([
      {
        ...{ timestamp: timestamp(112), ledger: 112, value_at: timestamp(112), tvl_usd: '2000', volume_usd: '100' },
        // 0.3 · 31,536,000 / 2,400,000 = 3.942.
        ...{ fee_apy: '49.44407183', reward_apy: '3.9', reserves: reserves('1000', '4000', '1000') },
      },
      { ...SECOND_HOUR, timestamp: timestamp(117), volume_usd: '300' },
      { ...LATER_HOUR, timestamp: timestamp(160) },
    ])
  })

  it('is raw without buckets: every snapshot, and no volume', async () => {
    const raw = [FIRST_HOUR, { ...SECOND_HOUR, timestamp: timestamp(117) }, LATER_HOUR].map((point) => ({ ...point, volume_usd: null }))
    const [first, , last] = raw
    expect((await history('')).points).toMatchObject([{ ...first, timestamp: timestamp(110) }, { ledger: 112 }, raw[1], last])
    expect((await history('?as_of_ledger=159')).points).toMatchObject([{ ledger: 110 }, { ledger: 112 }, raw[1]])
    expect((await history('?from=2026-09-01T14:50:00Z')).points).toEqual([raw[1], last])
  })

  it('on the ledger axis shows the start of each bucket', async () => {
    const { points } = await history('?ledger_bucket=10&from_ledger=110&to_ledger=169')
    expect(points).toEqual([
      { ...SECOND_HOUR, timestamp: timestamp(117), ledger: 110 },
      { ...LATER_HOUR, ledger: 160 },
    ])
  })

  it('fills empty buckets with null, zero or the last observation', async () => {
    const window = '?interval=4h&from=2026-09-01T12:00:00Z&to=2026-09-01T23:59:59Z'
    const at = { timestamp: '2026-09-01T16:00:00Z', value_at: timestamp(147), ledger: 147 }
    const rates = { fee_apy: null, reward_apy: null, reserves: [] }
    const afternoon = { ...SECOND_HOUR, timestamp: '2026-09-01T12:00:00Z' }
    const night = { ...LATER_HOUR, timestamp: '2026-09-01T20:00:00Z' }
    expect((await history(window)).points).toEqual([afternoon, night])
    expect((await history(`${window}&fill=null`)).points).toEqual([afternoon, { ...at, tvl_usd: null, volume_usd: null, ...rates }, night])
    expect((await history(`${window}&fill=zero`)).points).toEqual([afternoon, { ...at, tvl_usd: '0', volume_usd: '0', ...rates }, night])
    expect((await history(`${window}&fill=locf`)).points).toEqual([
      afternoon,
      { ...afternoon, timestamp: '2026-09-01T16:00:00Z', volume_usd: '0' },
      night,
    ])
  })

  it('carries a snapshot from before the window, and its volume is not of the window', async () => {
    const { points } = await history('?interval=1h&from=2026-09-01T21:00:00Z&to=2026-09-01T22:59:59Z&fill=locf')
    expect(points).toEqual([{ ...SECOND_HOUR, timestamp: '2026-09-01T21:00:00Z', volume_usd: '0' }, LATER_HOUR])
  })

  it('of a lending pool has rates and no volume', async () => {
    const { points } = await history('?interval=1h&from=2026-09-01T20:00:00Z&to=2026-09-01T20:59:59Z', POOL_2)
    expect(points).toEqual([
      {
        ...{ timestamp: '2026-09-01T20:00:00Z', ledger: 150, value_at: timestamp(150), tvl_usd: '750' },
        ...{ volume_usd: null, fee_apy: null, reward_apy: null },
        reserves: [
          {
            ...{ asset_id: USDC, symbol: 'USDC', supplied: '1000', borrowed: '250', supplied_usd: '1000', borrowed_usd: '250' },
            ...{ utilization: '0.25', supply_apy: '0.01', borrow_apy: '0.05', supply_emission_apy: '0.002', borrow_emission_apy: null },
          },
        ],
      },
    ])
    expect((await history('?ledger_bucket=5&from_ledger=150&to_ledger=159&fill=zero', POOL_2)).points[1]).toMatchObject({
      tvl_usd: '0',
      volume_usd: null,
    })
  })

  it('of the vaults of a currency and of stakes has their values', async () => {
    expect((await history('?as_of_ledger=220', 'fxdao:USD')).points).toMatchObject([{ ledger: 110, tvl_usd: '375', volume_usd: null }])
  })

  it('outside of the index, or of a pool with an unpriced token, is partial', async () => {
    const { meta } = await history('?interval=1d&from=2026-08-01T00:00:00Z&to=2026-09-01T23:00:00Z')
    expect(meta).toMatchObject({ partial_result: true, warnings: [{ code: 'outside_index' }, OLD_PRICE] })
  })

  it('refuses what a position history refuses', async () => {
    expect(await refusal('?range=24h&from=2026-09-01T12:00:00Z')).toMatchObject({ status: 400, code: 'conflicting_parameters' })
    expect(await refusal('?resolution=1h')).toMatchObject({ status: 400, code: 'reserved_parameter' })
    expect(await refusal('?fill=locf')).toMatchObject({ status: 400, code: 'missing_parameter' })
    const wide = '?interval=5m&from=2020-01-01T00:00:00Z&to=2026-09-01T12:00:00Z'
    expect(await refusal(wide)).toMatchObject({ status: 400, code: 'too_many_points' })
    expect(await fixture.refusal(`/v1/pools/${OTHER_CONTRACT}/history`)).toMatchObject({ status: 404, code: 'not_found' })
  })
})

// This test moves the watermark: it comes last.
describe('GET /v1/pools/{pool_id}/history later', () => {
  it('has the fees of the last 7 days, by hours', async () => {
    const later = Array.from({ length: 1_080 }, (_, n) => 221 + n)
    await fixture.store.writeLedgers(
      later.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
      2n,
    )
    await fixture.store.write([rows({ poolSnapshots: [snapshot(1_240, '2300', ['1500', '4', '500000000'])] })], VERSION)
    for (const id of ['aquarius', 'blend', 'soroswap', 'fxdao'] as const) await setCheckpoint(fixture.store, 1_300, 1_300, id)
    // 7 days before ledger 1,240 is ledger 232; the snapshot before is that of 160. Fees of 1 USD over 437,420,000 USD seconds are 0.07209547 a year.
    for (const query of ['?as_of_ledger=1250', '?interval=1h&from=2026-09-01T12:00:00Z&to=2026-09-09T12:00:00Z']) {
      expect((await history(query)).points.find(({ ledger }) => ledger === 1_240)).toMatchObject({ tvl_usd: '2300', fee_apy: '0.07475029' })
    }
  })
})
