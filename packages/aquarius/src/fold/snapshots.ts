// Series: the value of pools, and of their holders' shares and ranges.

import { type LpSeries, lpSnapshots, type Snapshots } from '@orrery/fold-kit'
import type { Changes } from '../state/changes.ts'
import { type PoolState, sharesOf } from '../state/state.ts'
import { rewardApy } from '../view/emissions.ts'
import { balancesOf, type ValuedPool } from '../view/valuation.ts'
import { worthOfHolder } from '../view/worth.ts'
import type { Moment } from './ledger-end.ts'

export function takeSnapshots(moment: Moment, changes: Changes): Snapshots {
  const { state, slice, journal } = moment
  const due = slice.hourStart ? [...state.pools.values()].filter((pool) => pool.owned) : [...changes.pools]
  return lpSnapshots(
    due.flatMap((pool) => seriesOf(pool, moment, changes) ?? []),
    slice,
    journal,
  )
}

function seriesOf(pool: PoolState, moment: Moment, changes: Changes): LpSeries | null {
  const valued = moment.value(pool)
  if (valued === null) return null
  const { instance, reserves } = valued
  return {
    ...valued,
    pool: pool.pool,
    balances: balancesOf(valued),
    shareSupply: instance.totalShares,
    counters: pool.counters,
    native: nativeOf(valued),
    isOpen: instance.totalShares > 0n || reserves.some((reserve) => reserve > 0n),
    isChanged: changes.pools.has(pool),
    changedHolders: changes.holders(pool),
    // Payouts are parts of stored reserves, and those fall by swaps and withdrawals only: a clawback leaves them as they are.
    isLoss: false,
    small: pool.small,
    openHolders: () => [...pool.holders].filter(([, holder]) => sharesOf(holder) > 0n).map(([address]) => address),
    position(address) {
      const holder = pool.holders.get(address)
      const worth = worthOfHolder(holder, valued)
      const shares = sharesOf(holder)
      if (worth.ranges.length === 0) return { shares, worth }
      const ranges = worth.ranges.map(({ range, liquidity }) => [range.tickLower, range.tickUpper, liquidity.toString()])
      return { shares, worth, native: { ranges } }
    },
  }
}

function nativeOf(valued: ValuedPool): LpSeries['native'] {
  const { type, instance, tokens, reserves, payoutReserves } = valued
  const { concentrated, rewards } = instance
  return {
    pool_type: type,
    tokens: tokens.map((token) => token.info.asset),
    reserves: reserves.map(String),
    payout_reserves: payoutReserves.map(String),
    prices_usd: tokens.map((token) => token.price?.usd ?? null),
    protocol_fees: instance.protocolFees.map(String),
    ...(concentrated === null ? {} : { sqrt_price_x96: concentrated.sqrtPrice.toString(), tick: concentrated.tick }),
    reward_tokens_per_second: rewards.tokensPerSecond.toString(),
    reward_expires_at: rewards.expiresAt.toString(),
    reward_apy: rewardApy(valued),
  }
}
