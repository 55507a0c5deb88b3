import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, NEW_PAIR, PAIR, UNKNOWN_ACCOUNT, USDC, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()

describe('200', () => {
  it('liquidity is one item of the LP token, with its tokens in the metadata', async () => {
    const { data, enrichment, meta } = await fixture.data(`/v1/users/${ALICE}/positions`)
    expect(data).toMatchObject({
      address: ALICE,
      aggregate_health_factor: null,
      aggregate_net_apy: '0',
      aggregate_net_apy_with_rewards: '0',
      total_claimable_usd: '0',
      total_value_usd: '1125',
      protocols: [
        {
          protocol_id: 'soroswap',
          borrowed_usd: '0',
          deposited_usd: '1125',
          health_factor: null,
          net_apy: '0',
          estimates: { borrow_cap_usd: '0', borrow_limit_pct: '0' },
          positions: {
            backstop: [],
            collateral: [],
            liabilities: [],
            supply: [],
            lp: [
              {
                asset_id: PAIR,
                contract: PAIR,
                asset_amount: '1000',
                share_amount: '1000',
                share_type: 'lp_share',
                usd_value: '1125',
                liquidation_price: null,
                metadata: {
                  raw_amount: '10000000000',
                  pool_share_pct: '25',
                  tokens: [
                    { asset_address: USDC, units: '500' },
                    { asset_address: XLM, units: '2500', raw_amount: '25000000000', price_usd: '0.25' },
                  ],
                },
              },
            ],
          },
        },
      ],
    })
    expect(enrichment.assets[PAIR]).toMatchObject({ decimals: 7, tags: ['lp_share'], price_usd: null, price_source: null })
    expect(enrichment.contracts[PAIR]).toMatchObject({ protocol: 'soroswap', position_types: ['lp'] })
    // Three protocols have no adapter: what they would add is not known.
    expect(meta.partial_result).toBe(true)
  })

  it('positions without a price are left out of the total', async () => {
    const { data } = await fixture.data(`/v1/users/${BOB}/positions`)
    expect(data).toMatchObject({
      total_value_usd: '50',
      protocols: [{ deposited_usd: '50', positions: { lp: [{ asset_id: NEW_PAIR, usd_value: '50' }] } }],
    })
  })

  it('an unknown account has no positions, and the answer is partial because an adapter is missing', async () => {
    const { data, meta } = await fixture.data(`/v1/users/${UNKNOWN_ACCOUNT}/positions`)
    expect(data).toEqual({
      address: UNKNOWN_ACCOUNT,
      aggregate_health_factor: null,
      aggregate_net_apy_with_rewards: '0',
      total_claimable_usd: '0',
      aggregate_net_apy: '0',
      total_value_usd: '0',
      protocols: [],
    })
    expect(meta.partial_result).toBe(true)
  })
})
