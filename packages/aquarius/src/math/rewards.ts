// Rewards that a pool pays: what has accrued to the whole pool and to one holder at a moment, as a claim at that moment would find it.
// Shared by working balances: shares with their boost, fixed at each holder's own checkpoints.
// Source: soroban-amm rewards/src/{manager,locked_boost/manager}.rs.

import { mulDivFloor } from '@orrery/protocol-kit'
import type { UserReward } from '../chain/pool-entries.ts'
import type { PoolRewards } from '../chain/pool-instance.ts'
import { type Release, since } from '../chain/release.ts'
import type { RewardIndex } from './reward-index.ts'

/** Scale of increments. */
export const REWARD_PRECISION = 10n ** 22n

/** A pool's rewards brought to a moment. */
export interface Accrued {
  readonly accumulated: bigint
  /** Reward for one unit of working balance since the last checkpoint. */
  readonly increment: bigint
}

/**
 * What a checkpoint at `seconds` would add: g = tps · (min(now, end) − last), increment = ⌊10²² · g / supply⌋. Nothing while there are no
 * working balances (since v1.7; before, it counted as accumulated and was lost).
 */
export function accrue(rewards: PoolRewards, workingSupply: bigint, seconds: bigint, release: Release): Accrued {
  const until = seconds < rewards.expiresAt ? seconds : rewards.expiresAt
  const passed = until > rewards.lastTime ? until - rewards.lastTime : 0n
  const generated = workingSupply === 0n && since.pastWorkingBalance(release) ? 0n : passed * rewards.tokensPerSecond
  return {
    accumulated: rewards.accumulated + generated,
    increment: workingSupply === 0n ? 0n : mulDivFloor(REWARD_PRECISION, generated, workingSupply),
  }
}

/** What a claim would pay, and whether that is exact. */
export interface Pending {
  readonly amount: bigint
  readonly exact: boolean
}

/**
 *   reward = to_claim + ⌊(Σ increments since the last checkpoint) · working balance / 10²²⌋
 *
 * A holder without a checkpoint has nothing; nor does one whose pool accumulated nothing since. Where the increments predate the
 * index, the ratio of what accumulated stands for their sum.
 */
export function pendingReward(
  user: UserReward | null,
  workingBalance: bigint,
  workingSupply: bigint,
  { accumulated, increment }: Accrued,
  index: RewardIndex | null,
): Pending {
  if (user === null) return { amount: 0n, exact: true }
  if (user.poolAccumulated === accumulated || workingBalance === 0n) return { amount: user.toClaim, exact: true }
  if (user.index === null) {
    const grown = accumulated > user.poolAccumulated && workingSupply > 0n
    return {
      amount: user.toClaim + (grown ? mulDivFloor(accumulated - user.poolAccumulated, workingBalance, workingSupply) : 0n),
      exact: false,
    }
  }
  const sum = (index?.total ?? 0n) - user.index + increment
  return { amount: user.toClaim + mulDivFloor(sum, workingBalance, REWARD_PRECISION), exact: true }
}

/** The largest boost, as a fraction. */
const MAX_BOOST = { numerator: 5n, denominator: 2n } as const

/** min(shares + ⌊3 · ⌊lock · supply / locked⌋ / 2⌋, ⌊shares · 5 / 2⌋): shares with the boost of the holder's locked tokens. */
export function boostedShares(shares: bigint, supply: bigint, locked: bigint, totalLocked: bigint): bigint {
  const boosted = totalLocked > 0n ? shares + (3n * mulDivFloor(locked, supply, totalLocked)) / 2n : shares
  const most = mulDivFloor(shares, MAX_BOOST.numerator, MAX_BOOST.denominator)
  return boosted < most ? boosted : most
}
