// What a holder's rewards are shared by, as a claim would find it: stored at the holder's last checkpoint, or the shares before the first one.

import type { PoolInstance } from '../chain/pool-instance.ts'
import { since } from '../chain/release.ts'
import { weightedLiquidity } from '../math/concentrated.ts'
import { boostedShares } from '../math/rewards.ts'
import type { WorkingBalance } from '../state/derived-values.ts'
import { type Holder, sharesOf } from '../state/state.ts'

export interface Working {
  readonly balance: bigint
  readonly supply: bigint
  /** False: depends on boost tokens that the holder locks in a classic trustline now, which is in no contract entry. */
  readonly exact: boolean
}

/** Shares as rewards see them: of a concentrated pool liquidity by its distance from the price, brought up to date as a claim does first. */
export function rewardShares(instance: PoolInstance, holder: Holder | undefined): { shares: bigint; supply: bigint } {
  const core = instance.concentrated
  if (core === null) return { shares: sharesOf(holder), supply: instance.totalShares }
  const ranges = [...(holder?.ranges.values() ?? [])].map(({ tickLower, tickUpper, position }) => ({
    tickLower,
    tickUpper,
    liquidity: position?.value.liquidity ?? 0n,
  }))
  const shares = weightedLiquidity(ranges, core.tick, instance.fee)
  return { shares, supply: core.weightedLiquidity + shares - (holder?.user?.value.weightedLiquidity ?? 0n) }
}

export function workingBalance(instance: PoolInstance, holder: Holder | undefined, totalLocked: bigint): Working {
  const { shares, supply: total } = rewardShares(instance, holder)
  const stored = holder?.workingBalance?.value
  const balance = stored?.amount ?? shares
  const supply = instance.rewards.workingSupply ?? total
  if (since.pastWorkingBalance(instance.release)) return { balance, supply, exact: true }
  // Before v1.7 a checkpoint first made the balance new and then shared the past by it.
  const locked = stored === undefined ? 0n : lockedBy(stored)
  const now = boostedShares(shares, total, locked, totalLocked)
  // A holder without a boost then can have locked tokens since: it is certain only where no tokens are locked at all, or nothing is there to boost.
  return { balance: now, supply: supply + now - balance, exact: totalLocked === 0n || shares === 0n }
}

/** More than any account locks: the largest boost stays the largest. */
const ANY_LOCK = 1n << 127n

/**
 * Boost tokens that a holder must have locked at the last checkpoint. Accounts hold them in trustlines, which are no contract entries, but
 * they follow from the balance that they made: 3 · ⌊lock · supply / locked⌋ / 2 beyond the shares. Taken in the middle of what that allows.
 */
function lockedBy({ amount, terms }: WorkingBalance): bigint {
  if (terms === null || amount <= terms.shares || terms.supply === 0n) return 0n
  if (amount === boostedShares(terms.shares, 1n, ANY_LOCK, 1n)) return ANY_LOCK
  const part = ((amount - terms.shares) * 2n + 2n) / 3n
  return ((part * 2n + 1n) * terms.totalLocked) / (terms.supply * 2n)
}

/** What gauges share by: since v1.8 the same, before that plain shares. */
export function gaugeWorkingBalance(instance: PoolInstance, holder: Holder | undefined): Omit<Working, 'exact'> {
  const { shares, supply } = rewardShares(instance, holder)
  if (!since.boostedGauges(instance.release)) return { balance: shares, supply }
  return { balance: holder?.workingBalance?.value.amount ?? shares, supply: instance.rewards.workingSupply ?? supply }
}
