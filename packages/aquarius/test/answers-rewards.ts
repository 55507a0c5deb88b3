// Rewards as a checkpoint at the close time would find them: of a pool, of an account, of a gauge.
// Source of the rules: soroban-amm rewards/src/{manager,locked_boost/manager}.rs, liquidity_pool_reward_gauge/src/gauge.rs.

import type { GaugeInstance } from '../src/chain/gauge-entries.ts'
import type { PoolInstance } from '../src/chain/pool-instance.ts'
import { type Accrued, accrue, boostedShares } from '../src/math/rewards.ts'
import { type Holder, type PoolState, sharesOf, totalLocked } from '../src/state/state.ts'
import { claimsOf } from '../src/view/claims-of-holder.ts'
import { type Asked, answered, asked, type Comparison, type Members, type Question, text } from './question.ts'

/** The pool's rewards at the close time: a checkpoint counts while rewards run, and once when they have ended. */
interface Checkpoint extends Accrued {
  readonly block: bigint
  readonly lastTime: bigint
  readonly workingSupply: bigint
}

function checkpointOf(instance: PoolInstance, seconds: bigint): Checkpoint {
  const { rewards, release, concentrated, totalShares } = instance
  const workingSupply = rewards.workingSupply ?? concentrated?.weightedLiquidity ?? totalShares
  const isDue = seconds <= rewards.expiresAt || rewards.lastTime < rewards.expiresAt
  const until = seconds < rewards.expiresAt ? seconds : rewards.expiresAt
  return {
    ...accrue(rewards, workingSupply, seconds, release),
    block: isDue ? rewards.block + 1n : rewards.block,
    lastTime: until > rewards.lastTime ? until : rewards.lastTime,
    workingSupply,
  }
}

/** Shares that count for rewards as they are stored: of a concentrated pool weighted at the holder's last checkpoint. */
function storedShares(instance: PoolInstance, holder: Holder | undefined): { readonly shares: bigint; readonly supply: bigint } {
  const core = instance.concentrated
  if (core === null) return { shares: sharesOf(holder), supply: instance.totalShares }
  return { shares: holder?.user?.value.weightedLiquidity ?? 0n, supply: core.weightedLiquidity }
}

/** What the pool holds for rewards: of a token that it also trades, what is no reserve; a concentrated pool keeps protocol fees apart too. */
function rewardBalance({ pool, instance }: Asked): bigint {
  const { rewards, tokens, reserves, protocolFees, layout } = instance
  const place = tokens.indexOf(rewards.token)
  const held = pool.balances.get(rewards.token)?.value ?? 0n
  const fees = layout === 'concentrated' ? (protocolFees[place] ?? 0n) : 0n
  return place < 0 ? held : held - (reserves[place] ?? 0n) - fees
}

/** All that was and will be distributed by the running configuration, what of it was paid, and what the pool has too much or too little for it. */
export function poolRewards(question: Question): Comparison {
  const it = asked(question)
  const { rewards } = it.instance
  const seconds = BigInt(question.at.closeTimeSeconds)
  const { accumulated } = checkpointOf(it.instance, seconds)
  const configured = accumulated + (rewards.expiresAt > seconds ? (rewards.expiresAt - seconds) * rewards.tokensPerSecond : 0n)
  const spare = rewardBalance(it) - (configured - rewards.claimed)
  return withoutBoostBalance(question, {
    total_accumulated_reward: text(accumulated),
    total_configured_reward: text(configured),
    total_claimed_reward: text(rewards.claimed),
    unused_reward: text(spare > 0n ? spare : 0n),
    total_outstanding_reward: text(spare < 0n ? -spare : 0n),
    rewards_info_of_nobody: rewardsInfo(it, question, undefined, question.answer.rewards_info_of_nobody),
  })
}

/**
 * `get_rewards_info`, which makes a checkpoint of the pool and of the account. The boost balance is a trustline of the account, which we do not
 * index: the recorded one is the input of the boost.
 */
function rewardsInfo(it: Asked, { state, at }: Question, holder: Holder | undefined, info: unknown): Members {
  const { pool, instance } = it
  const given = info as Readonly<Record<string, string>>
  const seconds = BigInt(at.closeTimeSeconds)
  const checkpoint = checkpointOf(instance, seconds)
  const locked = totalLocked(state)
  const { shares, supply } = storedShares(instance, holder)
  const isOptedIn = holder?.optedIn?.value ?? true
  const working = holder?.workingBalance?.value.amount ?? shares
  const boosted = boostedShares(isOptedIn ? shares : 0n, supply, BigInt(given.boost_balance ?? 0), locked)
  const reward = holder?.reward?.value
  const own = ownClaim(pool, instance, holder, { at, locked })
  return {
    acc: text(checkpoint.accumulated),
    block: text(checkpoint.block),
    boost_supply: text(locked),
    exp_at: text(instance.rewards.expiresAt),
    last_time: text(checkpoint.lastTime),
    new_working_balance: text(boosted),
    new_working_supply: text(checkpoint.workingSupply + boosted - working),
    pool_acc: text(checkpoint.accumulated),
    ...(given.state === undefined ? {} : { state: isOptedIn ? '1' : '0' }),
    supply: text(supply),
    to_claim: text(own?.amount ?? 0n),
    tps: text(instance.rewards.tokensPerSecond),
    // An account that the pool has nothing new for keeps the number of its last checkpoint.
    usr_block: text(reward !== undefined && reward.poolAccumulated === checkpoint.accumulated ? reward.lastBlock : checkpoint.block),
    working_balance: text(working),
    working_supply: text(checkpoint.workingSupply),
  }
}

/** The boost balance is an input of these figures, so there is nothing of ours to compare it with. */
function withoutBoostBalance(question: Question, ours: Members): Comparison {
  const { answer } = question
  const others = (info: unknown) => Object.fromEntries(Object.entries(info as Members).filter(([name]) => name !== 'boost_balance'))
  const infos = ['rewards_info', 'rewards_info_of_nobody'].filter((name) => answer[name] != null)
  const compared = infos.map((name) => [name, others(answer[name])])
  return answered({ ...question, answer: { ...answer, ...Object.fromEntries(compared) } }, ours)
}

function ownClaim(
  pool: PoolState,
  instance: PoolInstance,
  holder: Holder | undefined,
  { at, locked }: { readonly at: Question['at']; readonly locked: bigint },
) {
  const claims = claimsOf(pool, instance, holder, { closeTimeSeconds: at.closeTimeSeconds, totalLocked: locked })
  return claims.find((claim) => claim.source === 'pool')
}

export function userRewards(question: Question): Comparison {
  const it = asked(question)
  const { state, at, answer } = question
  const own = ownClaim(it.pool, it.instance, it.holder, { at, locked: totalLocked(state) })
  const ours = { user_reward: text(own?.amount), rewards_state: it.holder?.optedIn?.value ?? true }
  if (answer.rewards_info == null) return answered(question, ours)
  return withoutBoostBalance(question, { ...ours, rewards_info: rewardsInfo(it, question, it.holder, answer.rewards_info) })
}

/** Of the pool and of its gauges. `blocked` is set where the contract refuses to pay, and nowhere else. */
export function claims(question: Question): Comparison {
  const { answer, state, at } = question
  const { pool, instance, holder } = asked(question)
  const claims = claimsOf(pool, instance, holder, { closeTimeSeconds: at.closeTimeSeconds, totalLocked: totalLocked(state) })
  const own = claims.find((claim) => claim.source === 'pool')
  const ofGauge = (token: string) => text(claims.find((claim) => claim.source === 'gauge' && claim.token === token)?.amount)
  const byToken = (gauges: unknown, of: (token: string) => unknown) =>
    gauges == null ? gauges : Object.fromEntries(Object.keys(gauges as Members).map((token) => [token, of(token)]))
  const seconds = BigInt(at.closeTimeSeconds)
  const gaugeInfo = (token: string) => {
    const gauge = pool.gauges.get(new Map(instance.rewards.gauges).get(token) ?? '')?.value
    return { ...runningRate(gauge, seconds), user_reward: ofGauge(token) }
  }
  const isRefused = answer.claim_now === null
  return {
    ours: {
      refused: own?.blocked != null,
      claim_now: isRefused ? null : text(own?.amount),
      claim_error: own?.blocked != null ? answer.claim_error : null,
      gauges_claim_now: byToken(answer.gauges_claim_now, ofGauge),
      gauges_info: byToken(answer.gauges_info, gaugeInfo),
    },
    theirs: {
      refused: isRefused,
      claim_now: answer.claim_now,
      claim_error: answer.claim_error,
      gauges_claim_now: answer.gauges_claim_now,
      gauges_info: answer.gauges_info,
    },
  }
}

/** What the gauge pays now; zeros where nothing runs. */
function runningRate(gauge: GaugeInstance | undefined, seconds: bigint): { readonly expired_at: string; readonly tps: string } {
  const rate = gauge?.rates.find(({ startsAt, endsAt }) => startsAt <= seconds && seconds < endsAt)
  return { expired_at: String(rate?.endsAt ?? 0n), tps: String(rate?.tokensPerSecond ?? 0n) }
}

export function gauge(question: Question): Comparison {
  const { answer, at } = question
  const { pool } = asked(question, String(answer.pool))
  const gauge = pool.gauges.get(answer.contract)?.value
  const seconds = BigInt(at.closeTimeSeconds)
  return answered(question, {
    reward_token: gauge?.rewardToken,
    reward_state: {
      accumulated: text(gauge?.accumulated),
      claimed: text(gauge?.claimed),
      epoch: text(gauge?.epoch),
      inv: text(gauge?.index),
    },
    // The view leaves out what has ended; the entry keeps it until the next checkpoint.
    reward_configs: gauge?.rates
      .filter(({ endsAt }) => endsAt > seconds)
      .map(({ startsAt, endsAt, tokensPerSecond }) => ({
        start_at: text(startsAt),
        expired_at: text(endsAt),
        tps: text(tokensPerSecond),
      })),
    // The view counts from the moment of the question.
    reward_config: { ...runningRate(gauge, seconds), start_at: text(seconds) },
    balance: text(pool.gaugeBalances.get(answer.contract)?.value ?? 0n),
  })
}
