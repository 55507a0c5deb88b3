import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import {
  ALICE,
  AQUA_POOL,
  AQUA_ROUTER,
  ODD_POOL,
  OTHER_CONTRACT,
  SHARE,
  timestamp,
  UNKNOWN_ACCOUNT,
  USDC,
  XLM,
} from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['aquarius'])
const path = (address: string, query = '') => `/v1/users/${address}/positions/aquarius${query}`

describe('200', () => {
  it('a tenth of the shares pays a tenth of the pool, and rewards accrue every second', async () => {
    const { data, enrichment, meta } = await fixture.data(path(ALICE, '?as_of_ledger=112'))
    expect(data).toEqual({
      address: ALICE,
      pools: [
        {
          pool_address: AQUA_POOL,
          pool_type: 'constant_product',
          pool_share_pct: '10',
          net_usd: '200',
          fee_apy: '0',
          // 0.001 XLM · 31,536,000 s · 0.25 USD over 2,000 USD.
          emission_apy: '3.942',
          cost_basis: expect.objectContaining({ units: '200', cost_usd: '180', unrealized_usd: '20', as_of_ledger: 112 }),
          tokens: [
            { asset_address: USDC, decimals: 7, symbol: 'USDC', units: '100', usd_value: '100' },
            { asset_address: XLM, decimals: 7, symbol: 'XLM', units: '400', usd_value: '100' },
          ],
          metadata: {
            share_asset: SHARE,
            share_amount: '200',
            raw_amount: '2000000000',
            fee_apr: '0',
            // 5 were owed; a tenth of 0.001 a second in two hours is 0.72.
            claimable: [
              {
                ...{ asset_id: XLM, symbol: 'XLM', amount: '5.72', usd_value: '1.43', source: 'pool_reward', contract: AQUA_POOL },
                ...{ unlocks_at: null, blocked: null, exact: true },
              },
            ],
            pool_fee_apy: '0',
            // 80 USDC and 440 XLM at 0.25 would be worth 190, and the position is worth 200.
            vs_hold: { hold_usd: '190', difference_usd: '10' },
            ranges: [],
          },
        },
      ],
    })
    expect(enrichment.contracts[AQUA_POOL]).toMatchObject({
      name: 'USDC/XLM (constant product 0.3%)',
      protocol: 'aquarius',
      position_types: ['lp'],
      status: 'active',
    })
    expect(enrichment.assets[SHARE]).toMatchObject({ decimals: 7, tags: ['lp_share'] })
    expect(meta.partial_result).toBe(false)
  })

  it('an unknown pool type is detected from its announcement, in an answer that reads no list of pools', async () => {
    const { data } = await fixture.data(path(ALICE, '?as_of_ledger=117'))
    expect((data.pools as { pool_type: string }[]).map((it) => it.pool_type)).toEqual(['constant_product', 'unknown'])
  })

  it('shares of an unknown pool type are shown without a value, and the answer is partial', async () => {
    const { data, meta } = await fixture.data(path(ALICE))
    expect((data.pools as unknown[])[1]).toMatchObject({
      pool_address: ODD_POOL,
      pool_type: 'unknown',
      net_usd: '0',
      tokens: [],
      metadata: { share_amount: '1' },
    })
    expect(meta.partial_result).toBe(true)
    const portfolio = await fixture.data(`/v1/users/${ALICE}/positions`)
    expect(portfolio.data).toMatchObject({
      total_value_usd: '200',
      protocols: [
        {
          protocol_id: 'aquarius',
          positions: {
            lp: [
              { asset_id: SHARE, contract: AQUA_POOL, usd_value: '200', metadata: { claimable: [{ asset_id: XLM }] } },
              { contract: ODD_POOL, usd_value: null },
            ],
          },
        },
      ],
    })
  })

  it('there are no positions before the first deposit, nor of an unknown account', async () => {
    expect((await fixture.data(path(ALICE, '?as_of_ledger=109'))).data).toEqual({ address: ALICE, pools: [] })
    expect((await fixture.data(path(UNKNOWN_ACCOUNT))).data).toEqual({ address: UNKNOWN_ACCOUNT, pools: [] })
  })
})

describe('200: protocol data', () => {
  it('reserves include every pool type, and rewards are on the supply side', async () => {
    const reserves = await fixture.data('/v1/protocols/aquarius/reserves')
    expect(reserves.data.reserves).toMatchObject([
      {
        contract: AQUA_POOL,
        asset_id: USDC,
        total_supplied: '1000',
        c_factor: '0',
        metadata: { pool_type: 'constant_product', fee: '0.003' },
      },
      { contract: AQUA_POOL, asset_id: XLM, total_supplied: '4000', metadata: { usd_value: '1000', share_supply: '2000' } },
      { contract: ODD_POOL, asset_id: USDC, total_supplied: '10', metadata: { pool_type: 'unknown' } },
      { contract: ODD_POOL, asset_id: XLM, total_supplied: '5' },
    ])
    expect(reserves.meta.partial_result).toBe(true)
    const emissions = await fixture.data('/v1/protocols/aquarius/emissions')
    expect(emissions.data).toEqual({
      protocol_id: 'aquarius',
      pools: [
        {
          pool_id: AQUA_POOL,
          pool_name: expect.stringContaining('USDC/XLM'),
          assets: [
            {
              asset_address: XLM,
              symbol: 'XLM',
              supply_tokens_per_second: '0.001',
              supply_emission_apy: '3.942',
              borrow_tokens_per_second: '0',
              borrow_emission_apy: '0',
            },
          ],
        },
      ],
    })
    const tvl = await fixture.data('/v1/protocols/aquarius/tvl?as_of_ledger=110')
    expect(tvl.data.points).toMatchObject([{ tvl_usd: '2011.25' }])
  })
})

describe('200: history', () => {
  it('the history of a pool has the snapshots of its position', async () => {
    const { data } = await fixture.data(path(ALICE, `/${AQUA_POOL}/history?as_of_ledger=129`))
    expect(data).toEqual({
      pool_id: AQUA_POOL,
      points: [
        { supplied_usd: '200', borrowed_usd: '0', net_usd: '200', ledger: 110, timestamp: timestamp(110), value_at: timestamp(110) },
      ],
    })
  })
})

describe('404', () => {
  it('a contract that is not a pool of the index gets 404', async () => {
    expect(await fixture.refusal(path(ALICE, `/${OTHER_CONTRACT}/history`))).toMatchObject({ status: 404, code: 'not_found' })
    expect(await fixture.refusal(path(ALICE, `/${AQUA_ROUTER}/history`))).toMatchObject({ status: 404, code: 'not_found' })
  })
})
