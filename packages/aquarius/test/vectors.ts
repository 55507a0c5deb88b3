// The shape of the vectors, and the scenarios of rewards played step by step: the contract's order of checkpoints around our formulas.

import { expect } from 'vitest'
import type { GaugeInstance, GaugeUser } from '../src/chain/gauge-entries.ts'
import type { UserReward } from '../src/chain/pool-entries.ts'
import type { PoolRewards } from '../src/chain/pool-instance.ts'
import { accrueGauge, pendingGaugeReward } from '../src/math/gauge-rewards.ts'
import { accrue, boostedShares, pendingReward } from '../src/math/rewards.ts'
import type { StablePool } from '../src/math/stable.ts'

/** One case: figures as decimal strings, by the names of the file. */
export type Case = Readonly<Record<string, unknown>>

interface Bytes {
  readonly contract: string
  readonly topics_xdr: readonly string[]
  readonly data_xdr: string
}

export interface Scenario {
  readonly tps: string
  readonly expired_at: number
  readonly start_at?: number
  readonly steps: readonly Case[]
}

export interface Vectors {
  readonly math: {
    readonly constant_product_swap: readonly Case[]
    readonly constant_product_liquidity: readonly Case[]
    readonly stableswap_swap: readonly Case[]
    readonly stableswap_liquidity: readonly Case[]
    readonly concentrated: {
      readonly sqrt_ratio_at_tick: readonly Case[]
      readonly principal: readonly Case[]
      readonly first_deposit: readonly Case[]
      readonly fee_growth: { readonly examples: readonly Case[] }
      readonly reward_weight: { readonly items: readonly Case[] }
      readonly tick_chunk_address: readonly Case[]
      readonly pool_state_consistency: readonly Case[]
    }
    readonly rewards: {
      readonly scenario_boost: Scenario
      readonly scenario_two_users: Scenario
      readonly scenario_late_first_deposit: Scenario
      readonly live_accrual: readonly Case[]
      readonly gauge: readonly Scenario[]
    }
  }
  readonly mainnet_events: readonly (Bytes & { readonly event: string; readonly note?: string })[]
  readonly mainnet_transactions: readonly {
    readonly contract_data_changes: readonly { readonly contract: string; readonly key_xdr: string; readonly val_xdr: string | null }[]
  }[]
  readonly ledger_keys: readonly { readonly name: string; readonly key_xdr: string }[]
  readonly salts: { readonly tokens_salt: readonly { readonly tokens: readonly string[]; readonly tokens_salt: string }[] }
}

export const figure = (value: unknown): bigint => BigInt(String(value))
export const figures = (value: unknown): bigint[] => (value as readonly string[]).map(BigInt)
export const two = (value: unknown) => figures(value) as unknown as readonly [bigint, bigint]

export function stableOf(it: Case): StablePool {
  return {
    reserves: figures(it.reserves),
    decimals: it.decimals as number[],
    amp: figure(it.amp),
    fee: figure(it.fee_fraction ?? 0),
    protocolPart: figure(it.protocol_fee_fraction ?? 0),
    totalShares: figure(it.total_shares ?? 0),
  }
}

export function rewardsOf(of: { tps: bigint; expiresAt: bigint; lastTime: bigint; accumulated: bigint }): PoolRewards {
  return {
    token: '',
    tokensPerSecond: of.tps,
    expiresAt: of.expiresAt,
    accumulated: of.accumulated,
    block: 1n,
    claimed: 0n,
    lastTime: of.lastTime,
    workingSupply: null,
    gauges: [],
  }
}

/** A pool and its users, checkpointed before each action and given new working balances after it. */
export function playRewards(scenario: Scenario): void {
  let rewards = rewardsOf({ tps: figure(scenario.tps), expiresAt: figure(scenario.expired_at), lastTime: 0n, accumulated: 0n })
  let index = { total: 0n, page: 0n, pageSum: 0n }
  let [supply, workingSupply, totalLocked] = [0n, 0n, 0n]
  const users = new Map<string, { shares: bigint; working: bigint; locked: bigint; reward: UserReward | null }>()
  for (const step of scenario.steps) {
    const now = figure(step.t)
    const user = users.get(String(step.user)) ?? { shares: 0n, working: 0n, locked: 0n, reward: null }
    users.set(String(step.user), user)
    if (step.action === 'set_boost') {
      user.locked = figure(step.lock)
      totalLocked = figure(step.total_locked)
      continue
    }
    const accrued = accrue(rewards, workingSupply, now, 200)
    const { amount } = pendingReward(user.reward, user.working, workingSupply, accrued, index)
    index = { ...index, total: index.total + accrued.increment }
    rewards = { ...rewards, accumulated: accrued.accumulated, lastTime: now < rewards.expiresAt ? now : rewards.expiresAt }
    const isClaim = step.action === 'claim'
    if (isClaim) expect([step, amount]).toEqual([step, figure(step.expect)])
    user.reward = { lastBlock: 0n, poolAccumulated: rewards.accumulated, toClaim: isClaim ? 0n : amount, index: index.total }
    if (step.action === 'deposit') {
      user.shares += figure(step.shares)
      supply += figure(step.shares)
    }
    const working = boostedShares(user.shares, supply, user.locked, totalLocked)
    workingSupply += working - user.working
    user.working = working
    if (step.expect_working_balance !== undefined) expect([step, working]).toEqual([step, figure(step.expect_working_balance)])
    if (step.expect_working_supply !== undefined) expect([step, workingSupply]).toEqual([step, figure(step.expect_working_supply)])
  }
}

/** A gauge counts what its users held until now. */
export function playGauge(scenario: Scenario): void {
  let gauge: GaugeInstance = {
    pool: '',
    rewardToken: '',
    rates: [{ startsAt: figure(scenario.start_at), endsAt: figure(scenario.expired_at), tokensPerSecond: figure(scenario.tps) }],
    accumulated: 0n,
    claimed: 0n,
    epoch: 0n,
    index: 0n,
  }
  const users = new Map<string, GaugeUser>()
  for (const step of scenario.steps) {
    const now = figure(step.t)
    const [balance, supply] = [figure(step.working_balance), figure(step.working_supply)]
    const amount = pendingGaugeReward(gauge, users.get(String(step.user)) ?? null, balance, supply, now)
    gauge = { ...gauge, ...accrueGauge(gauge, supply, now), rates: gauge.rates.filter(({ endsAt }) => endsAt > now) }
    const isClaim = step.action === 'claim'
    if (isClaim) expect([step, amount]).toEqual([step, figure(step.expect)])
    if (isClaim) gauge = { ...gauge, claimed: gauge.claimed + amount }
    users.set(String(step.user), { epoch: now, index: gauge.index, toClaim: isClaim ? 0n : amount })
  }
}
