// State as JSON of rows. Integers are decimal strings, so that nothing loses a digit; names are snake_case, as on chain where they can be.

import { type Cost, type Counters, costMembers, counterMembers, stateText } from '@orrery/fold-kit'
import type { GaugeInstance, GaugeUser } from '../chain/gauge-entries.ts'
import type { ConcentratedUser, RangePosition, TickChunk } from '../chain/pool-entries.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { RouterInstance, RouterRewards } from '../chain/router-entries.ts'
import type { RewardIndex, UserReward } from '../math/reward-index.ts'
import type { WorkingBalance } from '../view/working-balance.ts'
import type { Listing, ShareToken } from './state.ts'

const text = (value: bigint | number) => value.toString()
const texts = (values: readonly (bigint | number)[]) => values.map(text)

export const encode = {
  pool: (it: PoolInstance): string =>
    stateText({
      layout: it.layout,
      code: it.code,
      release: text(it.release),
      known_build: it.isKnownBuild,
      router: it.router,
      tokens: it.tokens,
      reserves: texts(it.reserves),
      protocol_fees: texts(it.protocolFees),
      fee: text(it.fee),
      protocol_fee: text(it.protocolFee),
      share_token: it.shareToken,
      ...(it.nextShareToken === '' ? {} : { next_share_token: it.nextShareToken }),
      total_shares: text(it.totalShares),
      killed: [it.killed.deposit, it.killed.swap, it.killed.claim, it.killed.gaugesClaim],
      sync_ledger: text(it.syncLedger),
      reward_token: it.rewards.token,
      reward_tps: text(it.rewards.tokensPerSecond),
      reward_expires_at: text(it.rewards.expiresAt),
      reward_accumulated: text(it.rewards.accumulated),
      reward_block: text(it.rewards.block),
      reward_claimed: text(it.rewards.claimed),
      reward_last_time: text(it.rewards.lastTime),
      working_supply: it.rewards.workingSupply?.toString() ?? null,
      gauges: it.rewards.gauges,
      ...amplificationMembers(it),
      ...concentratedMembers(it),
    }),
  router: (it: RouterInstance): string =>
    stateText({ reward_token: it.rewardToken, token_sets: text(it.tokenSets), protocol_fee: text(it.protocolFee), code: it.code }),
  routerRewards: (it: RouterRewards): string => stateText({ tokens_per_second: text(it.tokensPerSecond), expires_at: text(it.expiresAt) }),
  listing: (it: Listing, isRegistered: boolean): string =>
    stateText({
      router: it.router,
      tokens: it.tokens,
      kind: it.kind,
      index: it.index,
      registered: isRegistered,
      announced: it.isAnnounced,
    }),
  flag: (value: boolean): string => stateText({ value }),
  /** `counts`: it is the one that the pool's supply is made of. Said only where it is not. */
  share: ({ pool, counts }: ShareToken): string => stateText({ pool, ...(counts ? {} : { counts }) }),
  amount: (amount: bigint): string => stateText({ amount: text(amount) }),
  rewardIndex: (it: RewardIndex): string => stateText({ total: text(it.total), page: text(it.page), page_sum: text(it.pageSum) }),
  reward: (it: UserReward): string =>
    stateText({
      last_block: text(it.lastBlock),
      pool_accumulated: text(it.poolAccumulated),
      to_claim: text(it.toClaim),
      index: it.index?.toString() ?? null,
    }),
  workingBalance: ({ amount, terms }: WorkingBalance): string =>
    stateText({
      amount: text(amount),
      ...(terms === null ? {} : { terms: texts([terms.shares, terms.supply, terms.totalLocked]) }),
    }),
  user: (it: ConcentratedUser): string =>
    stateText({
      raw_liquidity: text(it.rawLiquidity),
      weighted_liquidity: text(it.weightedLiquidity),
      ranges: it.ranges.map(texts),
    }),
  range: (it: RangePosition): string =>
    stateText({ liquidity: text(it.liquidity), fee_growth_inside: texts(it.feeGrowthInside), owed: texts(it.owed) }),
  ticks: (it: TickChunk): string =>
    stateText({
      ticks: [...it].map(([place, tick]) => texts([place, ...tick.feeGrowthOutside, tick.liquidityGross, tick.liquidityNet])),
    }),
  gauge: (it: GaugeInstance): string =>
    stateText({
      pool: it.pool,
      reward_token: it.rewardToken,
      rates: it.rates.map((rate) => texts([rate.startsAt, rate.endsAt, rate.tokensPerSecond])),
      accumulated: text(it.accumulated),
      claimed: text(it.claimed),
      epoch: text(it.epoch),
      index: text(it.index),
    }),
  gaugeUser: (it: GaugeUser): string => stateText({ epoch: text(it.epoch), index: text(it.index), to_claim: text(it.toClaim) }),
  counters: (it: Counters): string => stateText(counterMembers(it)),
  cost: (it: Cost): string => stateText(costMembers(it)),
}

function amplificationMembers({ amplification: it }: PoolInstance): Readonly<Record<string, unknown>> {
  if (it === null) return {}
  return {
    a_initial: text(it.initial),
    a_initial_time: text(it.initialTime),
    a_future: text(it.future),
    a_future_time: text(it.futureTime),
    decimals: it.decimals === null ? null : texts(it.decimals),
  }
}

function concentratedMembers({ concentrated: it }: PoolInstance): Readonly<Record<string, unknown>> {
  if (it === null) return {}
  return {
    sqrt_price: text(it.sqrtPrice),
    tick: text(it.tick),
    tick_spacing: text(it.tickSpacing),
    liquidity: text(it.liquidity),
    fee_growth: texts(it.feeGrowth),
    weighted_liquidity: text(it.weightedLiquidity),
    initialized_ticks: texts(it.initializedTicks),
  }
}
