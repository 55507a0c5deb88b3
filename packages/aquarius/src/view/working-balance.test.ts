import { describe, expect, it } from 'vitest'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { Release } from '../chain/release.ts'
import { holderOf, PoolState, setShares } from '../state/state.ts'
import { workingBalance } from './working-balance.ts'

/** 40 of 100 shares, which were 40 too when the working balance was made of them. */
function held(release: Release, stored: bigint, totalLocked: bigint, shares = 40n) {
  const pool = new PoolState('pool')
  setShares(pool, 'alice', { value: shares, liveUntil: 0 })
  const holder = holderOf(pool, 'alice')
  const terms = release < 170 ? { shares: 40n, supply: 100n, totalLocked: 1_000n } : null
  holder.workingBalance = { value: { amount: stored, terms }, liveUntil: 0 }
  const instance = { release, concentrated: null, totalShares: 100n, rewards: { workingSupply: 120n } } as PoolInstance
  return workingBalance(instance, holder, totalLocked)
}

describe('what rewards are shared by', () => {
  it('is since v1.7 what the last checkpoint stored', () => {
    expect(held(170, 55n, 1_000n)).toEqual({ balance: 55n, supply: 120n, exact: true })
  })

  it('was before made anew by every claim, from boost tokens that are in the holder’s trustline only', () => {
    // 15 beyond the shares: 3 · ⌊lock · 100 / 1000⌋ / 2, so lock is 100 to 109, taken as 105; of 2,000 locked tokens that gives 3 · 5 / 2 = 7.
    expect(held(150, 55n, 1_000n)).toEqual({ balance: 55n, supply: 120n, exact: false })
    expect(held(150, 55n, 2_000n)).toEqual({ balance: 47n, supply: 112n, exact: false })
  })

  it('was not certain for a holder without a boost either: tokens can have been locked since', () => {
    expect(held(150, 40n, 1_000n)).toEqual({ balance: 40n, supply: 120n, exact: false })
  })

  it('was certain where no tokens are locked, and where nothing is left to boost', () => {
    expect(held(150, 40n, 0n)).toMatchObject({ balance: 40n, exact: true })
    expect(held(150, 40n, 1_000n, 0n)).toMatchObject({ balance: 0n, exact: true })
  })
})
