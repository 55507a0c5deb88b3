import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import {
  ALICE,
  BACKSTOP,
  BLND,
  BOB,
  COMET,
  ORACLE,
  OTHER_CONTRACT,
  POOL,
  POOL_2,
  timestamp,
  UNKNOWN_ACCOUNT,
  USDC,
  XLM,
} from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['blend'])
const path = (address: string, pool = POOL, query = '') => `/v1/users/${address}/positions/blend/${pool}${query}`

describe('200', () => {
  it('a position has balances with value, cost and liquidation price, and the part of the backstop', async () => {
    const { data, enrichment, meta } = await fixture.data(path(ALICE))
    const { pool } = data as { pool: Record<string, unknown> }
    // Collateral 1,100 USDC · 0.95 = 1,045; debt 1,200 XLM · 0.25 / 0.75 = 400: 2.6125, and 100 / 2.6125 = 38.27751196.
    expect(pool).toMatchObject({
      pool_contract: POOL,
      pool_id: POOL,
      pool_name: 'Fixed v2',
      net_usd: '812.5',
      net_apy: '0',
      health_factor: '2.6125',
      backstop: {
        shares: '50',
        lp_tokens: '100',
        usd_value: '60',
        apr: '0',
        queued: [{ shares: '10', lp_tokens: '20', unlocks_at: timestamp(200) }],
        claimable: [],
      },
    })
    expect(Number(pool.borrow_limit_pct)).toBeCloseTo(38.27751196, 7)
    expect(pool.supply).toMatchObject([
      {
        asset_address: USDC,
        symbol: 'USDC',
        decimals: 7,
        units: '1100',
        usd_value: '1100',
        base_apr: '0',
        base_apy: '0',
        emission_apy: '0',
        // Bought for 1,050; what came on top is interest.
        cost_basis: {
          units: '1100',
          cost_usd: '1050',
          unrealized_usd: '50',
          interest_earned: '50',
          interest_earned_usd: '50',
          opened_ledger: 110,
          as_of_ledger: 220,
          confidence: 'exact',
        },
        metadata: {
          raw_amount: '11000000000',
          share_amount: '1000',
          collateral_units: '1100',
          price_usd: '1',
          price_source: `oracle:${ORACLE}`,
        },
      },
      {
        asset_address: XLM,
        units: '50',
        usd_value: '12.5',
        // 0.001 BLND · 31,536,000 s · 0.05 USD over 20,000 XLM · 0.25 USD.
        emission_apy: '0.31536',
        cost_basis: null,
        metadata: {
          collateral_units: '0',
          liquidation_price: null,
          claimable: [{ asset_id: BLND, amount: '0.18', usd_value: '0.009', source: 'emission', contract: POOL }],
        },
      },
    ])
    expect(pool.borrow).toMatchObject([
      {
        asset_address: XLM,
        units: '1200',
        usd_value: '300',
        // Borrowed when it was worth 275; owing more than that is a loss.
        cost_basis: { units: '1200', cost_usd: '275', unrealized_usd: '-25', interest_earned: '-100', interest_earned_usd: '-25' },
      },
    ])
    const [collateral] = pool.supply as { metadata: { liquidation_price: string } }[]
    const [debt] = pool.borrow as { metadata: { liquidation_price: string } }[]
    // USDC at 400 / (0.95 · 1,100), XLM at 1,045 · 0.75 / 1,200.
    expect(Number(collateral?.metadata.liquidation_price)).toBeCloseTo(400 / 1045, 7)
    expect(Number(debt?.metadata.liquidation_price)).toBeCloseTo(0.653125, 7)
    expect(Object.keys(enrichment.assets).sort()).toEqual([BLND, USDC, XLM].sort())
    expect(enrichment.assets[BLND]).toMatchObject({ symbol: 'BLND', price_usd: '0.05', price_source: `pool:${COMET}` })
    expect(enrichment.contracts).toMatchObject({
      [POOL]: {
        name: 'Fixed v2',
        protocol: 'blend',
        position_types: ['supply', 'collateral', 'liability'],
        status: 'active',
        version: 'v2',
      },
    })
    expect(meta).toMatchObject({ partial_result: false, oracle_staleness_seconds: 72_000 })
  })

  it('the position is empty as of a ledger before the first deposit, and in a pool without a deposit of the account', async () => {
    const empty = {
      net_usd: '0',
      net_apy: '0',
      net_apy_with_rewards: '0',
      health_factor: null,
      borrow_limit_pct: '0',
      backstop: null,
      supply: [],
      borrow: [],
    }
    const before = await fixture.data(path(ALICE, POOL, '?as_of_ledger=109'))
    expect(before.data.pool).toEqual({ pool_contract: POOL, pool_id: POOL, pool_name: 'Fixed v2', ...empty })
    const other = await fixture.data(path(UNKNOWN_ACCOUNT, POOL_2))
    expect(other.data.pool).toEqual({ pool_contract: POOL_2, pool_id: POOL_2, pool_name: 'Second', ...empty })
    expect(other.meta.partial_result).toBe(false)
    const outside = await fixture.data(path(ALICE, POOL, '?as_of_ledger=99'))
    expect([outside.data.pool, outside.meta.partial_result]).toMatchObject([{ pool_name: '', ...empty }, true])
  })

  it('the portfolio has an item for each use of an asset, and the sum of the pools', async () => {
    const { data, enrichment } = await fixture.data(`/v1/users/${ALICE}/positions`)
    // 1,100 + 12.5 + 60 in, 300 out.
    expect(data).toMatchObject({
      aggregate_health_factor: '2.6125',
      total_value_usd: '872.5',
      protocols: [
        {
          protocol_id: 'blend',
          deposited_usd: '1172.5',
          borrowed_usd: '300',
          health_factor: '2.6125',
          net_apy: '0',
          estimates: { borrow_cap_usd: '645' },
          positions: {
            collateral: [{ asset_id: USDC, contract: POOL, asset_amount: '1100', share_amount: '1000', share_type: 'b_token_collateral' }],
            supply: [{ asset_id: XLM, asset_amount: '50', share_type: 'b_token', usd_value: '12.5', liquidation_price: null }],
            liabilities: [{ asset_id: XLM, asset_amount: '1200', share_amount: '1000', share_type: 'd_token', usd_value: '300' }],
            backstop: [{ asset_id: COMET, contract: POOL, asset_amount: '120', share_amount: '60', share_type: 'backstop_share' }],
            lp: [],
          },
        },
      ],
    })
    expect(enrichment.assets[COMET]).toMatchObject({ price_usd: '0.5' })
    // What can be claimed stands with what earned it: 0.18 BLND at 0.05 USD for the XLM, nothing for the rest.
    const reward = {
      ...{ asset_id: BLND, symbol: 'BLND', amount: '0.18', usd_value: '0.009', source: 'emission', contract: POOL },
      ...{ unlocks_at: null, blocked: null, exact: true },
    }
    const { positions } = (data as { protocols: [{ positions: Record<string, { metadata: Record<string, unknown> }[]> }] }).protocols[0]
    const claimable = Object.entries(positions).flatMap(([use, items]) => items.map(({ metadata }) => [use, metadata.claimable]))
    expect(claimable).toEqual([
      ['backstop', []],
      ['collateral', []],
      ['liabilities', []],
      ['supply', [reward]],
    ])
    expect(data).toMatchObject({
      total_claimable_usd: '0.009',
      protocols: [
        {
          claimable_usd: '0.009',
          rewards: [reward],
          pools: [
            {
              ...{ pool_id: POOL, contract: POOL, name: 'Fixed v2', deposited_usd: '1172.5', borrowed_usd: '300', net_usd: '872.5' },
              ...{ claimable_usd: '0.009', net_apy: '0', health_factor: '2.6125', borrow_cap_usd: '645' },
            },
          ],
        },
      ],
    })
    expect(enrichment.contracts[BACKSTOP]).toMatchObject({ protocol: 'blend', position_types: ['backstop'], version: 'v2' })
  })
})

describe('prices of the request', () => {
  interface Shown {
    readonly net_usd: string
    readonly health_factor: string
    readonly borrow_limit_pct: string
    readonly backstop: { readonly usd_value: string }
    readonly supply: readonly Balance[]
    readonly borrow: readonly Balance[]
  }
  interface Balance {
    readonly usd_value: string
    readonly emission_apy: string
    readonly metadata: { readonly price_usd: string; readonly price_source: string; readonly liquidation_price: string | null }
  }
  const at = async (prices: string, more = '') => {
    const answer = await fixture.data(path(ALICE, POOL, `?prices=${prices}${more}`))
    return { ...answer, pool: answer.data.pool as Shown }
  }

  it('a price of the request is used in place of that of the oracle, and says so', async () => {
    const { pool, meta, enrichment } = await at(`${XLM}:0.5`)
    // Collateral 1,100 USDC · 0.95 = 1,045; debt 1,200 XLM · 0.5 / 0.75 = 800: 1.30625, and 100 / 1.30625 = 76.55502392.
    expect(pool).toMatchObject({ net_usd: '525', health_factor: '1.30625', borrow_limit_pct: '76.55502392' })
    const [usdc, xlm] = pool.supply
    // USDC at 800 / (0.95 · 1,100) = 800 / 1,045.
    expect(usdc?.metadata).toMatchObject({ price_usd: '1', price_source: `oracle:${ORACLE}`, liquidation_price: '0.76555024' })
    expect(xlm).toMatchObject({ usd_value: '25', metadata: { price_usd: '0.5', price_source: 'request', liquidation_price: null } })
    // 0.001 BLND · 31,536,000 s · 0.05 USD over 20,000 XLM · 0.5 USD: BLND keeps its price.
    expect(xlm?.emission_apy).toBe('0.15768')
    // The price of a debt at which it would be liquidated depends on the other prices alone.
    expect(pool.borrow).toMatchObject([
      { usd_value: '600', cost_basis: { unrealized_usd: '-325' }, metadata: { price_source: 'request', liquidation_price: '0.653125' } },
    ])
    expect(pool.backstop.usd_value).toBe('60')
    expect(meta.warnings).toContainEqual({
      code: 'given_prices',
      message: 'Values are computed with prices of the request: they are not the values of the index.',
      path: '/pool',
    })
    expect(meta.partial_result).toBe(false)
    // What the index has stands beside it.
    expect(enrichment.assets[XLM]).toMatchObject({ price_usd: '0.25', price_source: `oracle:${ORACLE}` })
  })

  it('several prices count together, as of a ledger too', async () => {
    // 1,100 USDC · 0.5 · 0.95 = 522.5 against 800: 0.653125, rounded down as the contract does.
    const now = await at(`${XLM}:0.5,${USDC}:0.5`)
    expect(now.pool).toMatchObject({ health_factor: '0.653125', net_usd: '-25' })
    const then = await at(`${XLM}:0.5,${USDC}:0.5`, '&as_of_ledger=150')
    expect(then.pool).toMatchObject({ health_factor: '0.653125' })
  })

  it('the health factor is 1 at the liquidation price, and rounds against the account between two units of the oracle', async () => {
    expect((await at(`${XLM}:0.653125`)).pool.health_factor).toBe('1')
    // 522.5 / (1,200 · 0.333 / 0.75 = 532.8) = 0.98066816816816…, with the 14 decimals of the oracle.
    expect((await at(`${XLM}:0.333,${USDC}:0.5`)).pool.health_factor).toBe('0.98066816816816')
  })

  it('answers at different prices have different tags', async () => {
    const tagAt = async (prices: string) => (await fixture.api.ask(path(ALICE, POOL, `?prices=${prices}`))).headers.etag
    const tags = await Promise.all([`${XLM}:0.5`, `${XLM}:0.25`, `${USDC}:0.5`, `${XLM}:0.5,${USDC}:0.5`].map(tagAt))
    expect(new Set(tags).size).toBe(4)
    // The order of the pairs says nothing.
    expect(await tagAt(`${USDC}:0.5,${XLM}:0.5`)).toBe(tags[3])
  })

  it('the prices that the index has give the values that it has', async () => {
    const { pool } = (await fixture.data(path(ALICE))).data as { pool: Shown }
    const given = (await at(`${XLM}:0.25,${USDC}:1`)).pool
    const sourced = JSON.stringify(given).replaceAll('"request"', `"oracle:${ORACLE}"`)
    expect(JSON.parse(sourced)).toEqual(pool)
  })

  it('a position without anything takes prices too', async () => {
    const { data } = await fixture.data(path(UNKNOWN_ACCOUNT, POOL_2, `?prices=${USDC}:2`))
    expect(data.pool).toMatchObject({ net_usd: '0', supply: [], borrow: [] })
  })

  it('prices of what is no reserve of the pool get 400 with the reserves that it has', async () => {
    const refused = await fixture.refusal(path(ALICE, POOL_2, `?prices=${XLM}:1`))
    expect(refused).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(refused.message).toBe(
      `\`prices\` may only name assets that are reserves of the pool at the ledger of the answer. \`${XLM}\` is none of \`${POOL_2}\`: it has \`${USDC}\`.`,
    )
    expect((await fixture.refusal(path(ALICE, POOL, `?prices=${XLM}:1&as_of_ledger=50`))).message).toContain(': it has none.')
    expect((await fixture.refusal(path(ALICE, POOL, `?prices=${XLM}:0.0`))).message).toBe('`prices` has a price of 0. Give prices above 0.')
  })
})

describe('404 and 400', () => {
  it('a contract that is not a pool of the index gets 404 at any ledger', async () => {
    expect(await fixture.refusal(path(BOB, OTHER_CONTRACT))).toMatchObject({ status: 404, code: 'not_found' })
    expect(await fixture.refusal(path(BOB, BACKSTOP, '?as_of_ledger=150'))).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('an alias of a pool and an invalid ledger get 400', async () => {
    expect(await fixture.refusal(path(BOB, 'fixed-v2'))).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(await fixture.refusal(path(BOB, POOL, '?as_of_ledger=-1'))).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })
})
