import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { NEW, NEW_PAIR, ORACLE, PAIR, USDC, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()

describe('200', () => {
  it('each pair has a reserve for each token, sorted by address, with "0" for the members about lending', async () => {
    const { data, enrichment, meta } = await fixture.data('/v1/protocols/soroswap/reserves')
    expect(data).toMatchObject({ protocol_id: 'soroswap', backstops: [] })
    const reserves = data.reserves as Record<string, unknown>[]
    expect(reserves.map((reserve) => [reserve.contract, reserve.asset_id, reserve.total_supplied])).toEqual([
      [PAIR, USDC, '2000'],
      [PAIR, XLM, '10000'],
      [NEW_PAIR, USDC, '100'],
      [NEW_PAIR, NEW, '777'],
    ])
    expect(reserves[1]).toEqual({
      asset_id: XLM,
      asset_symbol: 'XLM',
      b_rate: '0',
      borrow_apr: '0',
      borrow_apy: '0',
      borrow_cap: '0',
      c_factor: '0',
      contract: PAIR,
      d_rate: '0',
      decimals: 7,
      l_factor: '0',
      ledger: 100,
      metadata: {
        kind: 'liquidity',
        raw_amount: '100000000000',
        balance: '10000',
        usd_value: '2500',
        price_usd: '0.25',
        price_source: `oracle:${ORACLE}`,
        pool_type: 'constant_product',
        fee: '0.003',
        fee_apr: '0',
        fee_apy: '0',
        share_supply: '4000',
      },
      oracle_contract: '',
      status: 'active',
      supply_apr: '0',
      supply_apy: '0',
      supply_cap: '0',
      total_borrowed: '0',
      total_supplied: '10000',
      utilization: '0',
    })
    expect(Object.keys(enrichment.assets).sort()).toEqual([NEW, USDC, XLM].sort())
    expect(enrichment.contracts[ORACLE]).toEqual({
      name: 'Reflector oracle',
      protocol: '',
      position_types: [],
      status: 'active',
      version: '',
    })
    expect(meta.partial_result).toBe(true)
  })

  it('there are no reserves before the first pair, and an answer from before the index is partial', async () => {
    const { data, meta } = await fixture.data('/v1/protocols/soroswap/reserves?as_of_ledger=99')
    expect([data.reserves, meta.partial_result]).toEqual([[], true])
  })

  it('a protocol without an adapter has no reserves, and the answer is partial', async () => {
    const { data, meta } = await fixture.data('/v1/protocols/blend/reserves')
    expect([data, meta.partial_result]).toEqual([{ protocol_id: 'blend', reserves: [], backstops: [] }, true])
  })
})

describe('200: emissions', () => {
  it('Soroswap has no emissions, and the answer for a protocol without an adapter is partial', async () => {
    const soroswap = await fixture.data('/v1/protocols/soroswap/emissions')
    expect([soroswap.data, soroswap.meta.partial_result]).toEqual([{ protocol_id: 'soroswap', pools: [] }, false])
    const blend = await fixture.data('/v1/protocols/blend/emissions')
    expect([blend.data, blend.meta.partial_result]).toEqual([{ protocol_id: 'blend', pools: [] }, true])
  })
})
