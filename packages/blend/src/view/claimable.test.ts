import { testAccount, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { ReserveConfig, ReserveData } from '../chain/values.ts'
import type { CostKey } from '../math/cost.ts'
import { type AccountState, PoolState } from '../state/state.ts'
import { claimableOf } from './claimable.ts'

const [asset, alice] = [testContract('asset'), testAccount('alice')]
const SUPPLY = 1
const at = { ledger: 100, closeTimeSeconds: 1_000 }
const live = <T>(value: T) => ({ value, liveUntil: 0 })
const part = (key: CostKey): AccountState['costs'] =>
  new Map([[key, { cost: { units: 1n, costUsd: 0n, realizedUsd: 0n, openedLedger: 9, confidence: 'inferred' as const }, netPaid: 0n }]])

/** A pool in which Alice has 4 of 10 bTokens (7 decimals) and each bToken has earned 3 BLND since emissions began, long ago. */
function poolWith(costs: AccountState['costs'], { listed = false, seen = null as bigint | null } = {}): PoolState {
  const pool = new PoolState(testContract('pool'), {
    version: 'v1',
    factory: testContract('factory'),
    backstop: testContract('backstop'),
    emitter: testContract('emitter'),
    backstopToken: testContract('comet'),
    blnd: testContract('blnd'),
    usdc: testContract('usdc'),
    fromLedger: 1,
  })
  const config = { decimals: 7 } as ReserveConfig
  const data = { bSupply: 100_000_000n, dSupply: 0n } as ReserveData
  pool.listed = listed
  pool.reserveList = live([asset])
  pool.reserves.set(asset, { config: live(config), data: live(data), queued: null })
  pool.emissions.set(SUPPLY, { data: live({ index: 30_000_000n, lastTime: 900n, config: null }), config: null })
  pool.accounts.set(alice, {
    positions: live({ supply: new Map([[0, 40_000_000n]]), collateral: new Map(), liabilities: new Map() }),
    emissions: seen === null ? null : new Map([[SUPPLY, live({ index: seen, accrued: 0n })]]),
    backstop: null,
    backstopEmission: null,
    auctions: null,
    costs,
    healthStep: null,
  })
  return pool
}
const claimable = (pool: PoolState) => claimableOf(pool, alice, SUPPLY, at)

describe('BLND of a balance without an entry of its emissions', () => {
  it('BLND without an emission entry is earned from index 0 where every account is known, or an RPC has no such entry', () => {
    expect(claimable(poolWith(part('backstop'), { listed: true }))).toBe(120_000_000n)
    expect(claimable(poolWith(null))).toBe(120_000_000n)
  })

  it('BLND without an emission entry is 0 where the balance may predate the index', () => {
    expect(claimable(poolWith(part('backstop')))).toBe(0n)
    expect(claimable(poolWith(part(`borrow:${asset}`)))).toBe(0n)
  })

  it('BLND is counted again after the index has seen the balance change', () => {
    expect(claimable(poolWith(part(`supply:${asset}`)))).toBe(120_000_000n)
    expect(claimable(poolWith(part('backstop'), { seen: 20_000_000n }))).toBe(40_000_000n)
  })
})
