// Emissions of a lending pool and of its backstop that an account can claim.

import type { LendingPosition, OwedBalance, SuppliedBalance } from '@orrery/blend'
import { usd as usdOf } from '@orrery/pricing'
import { presentReward, type Reward } from './reward.ts'

/** Everything that claims of the pool and of its backstop would pay. */
export function rewardsOf(position: LendingPosition): Reward[] {
  return [...presentReward(position.claimable, { source: 'emission', contract: position.pool }), ...backstopRewards(position.backstop)]
}

export function backstopRewards(backstop: LendingPosition['backstop']): Reward[] {
  return backstop === null ? [] : presentReward(backstop.claimable, { source: 'backstop', contract: backstop.backstop })
}

/** BLND that the claim of one balance would pay. */
export function balanceRewards(
  { pool, claimable: { asset, price } }: LendingPosition,
  { claimable: amount }: SuppliedBalance | OwedBalance,
): Reward[] {
  const usdValue = price === null || asset.decimals === null ? null : usdOf(amount, asset.decimals, price.usd)
  return presentReward({ asset, amount, price, usdValue }, { source: 'emission', contract: pool })
}
