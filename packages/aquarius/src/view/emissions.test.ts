import { valuedToken } from '@orrery/fold-kit'
import { describe, expect, it } from 'vitest'
import type { GaugeInstance } from '../chain/gauge-entries.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { Release } from '../chain/release.ts'
import { holderOf, PoolState, setShares } from '../state/state.ts'
import { holderEmissionApy, poolEmissions } from './emissions.ts'
import type { ValuedPool } from './valuation.ts'

const NOW = 1_000_000
const token = (asset: string, usd: string | null) =>
  valuedToken({ asset, symbol: asset, decimals: 7, tags: [] }, usd === null ? null : { usd, source: 'oracle:O', observedAtSeconds: NOW })
const PRICES = new Map([
  ['AQUA', token('AQUA', '0.5')],
  ['BLND', token('BLND', '0.25')],
  ['NEW', token('NEW', null)],
])

/** `from` and `until` in seconds around now. */
const rate = (from: number, until: number, tokensPerSecond: bigint) => ({
  startsAt: BigInt(NOW + from),
  endsAt: BigInt(NOW + until),
  tokensPerSecond,
})

/**
 * 100 shares that are worth 2,000 USD; working balances sum up to 200. Of alice are 25 shares with a working balance of 60. The pool pays
 * 0.002 AQUA a second for an hour more, its gauge 0.001 BLND, which ended, 0.004 BLND for two hours more, and 9 BLND from tomorrow on.
 */
function valued(of: { release?: Release; ended?: boolean; gaugeToken?: string } = {}): ValuedPool {
  const pool = new PoolState('POOL')
  setShares(pool, 'alice', { value: 25n, liveUntil: 0 })
  holderOf(pool, 'alice').workingBalance = { value: { amount: 60n, terms: null }, liveUntil: 0 }
  const gaugeToken = of.gaugeToken ?? 'BLND'
  const rates = [rate(-90, -1, 10_000n), rate(-90, 7_200, 40_000n), rate(86_400, 99_999, 90_000_000n)]
  pool.gauges.set('GAUGE', { value: { rates } as unknown as GaugeInstance, liveUntil: 0 })
  const rewards = {
    token: 'AQUA',
    tokensPerSecond: 20_000n,
    expiresAt: BigInt(of.ended ? NOW : NOW + 3_600),
    workingSupply: 200n,
    gauges: [[gaugeToken, 'GAUGE']],
  }
  const instance = { release: of.release ?? 200, concentrated: null, totalShares: 100n, rewards } as unknown as PoolInstance
  const rewardToken = (id: string) => PRICES.get(id) ?? token(id, null)
  const at = { ledger: 1, closeTimeSeconds: NOW }
  return { pool, instance, at, tvlUsd: 200_000_000_000n, unpricedAssets: 0, rewardToken } as unknown as ValuedPool
}

const emissionsOf = (of: ValuedPool) =>
  poolEmissions(of).map((it) => [it.asset.asset, it.tokensPerSecond, it.apy, it.endsAtSeconds, it.sources])
const ofAlice = (of: ValuedPool) => holderEmissionApy(of, of.pool.holders.get('alice'), 50_000_000_000n, 0n)

describe('emissions of a pool', () => {
  it('are its own rate and those of its gauges that run now, each at what a holder without a boost earns', () => {
    // 0.002 · 31,536,000 · 0.5 = 31,536 USD a year, of which 100 / 200 on 2,000 USD. 0.004 · 31,536,000 · 0.25 = 31,536 USD as well.
    expect(emissionsOf(valued())).toEqual([
      ['AQUA', 20_000n, '7.884', NOW + 3_600, ['POOL']],
      ['BLND', 40_000n, '7.884', NOW + 7_200, ['GAUGE']],
    ])
  })

  it('of a gauge before v1.8 have no boost', () => {
    expect(emissionsOf(valued({ release: 170 })).map(([asset, , apy]) => [asset, apy])).toEqual([
      ['AQUA', '7.884'],
      ['BLND', '15.768'],
    ])
  })

  it('in the same token from pool and gauge are one', () => {
    expect(emissionsOf(valued({ gaugeToken: 'AQUA' }))).toEqual([['AQUA', 60_000n, '23.652', NOW + 7_200, ['POOL', 'GAUGE']]])
  })

  it('are over when their rate is, and unknown where their token has no price', () => {
    expect(emissionsOf(valued({ ended: true })).map(([asset]) => asset)).toEqual(['BLND'])
    expect(emissionsOf(valued({ gaugeToken: 'NEW' })).map(([asset, , apy]) => [asset, apy])).toEqual([
      ['AQUA', '7.884'],
      ['NEW', null],
    ])
    expect(ofAlice(valued({ gaugeToken: 'NEW' }))).toBeNull()
  })

  it('to a holder go by the working balance over what the position is worth', () => {
    // 31,536 · 60 / 200 / 500 = 18.9216 from each of the two.
    expect(ofAlice(valued())).toBe('37.8432')
    // The gauge of v1.7 by shares: 31,536 · 25 / 100 / 500 = 15.768.
    expect(ofAlice(valued({ release: 170 }))).toBe('34.6896')
  })
})
