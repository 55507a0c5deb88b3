import { blend } from '@orrery/blend'
import type { Network } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { routes } from '../testing/all-routes.ts'
import { startTestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BACKSTOP, BLND, COMET, FIRST, hashOf, NETWORK, ORACLE, POOL, POOL_2, USDC, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['blend'])

describe('200: reserves', () => {
  it('each pool has a reserve for each asset with the rates of the contract, and a backstop', async () => {
    const { data, enrichment, meta } = await fixture.data('/v1/protocols/blend/reserves')
    const reserves = data.reserves as Record<string, unknown>[]
    expect(reserves.map((reserve) => [reserve.contract, reserve.asset_id])).toEqual([
      [POOL, USDC],
      [POOL, XLM],
      [POOL_2, USDC],
    ])
    // 1,000 dXLM at 1.2 of 20,000 XLM: 6 %. The pool lends at most 95 %.
    expect(reserves[1]).toMatchObject({
      asset_symbol: 'XLM',
      b_rate: '1',
      d_rate: '1.2',
      total_supplied: '20000',
      total_borrowed: '1200',
      utilization: '0.06',
      borrow_cap: '19000',
      supply_cap: '1000000',
      c_factor: '0.75',
      l_factor: '0.75',
      borrow_apr: '0',
      supply_apy: '0',
      decimals: 7,
      ledger: 110,
      oracle_contract: ORACLE,
      status: 'active',
      metadata: { price_usd: '0.25', price_source: `oracle:${ORACLE}`, supplied_usd: '5000', borrowed_usd: '300', cash: '20000' },
    })
    expect(reserves[0]).toMatchObject({ b_rate: '1.1', total_supplied: '11000' })
    expect((data.backstops as unknown[])[0]).toEqual({
      backstop_contract: BACKSTOP,
      contract: POOL,
      shares: '1000',
      q4w_shares: '100',
      q4w_pct: '10',
      lp_tokens: '2000',
      blnd_amount: '16000',
      usdc_amount: '200',
      usd_value: '1000',
      ledger: expect.any(Number),
      metadata: expect.objectContaining({ lp_token: COMET, in_reward_zone: true }),
    })
    expect(Object.keys(enrichment.assets).sort()).toEqual([COMET, USDC, XLM].sort())
    expect(enrichment.contracts[BACKSTOP]).toMatchObject({ protocol: 'blend', version: 'v2' })
    expect(meta.partial_result).toBe(false)
  })

  it('before the first deposit the reserves of a pool are 0', async () => {
    const { data } = await fixture.data('/v1/protocols/blend/reserves?as_of_ledger=109')
    expect(data.reserves).toEqual([])
  })
})

describe('200: emissions and TVL', () => {
  it('emissions list each reserve and side that receives BLND', async () => {
    const { data, meta } = await fixture.data('/v1/protocols/blend/emissions')
    expect(data).toEqual({
      protocol_id: 'blend',
      pools: [
        {
          pool_id: POOL,
          pool_name: 'Fixed v2',
          assets: [
            {
              asset_address: XLM,
              symbol: 'XLM',
              supply_tokens_per_second: '0.001',
              supply_emission_apy: '0.31536',
              borrow_tokens_per_second: '0',
              borrow_emission_apy: '0',
            },
          ],
        },
      ],
    })
    expect(meta.partial_result).toBe(false)
  })

  it('TVL is supply minus debt', async () => {
    const { data } = await fixture.data('/v1/protocols/blend/tvl?as_of_ledger=110')
    expect(data.points).toMatchObject([{ tvl_usd: '16700' }])
  })
})

describe('200: an index that begins after the deployment did', () => {
  const older = NETWORK.deployments.blend.map((it) => ({ ...it, fromLedger: FIRST - 50 }))
  const network: Network = { ...NETWORK, deployments: { ...NETWORK.deployments, blend: older } }

  it.each(['reserves', 'emissions', 'tvl'])('%s may lack a pool that has not changed since, and are partial', async (asked) => {
    const { readModel } = fixture
    await using api = await startTestApi({
      routes,
      shared: { readModel, network, protocols: [blend], views: openViews(network, TESTED_PROTOCOLS) },
    })
    const { status, body } = await api.ask(`/v1/protocols/blend/${asked}`)
    expect([status, body?.meta.partial_result]).toEqual([200, true])
  })
})

describe('200: activities', () => {
  it('a submit of two requests is one sentence', async () => {
    const { data, meta } = await fixture.data(`/v1/transactions/${hashOf(40)}`)
    expect(data).toMatchObject({
      protocols: ['blend'],
      summary: 'Supplied 1,050 USDC as collateral and borrowed 1,100 XLM in Fixed v2 (Blend)',
      activities: [
        { activity_type: 'deposit', share_type: 'b_token_collateral', share_amount: '1000', asset_symbol: 'USDC' },
        { activity_type: 'borrow', share_type: 'd_token', asset_symbol: 'XLM', direction: 'received' },
      ],
    })
    expect(meta.partial_result).toBe(false)
  })

  it('lending has an activity feed and a series', async () => {
    const feed = await fixture.data(`/v1/users/${ALICE}/activities?protocol=blend&activity_type=borrow`)
    expect(feed.data.activities).toMatchObject([{ activity_type: 'borrow', contract: POOL, usd_value: '275' }])
    expect(feed.enrichment.contracts[POOL]).toMatchObject({ name: 'Fixed v2', version: 'v2' })
    expect(feed.enrichment.assets[BLND]).toBeUndefined()
    const series = await fixture.data(`/v1/users/${ALICE}/activities/series?interval=1d`)
    expect(series.data.points).toMatchObject([
      { activity_type: 'borrow', events: 1, usd_volume: '275' },
      { activity_type: 'deposit', events: 1, usd_volume: '1050' },
    ])
  })
})
