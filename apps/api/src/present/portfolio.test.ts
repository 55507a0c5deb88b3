// Totals of a portfolio, worked by hand.

import type { LendingPosition } from '@orrery/blend'
import { describe, expect, it } from 'vitest'
import { lendingEntry } from './lending-entry.ts'
import { poolEntry, yieldWithRewards } from './pool-entry.ts'
import { type ProtocolEntry, portfolioOf, protocolEntry } from './portfolio.ts'
import type { PositionItem } from './position-item.ts'
import type { Reward } from './reward.ts'

const NOTHING = { backstop: [], collateral: [], liabilities: [], lp: [], supply: [] }

function entry(
  protocol_id: string,
  deposited: string,
  borrowed: string,
  net_apy: string,
  health_factor: string | null = null,
): ProtocolEntry {
  const estimates = { borrow_cap_usd: '0', borrow_limit_pct: '0' }
  const rewards = { claimable_usd: '1.5', net_apy_with_rewards: net_apy, pools: [], rewards: [] }
  return {
    protocol_id,
    deposited_usd: deposited,
    borrowed_usd: borrowed,
    net_apy,
    health_factor,
    estimates,
    positions: NOTHING,
    ...rewards,
  }
}

const totals = (...protocols: readonly ProtocolEntry[]) => {
  const { total_value_usd, aggregate_health_factor, aggregate_net_apy } = portfolioOf('G', protocols)
  return [total_value_usd, aggregate_health_factor, aggregate_net_apy]
}

describe('a portfolio', () => {
  it('a portfolio has the value of deposits minus debts, the smallest health factor, and the APY weighted by value', () => {
    const protocols = [
      entry('blend', '1000', '400', '0.05', '10.5'),
      entry('aquarius', '200', '0', '0.1'),
      entry('soroswap', '100', '0', '0.02'),
      entry('fxdao', '250.5', '150.5', '0', '9.75'),
    ]
    // 600 + 200 + 100 + 100; 30 + 20 + 2 + 0 a year.
    expect(totals(...protocols)).toEqual(['1000', '9.75', '0.052'])
  })

  it('a protocol with more debt than deposits lowers the APY of the portfolio', () => {
    // 400 - 100; (0.06 * 400 - 0.03 * 100) / 300.
    expect(totals(entry('aquarius', '400', '0', '0.06'), entry('blend', '200', '300', '0.03', '0.8'))).toEqual(['300', '0.8', '0.07'])
  })

  it('a portfolio without net value has APY 0, and a rate is rounded once, half up', () => {
    expect(totals(entry('blend', '300', '300', '0.05', '0.9'))).toEqual(['0', '0.9', '0'])
    expect(totals(entry('blend', '100', '300', '0.05', '0.4'))).toEqual(['-200', '0.4', '0'])
    // 2 of 3 at 0.1: 0.0666...
    expect(totals(entry('soroswap', '2', '0', '0.1'), entry('fxdao', '1', '0', '0'))).toEqual(['3', null, '0.06666667'])
  })
})

it('rewards are added beside the value of a portfolio, with the mean of the yields that include them', () => {
  const shown = portfolioOf('G', [
    entry('blend', '300', '0', '0.01'),
    { ...entry('soroswap', '100', '0', '0'), net_apy_with_rewards: '0.04' },
  ])
  // 3 + 4 of 400.
  expect([shown.total_value_usd, shown.total_claimable_usd, shown.aggregate_net_apy_with_rewards]).toEqual(['400', '3', '0.0175'])
})

const metadata = {
  ...{ kind: 'liquidity' as const, raw_amount: '1', cost_basis: null, pool_share_pct: '1', pool_type: 'constant_product' as const },
  ...{ pool_fee_apy: '0', tokens: [], claimable: [], ranges: [], vs_hold: { hold_usd: null, difference_usd: null } },
}

const item = (usd_value: string | null, apy: string, emission_apy: string | null = '0'): PositionItem => ({
  ...{ apr: apy, apy, asset_amount: '1', asset_id: 'C', contract: 'C', emission_apy, liquidation_price: null, metadata },
  ...{ share_amount: '1', share_type: 'lp_share', usd_value },
})

const reward = (usd_value: string | null): Reward => ({
  ...{ asset_id: 'AQUA', symbol: 'AQUA', amount: '1', usd_value, source: 'pool_reward', contract: 'C' },
  ...{ unlocks_at: null, blocked: null, exact: true },
})

describe('the entry of a protocol', () => {
  const facts = { pool_id: 'C', contract: 'C', name: 'A/B', net_apy: '0.08' }

  it('adds up items and rewards, and leaves those without a price out', () => {
    const lp = [item('300', '0.1'), item('100', '0.02'), item(null, '9')]
    const rewards = [reward('2'), reward(null)]
    const pool = poolEntry({ ...facts, health_factor: null, borrow_limit_pct: '0', borrow_cap_usd: '0' }, lp, [], rewards)
    const shown = protocolEntry('soroswap', { positions: { ...NOTHING, lp }, pools: [pool], rewards, net_apy: '0.08' })
    expect(pool).toMatchObject({
      deposited_usd: '400',
      borrowed_usd: '0',
      net_usd: '400',
      claimable_usd: '2',
      net_apy_with_rewards: '0.08',
    })
    expect(shown).toMatchObject({ deposited_usd: '400', claimable_usd: '2', health_factor: null, net_apy_with_rewards: '0.08' })
  })

  it('has the health and the limit of its weakest pool, and the sum of what can be borrowed', () => {
    const risk = (health_factor: string | null, borrow_limit_pct: string | null, borrow_cap_usd: string) =>
      poolEntry({ ...facts, health_factor, borrow_limit_pct, borrow_cap_usd }, [], [], [])
    const of = (...pools: ReturnType<typeof risk>[]) => protocolEntry('fxdao', { positions: NOTHING, pools, rewards: [], net_apy: '0' })
    expect(of(risk('1.25', '80', '10'), risk('10.5', '9.52', '5'), risk(null, '0', '0'))).toMatchObject({
      health_factor: '1.25',
      estimates: { borrow_cap_usd: '15', borrow_limit_pct: '80' },
    })
    expect(of(risk('1.25', '80', '10'), risk('0', null, '-30'))).toMatchObject({
      health_factor: '0',
      estimates: { borrow_cap_usd: '-20', borrow_limit_pct: null },
    })
  })
})

describe('the yield with rewards', () => {
  it('is what deposits earn minus what debts cost, with emissions to both, over the net value', () => {
    // 300 · (0.05 + 0.02) + 100 · 0.1 - 200 · (0.08 - 0.03) = 21 + 10 - 10, of 200.
    expect(yieldWithRewards([item('300', '0.05', '0.02'), item('100', '0.1')], [item('200', '0.08', '0.03')])).toBe('0.105')
  })

  it('counts an unknown yield or value as 0, and is 0 without net value', () => {
    expect(yieldWithRewards([item('100', '0.05', null), item(null, '3')], [])).toBe('0.05')
    expect(yieldWithRewards([item('100', '0.05')], [item('100', '0.01')])).toBe('0')
    expect(yieldWithRewards([], [])).toBe('0')
  })
})

describe('lending in several pools', () => {
  const pool = (of: Partial<LendingPosition>): LendingPosition => ({
    ...{ pool: 'C', poolName: '', version: 'v2', address: 'G', supply: [], borrow: [], backstop: null, open: true },
    ...{ suppliedUsd: '0', borrowedUsd: '0', depositedUsd: '0', netUsd: '0', borrowCapUsd: '0', unpricedAssets: 0, liquidation: null },
    ...{ effectiveCollateralUsd: '0', effectiveLiabilitiesUsd: '0', healthFactor: null, borrowLimitPct: '0', netApy: '0' },
    claimable: { asset: { asset: 'BLND', symbol: 'BLND', decimals: 7, tags: [] }, amount: 0n, price: null, usdValue: '0' },
    ...of,
  })
  const one = pool({
    ...{ netUsd: '600', netApy: '0.04', effectiveCollateralUsd: '900', effectiveLiabilitiesUsd: '450' },
    ...{ healthFactor: '2', borrowLimitPct: '50', borrowCapUsd: '450' },
  })
  const other = pool({
    ...{ netUsd: '200', netApy: '0.12', effectiveCollateralUsd: '100', effectiveLiabilitiesUsd: '80' },
    ...{ healthFactor: '1.25', borrowLimitPct: '80', borrowCapUsd: '20' },
  })

  it('lending in several pools has the health and limit of the weakest pool, the sum of capacities, and the APY weighted by value', () => {
    const { health_factor, net_apy, estimates } = lendingEntry('blend', [one, other, pool({})], 7)
    // (24 + 24) / 800; 450 + 20.
    expect([health_factor, net_apy, estimates]).toEqual(['1.25', '0.06', { borrow_cap_usd: '470', borrow_limit_pct: '80' }])
  })

  it('the borrow limit is null for a debt without collateral value', () => {
    const bare = pool({ netUsd: '-30', effectiveLiabilitiesUsd: '30', healthFactor: '0', borrowLimitPct: null, borrowCapUsd: '-30' })
    const { health_factor, estimates } = lendingEntry('blend', [one, bare], 7)
    expect([health_factor, estimates]).toEqual(['0', { borrow_cap_usd: '420', borrow_limit_pct: null }])
  })
})
