// Rows' JSON back to state: what `encode.ts` wrote, member by member.

import type { StateValue } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { GaugeInstance, GaugeUser } from '../chain/gauge-entries.ts'
import type { ConcentratedUser, RangePosition, TickChunk } from '../chain/pool-entries.ts'
import type { PoolInstance, PoolLayout } from '../chain/pool-instance.ts'
import type { Release } from '../chain/release.ts'
import type { RouterInstance, RouterRewards } from '../chain/router-entries.ts'
import type { RewardIndex, UserReward } from '../math/reward-index.ts'
import type { WorkingBalance } from '../view/working-balance.ts'
import type { Listing, ShareToken } from './state.ts'

export const decode = {
  pool: (it: StateValue): PoolInstance => {
    const layout = it.text('layout') as PoolLayout
    const [deposit, swap, claim, gaugesClaim] = it.raw('killed') as readonly boolean[]
    return {
      layout,
      code: it.text('code'),
      release: it.number('release') as Release,
      isKnownBuild: it.flag('known_build'),
      router: it.text('router'),
      tokens: it.texts('tokens'),
      reserves: it.integers('reserves'),
      protocolFees: it.integers('protocol_fees'),
      fee: it.number('fee'),
      protocolFee: it.number('protocol_fee'),
      shareToken: it.text('share_token'),
      nextShareToken: it.has('next_share_token') ? it.text('next_share_token') : '',
      totalShares: it.integer('total_shares'),
      killed: { deposit: deposit === true, swap: swap === true, claim: claim === true, gaugesClaim: gaugesClaim === true },
      syncLedger: it.number('sync_ledger'),
      rewards: {
        token: it.text('reward_token'),
        tokensPerSecond: it.integer('reward_tps'),
        expiresAt: it.integer('reward_expires_at'),
        accumulated: it.integer('reward_accumulated'),
        block: it.integer('reward_block'),
        claimed: it.integer('reward_claimed'),
        lastTime: it.integer('reward_last_time'),
        workingSupply: it.integerOrNull('working_supply'),
        gauges: it.raw('gauges') as readonly (readonly [ContractId, ContractId])[],
      },
      amplification:
        layout !== 'stable'
          ? null
          : {
              initial: it.integer('a_initial'),
              initialTime: it.integer('a_initial_time'),
              future: it.integer('a_future'),
              futureTime: it.integer('a_future_time'),
              decimals: it.isNull('decimals') ? null : it.integers('decimals').map(Number),
            },
      concentrated:
        layout !== 'concentrated'
          ? null
          : {
              sqrtPrice: it.integer('sqrt_price'),
              tick: it.number('tick'),
              tickSpacing: it.number('tick_spacing'),
              liquidity: it.integer('liquidity'),
              feeGrowth: two(it.integers('fee_growth')),
              weightedLiquidity: it.integer('weighted_liquidity'),
              initializedTicks: two(it.integers('initialized_ticks').map(Number)),
            },
    }
  },
  listing: (it: StateValue): Listing => ({
    router: it.text('router'),
    kind: it.text('kind'),
    index: it.text('index'),
    tokens: it.texts('tokens'),
    isAnnounced: it.flag('announced'),
  }),
  router: (it: StateValue): RouterInstance => ({
    rewardToken: it.text('reward_token'),
    tokenSets: it.integer('token_sets'),
    protocolFee: it.number('protocol_fee'),
    code: it.text('code'),
  }),
  routerRewards: (it: StateValue): RouterRewards => ({
    tokensPerSecond: it.integer('tokens_per_second'),
    expiresAt: it.integer('expires_at'),
  }),
  rewardIndex: (it: StateValue): RewardIndex => ({ total: it.integer('total'), page: it.integer('page'), pageSum: it.integer('page_sum') }),
  reward: (it: StateValue): UserReward => ({
    lastBlock: it.integer('last_block'),
    poolAccumulated: it.integer('pool_accumulated'),
    toClaim: it.integer('to_claim'),
    index: it.integerOrNull('index'),
  }),
  workingBalance: (it: StateValue): WorkingBalance => {
    const [shares, supply, totalLocked] = it.raw('terms') === undefined ? [] : it.integers('terms')
    const terms = shares === undefined || supply === undefined || totalLocked === undefined ? null : { shares, supply, totalLocked }
    return { amount: it.integer('amount'), terms }
  },
  user: (it: StateValue): ConcentratedUser => ({
    rawLiquidity: it.integer('raw_liquidity'),
    weightedLiquidity: it.integer('weighted_liquidity'),
    ranges: (it.raw('ranges') as readonly (readonly string[])[]).map((range) => two(range.map(Number))),
  }),
  range: (it: StateValue): RangePosition => ({
    liquidity: it.integer('liquidity'),
    feeGrowthInside: two(it.integers('fee_growth_inside')),
    owed: two(it.integers('owed')),
  }),
  ticks: (it: StateValue): TickChunk =>
    new Map(
      (it.raw('ticks') as readonly (readonly string[])[]).map((cells) => {
        const [place = 0n, outside0 = 0n, outside1 = 0n, liquidityGross = 0n, liquidityNet = 0n] = cells.map(BigInt)
        return [Number(place), { feeGrowthOutside: [outside0, outside1], liquidityGross, liquidityNet }]
      }),
    ),
  gauge: (it: StateValue): GaugeInstance => ({
    pool: it.text('pool'),
    rewardToken: it.text('reward_token'),
    rates: (it.raw('rates') as readonly (readonly string[])[]).map((cells) => {
      const [startsAt = 0n, endsAt = 0n, tokensPerSecond = 0n] = cells.map(BigInt)
      return { startsAt, endsAt, tokensPerSecond }
    }),
    accumulated: it.integer('accumulated'),
    claimed: it.integer('claimed'),
    epoch: it.integer('epoch'),
    index: it.integer('index'),
  }),
  share: (it: StateValue): ShareToken => ({ pool: it.text('pool'), counts: !it.has('counts') || it.flag('counts') }),
  gaugeUser: (it: StateValue): GaugeUser => ({ epoch: it.integer('epoch'), index: it.integer('index'), toClaim: it.integer('to_claim') }),
}

function two<T>(values: readonly T[]): readonly [T, T] {
  return values as unknown as readonly [T, T]
}
