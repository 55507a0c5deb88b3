import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, NEW, NEW_PAIR, ORACLE, PAIR, timestamp, UNKNOWN_ACCOUNT, USDC, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()
const path = (address: string, query = '') => `/v1/users/${address}/positions/soroswap${query}`

describe('200', () => {
  it('a quarter of the shares is worth a quarter of the reserves of the pair', async () => {
    const { data, enrichment, meta } = await fixture.data(path(ALICE))
    // 1,000 of 4,000 shares: 500 of 2,000 USDC and 2,500 of 10,000 XLM at 0.25 USD. Bought for 1,000 USD.
    expect(data).toEqual({
      address: ALICE,
      pairs: [
        {
          pair_address: PAIR,
          pool_share_pct: '25',
          net_usd: '1125',
          fee_apy: '0',
          cost_basis: {
            method: 'average',
            units: '1000',
            cost_usd: '1000',
            realized_usd: '0',
            unrealized_usd: '125',
            interest_earned: '0',
            interest_earned_usd: '0',
            opened_ledger: 101,
            as_of_ledger: 220,
            confidence: 'exact',
          },
          tokens: [
            { asset_address: USDC, decimals: 7, symbol: 'USDC', units: '500', usd_value: '500' },
            { asset_address: XLM, decimals: 7, symbol: 'XLM', units: '2500', usd_value: '625' },
          ],
          metadata: {
            ...{ share_amount: '1000', raw_amount: '10000000000', fee_apr: '0' },
            // No cost is stored for these shares.
            vs_hold: { hold_usd: null, difference_usd: null },
          },
        },
      ],
    })
    expect(enrichment.assets).toEqual({
      [USDC]: {
        symbol: 'USDC',
        decimals: 7,
        tags: ['classic', 'stablecoin'],
        price_usd: '1',
        price_source: `oracle:${ORACLE}`,
        price_observed_at: timestamp(100),
      },
      [XLM]: {
        symbol: 'XLM',
        decimals: 7,
        tags: ['native'],
        price_usd: '0.25',
        price_source: `oracle:${ORACLE}`,
        price_observed_at: timestamp(100),
      },
    })
    expect(enrichment.contracts).toEqual({
      [PAIR]: {
        name: 'USDC/XLM (constant product 0.3%)',
        protocol: 'soroswap',
        position_types: ['lp'],
        status: 'active',
        version: '18051456',
      },
    })
    // The one round is as old as the fixture: 120 ledgers of ten minutes.
    expect(meta).toMatchObject({
      last_indexed_ledger: 220,
      oracle_staleness_seconds: 72_000,
      partial_result: false,
      attribution_confidence: 1,
      sources: ['clickhouse', `oracle:${ORACLE}`],
    })
  })

  it('the position as of an earlier ledger is that at its end', async () => {
    const { data, meta } = await fixture.data(path(ALICE, '?as_of_ledger=129'))
    expect(data.pairs).toMatchObject([
      { pool_share_pct: '12.5', net_usd: '562.5', cost_basis: { cost_usd: '560', unrealized_usd: '2.5', as_of_ledger: 129 } },
    ])
    expect(meta).toMatchObject({ last_indexed_ledger: 220, oracle_staleness_seconds: 29 * 600, partial_result: false })
    const then = await fixture.data(path(ALICE, '?as_of_ledger=130'))
    expect(then.data.pairs).toMatchObject([{ pool_share_pct: '25' }])
  })

  it('there is no position before the first deposit, and an answer from before the index is partial', async () => {
    const before = await fixture.data(path(ALICE, '?as_of_ledger=100'))
    expect([before.data.pairs, before.meta.partial_result]).toEqual([[], false])
    const outside = await fixture.data(path(ALICE, '?as_of_ledger=99'))
    expect([outside.data.pairs, outside.meta.partial_result]).toEqual([[], true])
  })

  it('the position as of a future ledger is that of the last indexed one, and partial', async () => {
    const { data, meta } = await fixture.data(path(ALICE, '?as_of_ledger=9223372036854775807'))
    expect(data.pairs).toMatchObject([{ net_usd: '1125', cost_basis: { as_of_ledger: 220 } }])
    expect(meta.partial_result).toBe(true)
  })

  it('a token without a price and decimals stays in the smallest unit, is left out of the sum, and makes the answer partial', async () => {
    const { data, meta, enrichment } = await fixture.data(path(BOB))
    // 5 of 10 shares: 50 of 100 USDC, 388 of 777 raw NEW (rounded down).
    expect(data.pairs).toMatchObject([
      {
        pair_address: NEW_PAIR,
        net_usd: '50',
        cost_basis: { cost_usd: null, unrealized_usd: null },
        tokens: [
          { asset_address: USDC, units: '50', usd_value: '50' },
          { asset_address: NEW, decimals: null, symbol: '', units: '388', usd_value: null },
        ],
      },
    ])
    expect(meta.partial_result).toBe(true)
    expect(enrichment.assets[NEW]).toEqual({
      symbol: '',
      decimals: null,
      tags: [],
      price_usd: null,
      price_source: null,
      price_observed_at: null,
    })
  })

  it('an unknown account has no pairs', async () => {
    const { data, enrichment, meta } = await fixture.data(path(UNKNOWN_ACCOUNT))
    expect(data).toEqual({ address: UNKNOWN_ACCOUNT, pairs: [] })
    expect(enrichment).toEqual({ assets: {}, contracts: {} })
    expect(meta).toMatchObject({ oracle_staleness_seconds: 0, partial_result: false, sources: ['clickhouse'] })
  })

  it('an answer as of an indexed ledger may be cached for an hour, the latest one for a second', async () => {
    const final = await fixture.api.ask(path(ALICE, '?as_of_ledger=129'))
    const latest = await fixture.api.ask(path(ALICE))
    expect([final.headers['cache-control'], latest.headers['cache-control']]).toEqual(['private, max-age=3600', 'private, max-age=1'])
  })
})
