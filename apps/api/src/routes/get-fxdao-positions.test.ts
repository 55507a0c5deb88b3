import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, closeTime, LOCKING, RATES, timestamp, UNKNOWN_ACCOUNT, USDX, VAULTS, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['fxdao'])
const path = (address: string, query = '') => `/v1/users/${address}/positions/fxdao${query}`

/** A stake pays it when it is withdrawn. */
const reward = {
  ...{ asset_id: USDX, symbol: 'USDx', amount: '2', usd_value: '2', source: 'stake', contract: LOCKING },
  ...{ unlocks_at: timestamp(200), blocked: null, exact: true },
}

describe('200', () => {
  it('an answer has a vault with its health factor and redemption rank, and locked stakes', async () => {
    const { data, enrichment, meta } = await fixture.data(path(ALICE))
    // 1,000 XLM at 0.25 USD back 100 USDx: 250 %, and 250 / 110 = 2.27272727. Health is 1 at 0.25 · 110 / 250 = 0.11 USD.
    expect(data).toEqual({
      address: ALICE,
      vaults: [
        {
          vaults_contract: VAULTS,
          currency: 'USD',
          stable_asset: USDX,
          collateral_asset: XLM,
          collateral: '1000',
          debt: '100',
          collateral_usd: '250',
          debt_usd: '100',
          net_usd: '150',
          collateral_ratio_pct: '250',
          minimum_ratio_pct: '110',
          health_factor: '2.27272727',
          liquidation_price: '0.11',
          redemption_rank: 2,
          cost_basis: {
            method: 'average',
            units: '1000',
            cost_usd: '240',
            realized_usd: '0',
            unrealized_usd: '10',
            interest_earned: '0',
            interest_earned_usd: '0',
            opened_ledger: 110,
            as_of_ledger: 220,
            confidence: 'exact',
          },
        },
      ],
      locked: [
        {
          contract: LOCKING,
          asset_id: USDX,
          amount: '40',
          usd_value: '40',
          unlocks_at: timestamp(200),
          claimable: [reward],
        },
      ],
    })
    expect(enrichment.assets[USDX]).toMatchObject({ symbol: 'USDx', decimals: 7, price_usd: '1' })
    expect(enrichment.contracts).toMatchObject({
      [VAULTS]: { name: 'FxDAO vaults', protocol: 'fxdao', position_types: ['collateral', 'liability', 'vault'], status: 'active' },
      [LOCKING]: { name: 'FxDAO locking pool', protocol: 'fxdao', position_types: ['supply'] },
    })
    expect(meta).toMatchObject({
      oracle_staleness_seconds: closeTime(220) - closeTime(100),
      partial_result: false,
      sources: expect.arrayContaining(['clickhouse', `oracle:${RATES}`]),
    })
  })

  it('the rank as of a ledger counts the vaults at that ledger', async () => {
    const { data } = await fixture.data(path(BOB, '?as_of_ledger=109'))
    expect(data).toMatchObject({ vaults: [{ redemption_rank: 1, collateral: '500', cost_basis: { as_of_ledger: 109 } }], locked: [] })
    const before = await fixture.data(path(ALICE, '?as_of_ledger=109'))
    expect(before.data).toEqual({ address: ALICE, vaults: [], locked: [] })
  })

  it('an unknown account has no vaults and no stakes', async () => {
    const { data, meta } = await fixture.data(path(UNKNOWN_ACCOUNT))
    expect([data, meta.partial_result]).toEqual([{ address: UNKNOWN_ACCOUNT, vaults: [], locked: [] }, false])
  })

  it('in the portfolio a vault is collateral and a liability, and a locked stake is supply', async () => {
    const { data } = await fixture.data(`/v1/users/${ALICE}/positions`)
    expect(data).toMatchObject({
      aggregate_health_factor: '2.27272727',
      total_value_usd: '190',
      protocols: [
        {
          protocol_id: 'fxdao',
          deposited_usd: '290',
          borrowed_usd: '100',
          health_factor: '2.27272727',
          // 250 / 1.1 - 100, and 100 / 2.2727.
          estimates: { borrow_cap_usd: '127.27272727', borrow_limit_pct: '44' },
          claimable_usd: '2',
          rewards: [reward],
          pools: [
            {
              ...{
                pool_id: 'fxdao:USD',
                contract: VAULTS,
                name: 'FxDAO USD vaults',
                deposited_usd: '250',
                borrowed_usd: '100',
                net_usd: '150',
              },
              ...{ claimable_usd: '0', health_factor: '2.27272727', borrow_limit_pct: '44', borrow_cap_usd: '127.27272727' },
            },
            {
              ...{ pool_id: LOCKING, contract: LOCKING, name: 'FxDAO locking pool', deposited_usd: '40', borrowed_usd: '0', net_usd: '40' },
              ...{ claimable_usd: '2', health_factor: null, borrow_limit_pct: '0', borrow_cap_usd: '0' },
            },
          ],
          positions: {
            collateral: [{ asset_id: XLM, contract: VAULTS, asset_amount: '1000', share_type: 'vault', liquidation_price: '0.11' }],
            // The coin would have to be worth 250 / 110 USD.
            liabilities: [{ asset_id: USDX, asset_amount: '100', usd_value: '100', liquidation_price: '2.27272727' }],
            supply: [{ asset_id: USDX, contract: LOCKING, asset_amount: '40', usd_value: '40', share_type: '' }],
          },
        },
      ],
    })
  })
})

describe('200: protocol data', () => {
  it('a currency is a reserve with its debt and its collateral', async () => {
    const { data, meta } = await fixture.data('/v1/protocols/fxdao/reserves')
    expect(data).toMatchObject({
      backstops: [],
      reserves: [
        {
          asset_id: USDX,
          asset_symbol: 'USDx',
          contract: VAULTS,
          ledger: 110,
          oracle_contract: RATES,
          status: 'active',
          total_borrowed: '200',
          total_supplied: '0',
          c_factor: '0',
          metadata: { currency: 'USD', collateral: '1500', collateral_usd: '375', minimum_ratio_pct: '110', rate: '0.25', vaults: 2 },
        },
      ],
    })
    expect(meta.partial_result).toBe(false)
    const then = await fixture.data('/v1/protocols/fxdao/reserves?as_of_ledger=107')
    expect(then.data.reserves).toMatchObject([{ ledger: 105, total_borrowed: '100' }])
  })

  it('TVL is the collateral of vaults and the stakes of locking pools', async () => {
    const { data } = await fixture.data('/v1/protocols/fxdao/tvl?as_of_ledger=120')
    expect(data.points).toMatchObject([{ tvl_usd: '415' }])
  })

  it('FxDAO has no emissions', async () => {
    const { data, meta } = await fixture.data('/v1/protocols/fxdao/emissions')
    expect([data, meta.partial_result]).toEqual([{ protocol_id: 'fxdao', pools: [] }, false])
  })
})

describe('200: history', () => {
  it('the history of a currency has the snapshots of its vault', async () => {
    const { data, meta } = await fixture.data(path(ALICE, '/USD/history?as_of_ledger=129'))
    expect(data).toEqual({
      pool_id: 'fxdao:USD',
      points: [
        { supplied_usd: '250', borrowed_usd: '100', net_usd: '150', ledger: 110, timestamp: timestamp(110), value_at: timestamp(110) },
      ],
    })
    expect(meta).toMatchObject({ oracle_staleness_seconds: 29 * 600, partial_result: false })
  })
})

describe('404 and 400', () => {
  it('an unknown currency gets 404, and an invalid name gets 400', async () => {
    expect(await fixture.refusal(path(ALICE, '/EUR/history'))).toMatchObject({ status: 404, code: 'not_found' })
    expect(await fixture.refusal(path(ALICE, '/US-D/history'))).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })
})
