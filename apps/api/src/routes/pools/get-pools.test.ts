import { beforeAll, describe, expect, it } from 'vitest'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'
import { setCheckpoint, VERSION, withFixtureApi } from '../testing/fixture-api.ts'
import {
  AQUA_POOL,
  BACKSTOP,
  BLND,
  BOB,
  closeTime,
  hashOf,
  LOCKING,
  NEW,
  NEW_PAIR,
  ODD_POOL,
  ORACLE,
  OTHER_CONTRACT,
  PAIR,
  POOL,
  POOL_2,
  RATES,
  SHARE,
  timestamp,
  USDC,
  USDX,
  VAULTS,
  XLM,
} from '../testing/fixtures/network.ts'
import { rows, stateRow } from '../testing/fixtures/rows.ts'

// 1 USDC = 1 USD, 1 XLM = 0.25 USD, 1 BLND = 0.05 USD, 1 USDx = 1 USD. By value:
//
// | pool           | value                                                       | USD      |
// |----------------|-------------------------------------------------------------|----------|
// | Fixed v2       | 10,000 · 1.1 USDC + 20,000 XLM - 1,000 · 1.2 XLM             | 15,700   |
// | USDC/XLM       | 2,000 USDC + 10,000 XLM                                      | 4,500    |
// | Aquarius       | 1,000 USDC + 4,000 XLM                                       | 2,000    |
// | Second         | 1,000 USDC                                                   | 1,000    |
// | fxdao:USD      | 1,500 XLM of collateral                                      | 375      |
// | USDC/NEW       | 100 USDC + 777 raw NEW, without price and decimals           | 100      |
// | locking        | 40 USDx                                                      | 40       |
// | odd            | 10 USDC + 5 XLM                                              | 11.25    |
const BY_VALUE = [POOL, PAIR, AQUA_POOL, POOL_2, 'fxdao:USD', NEW_PAIR, LOCKING, ODD_POOL]

/** The oracles of the network observed their prices at 12:00 of 1 September, 20 hours before its last ledger. */
const OLD_PRICE = { code: 'stale_price', message: expect.stringContaining('72000 seconds'), path: null }

const IDS = TESTED_PROTOCOLS.map(({ id }) => id)
const fixture = withFixtureApi(IDS)

interface Listed {
  readonly pools: readonly { readonly pool_id: string; readonly tvl_usd: string; readonly volume_24h_usd: string | null }[]
  readonly next_cursor: string | null
}

async function list(query = ''): Promise<Listed> {
  return (await fixture.data(`/v1/pools${query}`)).data as unknown as Listed
}

const idsOf = ({ pools }: Listed): string[] => pools.map(({ pool_id }) => pool_id)

/** Volume of PAIR at a ledger, since the first one. */
function counters(ledger: number, volume: number) {
  return stateRow('soroswap', PAIR, 'counters', ledger, {
    since_seconds: String(closeTime(100)),
    at_seconds: String(closeTime(ledger)),
    fees_usd: '0',
    lp_fees_usd: '0',
    volume_usd: String(volume),
    value_seconds_usd: '0',
    tvl_usd: '4500',
  })
}

beforeAll(() => fixture.store.write([rows({ state: [counters(130, 100), counters(200, 350)] })], VERSION))

describe('GET /v1/pools', () => {
  it('has the pools of all protocols, the most valuable first', async () => {
    const { pools, next_cursor } = await list()
    expect(idsOf({ pools, next_cursor })).toEqual(BY_VALUE)
    expect(pools.map(({ tvl_usd }) => tvl_usd)).toEqual(['15700', '4500', '2000', '1000', '375', '100', '40', '11.25'])
    expect(next_cursor).toBeNull()
  })

  it('has a lending pool with its reserves, and without what only liquidity pools have', async () => {
    const { pools } = await list('?protocol=blend&limit=1')
    const reserve = { utilization: '0', supply_apy: '0', borrow_apy: '0', supply_emission_apy: '0', borrow_emission_apy: '0' }
    expect(pools).toEqual([
      {
        pool_id: POOL,
        contract: POOL,
        protocol: 'blend',
        name: 'Fixed v2',
        type: 'lending',
        tokens: [
          { asset_id: USDC, symbol: 'USDC', decimals: 7 },
          { asset_id: XLM, symbol: 'XLM', decimals: 7 },
        ],
        tvl_usd: '15700',
        volume_24h_usd: null,
        volume_7d_usd: null,
        fee_apy: null,
        reward_apy: null,
        status: 'active',
        created_ledger: 100,
        reserves: [
          { asset_id: USDC, symbol: 'USDC', supplied: '11000', borrowed: '0', supplied_usd: '11000', borrowed_usd: '0', ...reserve },
          {
            ...{ asset_id: XLM, symbol: 'XLM', supplied: '20000', borrowed: '1200', supplied_usd: '5000', borrowed_usd: '300', ...reserve },
            // 0.001 BLND a second are 0.001 · 31,536,000 · 0.05 = 1,576.8 USD a year on 5,000 USD.
            ...{ utilization: '0.06', supply_emission_apy: '0.31536' },
          },
        ],
      },
    ])
  })

  it('has a liquidity pool with its volumes and yields', async () => {
    const noRates = { utilization: null, supply_apy: null, borrow_apy: null, supply_emission_apy: null, borrow_emission_apy: null }
    const { pools } = await list('?type=constant_product')
    expect(idsOf({ pools, next_cursor: null })).toEqual([PAIR, AQUA_POOL, NEW_PAIR])
    expect(pools[0]).toMatchObject({
      name: 'USDC/XLM (constant product 0.3%)',
      // The index is younger than a day: all of it.
      ...{ volume_24h_usd: '350', volume_7d_usd: '350', fee_apy: '0', reward_apy: '0', status: 'active', created_ledger: 100 },
      reserves: [
        { asset_id: USDC, symbol: 'USDC', supplied: '2000', borrowed: '0', supplied_usd: '2000', borrowed_usd: '0', ...noRates },
        { asset_id: XLM, symbol: 'XLM', supplied: '10000', borrowed: '0', supplied_usd: '2500', borrowed_usd: '0', ...noRates },
      ],
    })
    // 0.001 XLM a second are 0.001 · 31,536,000 · 0.25 = 7,884 USD a year on 2,000 USD.
    expect(pools[1]).toMatchObject({ volume_24h_usd: '0', reward_apy: '3.942' })
    expect(pools[2]).toMatchObject({ reserves: [{ asset_id: USDC }, { asset_id: NEW, supplied: '777', supplied_usd: null }] })
  })

  it('has the vaults of a currency and locked stakes', async () => {
    const { pools } = await list('?protocol=fxdao')
    expect(pools).toMatchObject([
      {
        ...{
          pool_id: 'fxdao:USD',
          contract: VAULTS,
          name: 'FxDAO USD vaults',
          type: 'vault',
          status: 'active',
          fee_apy: null,
          created_ledger: null,
        },
        tokens: [{ asset_id: XLM }, { asset_id: USDX }],
        reserves: [
          { asset_id: XLM, supplied: '1500', borrowed: '0', supplied_usd: '375', borrowed_usd: '0', utilization: null },
          { asset_id: USDX, supplied: '0', borrowed: '200', supplied_usd: '0', borrowed_usd: '200' },
        ],
      },
      { pool_id: LOCKING, type: 'staking', reserves: [{ asset_id: USDX, supplied: '40', supplied_usd: '40' }], tvl_usd: '40' },
    ])
  })

  it('warns of each shown pool whose value lacks a token, and is partial then', async () => {
    const { meta } = await fixture.data('/v1/pools')
    expect(meta).toMatchObject({
      partial_result: true,
      warnings: [{ code: 'unknown_decimals', message: expect.stringContaining('USDC/'), path: '/pools/5/tvl_usd' }, OLD_PRICE],
    })
    expect((await fixture.data('/v1/pools?limit=5')).meta).toMatchObject({ partial_result: false, warnings: [OLD_PRICE] })
  })

  it.each([
    ['a protocol', '?protocol=soroswap', [PAIR, NEW_PAIR]],
    ['a token, also one that is owed', `?asset=${USDX}`, ['fxdao:USD', LOCKING]],
    ['several types', '?type=vault,unknown', ['fxdao:USD', ODD_POOL]],
    ['a status', '?status=frozen', []],
    ['several statuses', '?status=active,frozen', BY_VALUE],
    ['a least value, which counts itself', '?min_tvl_usd=375.0', BY_VALUE.slice(0, 5)],
    ['several filters', `?asset=${XLM}&min_tvl_usd=375.00000001&protocol=aquarius`, [AQUA_POOL]],
  ])('filters by %s', async (_, query, ids) => {
    expect(idsOf(await list(query))).toEqual(ids)
  })

  it('sorts by volume and by yield, equal ones by id, and those without one last', async () => {
    const [blend, aquarius, soroswap, vaults] = [[POOL, POOL_2].sort(), [AQUA_POOL, ODD_POOL], [NEW_PAIR], [LOCKING, 'fxdao:USD']]
    const still = [...aquarius, ...soroswap].sort()
    expect(idsOf(await list('?sort=volume'))).toEqual([PAIR, ...still, ...[...blend, ...vaults].sort()])
    const none = [PAIR, NEW_PAIR, ODD_POOL, POOL_2].sort()
    expect(idsOf(await list('?sort=apy'))).toEqual([AQUA_POOL, POOL, ...none, ...vaults.sort()])
  })

  it.each(['tvl', 'volume', 'apy'])('comes in pages by %s that have each pool once', async (sort) => {
    const whole = idsOf(await list(`?sort=${sort}`))
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Listed = await list(`?sort=${sort}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.pools.length).toBeLessThanOrEqual(3)
      paged.push(...idsOf(page))
      cursor = page.next_cursor
    }
    expect(paged).toEqual(whole)
  })

  it('refuses a cursor with another filter or order, and accepts it with another limit', async () => {
    const { next_cursor } = await list('?limit=2&min_tvl_usd=12')
    for (const query of ['', '&min_tvl_usd=13', '&min_tvl_usd=12&sort=apy', '&min_tvl_usd=12&status=active']) {
      expect(await fixture.refusal(`/v1/pools?cursor=${next_cursor}${query}`)).toMatchObject({ status: 400, code: 'invalid_cursor' })
    }
    expect(idsOf(await list(`?cursor=${next_cursor}&limit=4&min_tvl_usd=12.00`))).toEqual(BY_VALUE.slice(2, 6))
  })

  it('describes what it names, and gets 304 for the same answer', async () => {
    const { enrichment } = await fixture.data('/v1/pools?protocol=fxdao')
    expect(Object.keys(enrichment.contracts).sort()).toEqual([LOCKING, VAULTS].sort())
    expect(enrichment.assets).toMatchObject({ [XLM]: { price_usd: '0.25' }, [USDX]: { price_usd: '1' } })
    const { headers } = await fixture.api.ask('/v1/pools')
    const again = await fixture.api.ask('/v1/pools', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect(again.status).toBe(304)
  })
})

describe('GET /v1/pools/{pool_id}', () => {
  it.each(BY_VALUE)('has %s as the list has it', async (id) => {
    const { data } = await fixture.data(`/v1/pools/${id}`)
    const { metadata, ...item } = data
    expect([item]).toEqual((await list()).pools.filter(({ pool_id }) => pool_id === id))
    expect(metadata).toBeDefined()
  })

  it('has the interest curves and the backstop of a lending pool, and its open auctions', async () => {
    const bid = { [XLM]: '600' }
    const lot = { [USDC]: '500' }
    const auction = (ledger: number, type: number, liveUntil: number, gone = false) => ({
      ...stateRow('blend', POOL, `@${BOB}:auction:${type}`, ledger, { bid, lot, block: String(ledger + 1) }, { owner: BOB }),
      ...{ durability: 'temporary' as const, liveUntil, removed: gone },
      ...(gone ? { value: '' } : {}),
    })
    // One is open, one was filled, and the entry of one has expired.
    const state = [auction(215, 0, 10_000), auction(120, 1, 10_000), auction(130, 1, 0, true), auction(140, 2, 200)]
    await fixture.store.write([rows({ state })], VERSION)
    const { data, enrichment } = await fixture.data(`/v1/pools/${POOL}`)
    expect(data.metadata).toMatchObject({
      version: 'v2',
      oracle_contract: ORACLE,
      backstop_take_rate: '0.2',
      max_positions: 4,
      min_collateral: '0',
      reserves: [
        {
          ...{ asset_id: USDC, enabled: true, c_factor: '0.95', l_factor: '0.95', b_rate: '1.1', d_rate: '1', supply_cap: '1000000' },
          // 95 % of 11,000.
          borrow_cap: '10450',
          interest_curve: { target_utilization: '0.8', max_utilization: '0.95', base_rate: '0', reactivity: '0', rate_modifier: '1' },
        },
        { asset_id: XLM, c_factor: '0.75' },
      ],
      backstop: { backstop_contract: BACKSTOP, lp_tokens: '2000', usd_value: '1000' },
      auctions: [{ type: 'user_liquidation', address: BOB, start_ledger: 216, bid, lot }],
    })
    expect(enrichment.contracts).toMatchObject({ [POOL]: { name: 'Fixed v2' }, [BACKSTOP]: { protocol: 'blend' } })
  })

  it('has the fee and the rewards of a liquidity pool', async () => {
    expect((await fixture.data(`/v1/pools/${AQUA_POOL}`)).data.metadata).toEqual({
      fee: '0.003',
      fee_apr: '0',
      share_asset: SHARE,
      share_supply: '2000',
      emissions: [
        { asset_id: XLM, symbol: 'XLM', tokens_per_second: '0.001', apy: '3.942', ends_at: timestamp(1_000), sources: [AQUA_POOL] },
      ],
      amplification: null,
      concentrated: null,
    })
  })

  it('has the conditions of vaults and of stakes', async () => {
    expect((await fixture.data('/v1/pools/fxdao:USD')).data.metadata).toEqual({
      currency: 'USD',
      collateral_asset: XLM,
      stable_asset: USDX,
      oracle_contract: RATES,
      vaults: 2,
      minimum_ratio_pct: '110',
      opening_ratio_pct: '115',
      minimum_debt: '1',
      rate: '0.25',
      fee_pct: '0.5',
    })
    expect((await fixture.data(`/v1/pools/${LOCKING}`)).data.metadata).toEqual({
      stakes: [{ asset_id: USDX, active: true, lock_seconds: 604_800 }],
    })
  })

  it('of a pool whose value lacks a token is partial', async () => {
    expect((await fixture.data(`/v1/pools/${NEW_PAIR}`)).meta).toMatchObject({
      partial_result: true,
      warnings: [{ code: 'unknown_decimals', path: '/tvl_usd' }, OLD_PRICE],
    })
  })

  it.each([OTHER_CONTRACT, BLND, VAULTS, 'fxdao:EUR'])('is 404 for %s, which is no pool', async (id) => {
    expect(await fixture.refusal(`/v1/pools/${id}`)).toMatchObject({ status: 404, code: 'not_found' })
  })
})

// These tests move the watermark: they come last.
describe('GET /v1/pools later', () => {
  it('counts the volume of the last 24 hours and of the last 7 days; a later page is of the first page’s ledger', async () => {
    const first = await list('?sort=volume&limit=1')
    const second = `?sort=volume&limit=1&cursor=${first.next_cursor}`
    const before = await list(second)
    // 16 hours and 40 minutes more, and a swap in them.
    const later = Array.from({ length: 100 }, (_, n) => 221 + n)
    await fixture.store.writeLedgers(
      later.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
      2n,
    )
    await fixture.store.write([rows({ state: [counters(310, 1_000)] })], VERSION)
    for (const id of IDS) await setCheckpoint(fixture.store, 320, 320, id)
    // 24 hours before ledger 320 is ledger 176: the volume was 100 then.
    expect((await list('?protocol=soroswap&sort=volume')).pools[0]).toMatchObject({
      pool_id: PAIR,
      volume_24h_usd: '900',
      volume_7d_usd: '1000',
    })
    expect(await list(second)).toEqual(before)
  })
})
