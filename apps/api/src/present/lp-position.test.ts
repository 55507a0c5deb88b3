import type { LpPosition, TokenAmount } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { isLpComplete, presentLpItem, presentPoolPosition } from './lp-position.ts'

const token = (symbol: string, units: number, usdValue: string | null): TokenAmount => ({
  asset: { asset: symbol, symbol, decimals: 7, tags: [] },
  amount: BigInt(units) * 10_000_000n,
  price: null,
  usdValue,
})

const basis = (units: bigint) => ({
  units,
  costUsd: '10',
  realizedUsd: '0',
  interestEarned: 0n,
  interestEarnedUsd: '0',
  openedLedger: 7,
  confidence: 'exact' as const,
})

/** Two ranges of a concentrated pool, one of them out of the market. */
const CONCENTRATED: LpPosition = {
  pool: 'POOL',
  poolName: 'B/A',
  poolType: 'concentrated',
  shareAsset: 'POOL',
  address: 'GALICE',
  shares: 30n,
  shareDecimals: 0,
  shareSupply: 100n,
  poolSharePct: '12.5',
  tokens: [token('B', 4, '8'), token('A', 6, '6')],
  netUsd: '14',
  feeApr: '0.01',
  feeApy: '0.0101',
  emissionApy: '0.2',
  claimable: [{ ...token('AQUA', 3, null), source: 'gauge', contract: 'GAUGE', blocked: 'underfunded', exact: true }],
  ranges: [
    {
      tickLower: -60,
      tickUpper: 60,
      liquidity: 20n,
      inRange: true,
      principal: [token('B', 3, '6'), token('A', 5, '5')],
      fees: [token('B', 1, '2'), token('A', 1, '1')],
      exact: true,
      costBasis: basis(20n),
    },
    { tickLower: 120, tickUpper: 180, liquidity: 10n, inRange: false, principal: [], fees: [], exact: true, costBasis: null },
  ],
  exact: true,
  costBasis: basis(30n),
  holdUsd: '15.5',
}

describe('a concentrated position', () => {
  it('a concentrated position earns the fees of the pool on the part of its value that is in range', () => {
    const [inside, outside] = CONCENTRATED.ranges.map((range) => ({ ...range, principal: [token('A', 3, '5')] }))
    if (inside === undefined || outside === undefined) throw new Error('Two ranges.')
    const feesOf = (...ranges: LpPosition['ranges']) => {
      const { fee_apy, metadata } = presentPoolPosition({ ...CONCENTRATED, ranges }, 9)
      return [metadata.fee_apr, fee_apy, metadata.pool_fee_apy]
    }
    expect(feesOf(inside)).toEqual(['0.01', '0.0101', '0.0101'])
    expect(feesOf(outside)).toEqual(['0', '0', '0.0101'])
    expect(feesOf(inside, outside)).toEqual(['0.005', '0.00505', '0.0101'])
    // Without a price the ratio is unknown.
    expect(feesOf(inside, { ...outside, principal: [token('A', 3, null)] })).toEqual(['0.01', '0.0101', '0.0101'])
    expect(presentLpItem({ ...CONCENTRATED, ranges: [outside] }, 9)).toMatchObject({ apr: '0', apy: '0', emission_apy: '0.2' })
  })

  it('a concentrated position is one entry with its ranges, tokens sorted by address', () => {
    const { metadata, ...shown } = presentPoolPosition(CONCENTRATED, 9)
    expect(shown).toMatchObject({ pool_type: 'concentrated', pool_share_pct: '12.5', net_usd: '14', emission_apy: '0.2' })
    expect(shown.tokens.map(({ symbol }) => symbol)).toEqual(['A', 'B'])
    expect(metadata).toMatchObject({
      share_asset: 'POOL',
      share_amount: '30',
      claimable: [
        { asset_id: 'AQUA', amount: '3', usd_value: null, source: 'gauge', contract: 'GAUGE', blocked: 'underfunded', exact: true },
      ],
    })
    // 5 + 6 and 1 + 2 USD for 10.
    expect(metadata.ranges).toMatchObject([
      {
        tick_lower: -60,
        tick_upper: 60,
        liquidity: '20',
        in_range: true,
        principal: [{ symbol: 'A', units: '5' }, { symbol: 'B' }],
        fees: [{ symbol: 'A', units: '1' }, { symbol: 'B' }],
        cost_basis: { units: '20', cost_usd: '10', unrealized_usd: '4', as_of_ledger: 9 },
      },
      { tick_lower: 120, liquidity: '10', in_range: false, principal: [], fees: [], cost_basis: null },
    ])
  })

  it('a concentrated position is one item of the portfolio', () => {
    const item = presentLpItem(CONCENTRATED, 9)
    expect(item).toMatchObject({ asset_id: 'POOL', contract: 'POOL', asset_amount: '30', share_amount: '30', usd_value: '14' })
    expect(item.metadata).toMatchObject({ kind: 'liquidity', ranges: [{ in_range: true }, { in_range: false }] })
  })
})

describe('what is not known', () => {
  it('a token without a price is left out, and rewards without a price make the answer partial', () => {
    const unpriced = { ...CONCENTRATED, tokens: [token('B', 4, '8'), token('A', 6, null)] }
    expect([presentPoolPosition(unpriced, 9).net_usd, isLpComplete(unpriced)]).toEqual(['8', false])
    const unrated = { ...CONCENTRATED, emissionApy: null }
    expect([presentPoolPosition(unrated, 9).emission_apy, isLpComplete(unrated)]).toEqual(['0', false])
    expect(isLpComplete(CONCENTRATED)).toBe(true)
  })

  it('shares of an unknown pool type have no value and make the answer partial; zero shares are worth 0', () => {
    const unknown = { ...CONCENTRATED, poolType: 'unknown', tokens: [] } as const
    expect([presentLpItem(unknown, 9).usd_value, isLpComplete(unknown)]).toEqual([null, false])
    expect(isLpComplete({ ...unknown, shares: 0n })).toBe(true)
  })
})
