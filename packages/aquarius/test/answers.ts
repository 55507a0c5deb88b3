// What our state says to each question that the recording asked the contracts: in the words of the answer, so that the two can be laid side by side.

import type { ContractId } from '@orrery/ledger'
import { type At, ampAt } from '@orrery/pricing'
import type { ExpectedAnswer } from '@orrery/testkit'
import { claimsOf } from '../src/claims-of-holder.ts'
import { payout } from '../src/constant-product.ts'
import type { PoolInstance } from '../src/pool-instance.ts'
import { viewReserves } from '../src/pool-reserves.ts'
import { rangeWorth } from '../src/ranges-of-holder.ts'
import { type StablePool, stableSwapExactIn, stableSwapExactOut, virtualPrice, withdrawOneCoin } from '../src/stable.ts'
import { type AquariusState, type Holder, type PoolState, sharesOf, totalLocked } from '../src/state.ts'
import { rewardShares } from '../src/working-balance.ts'

/** One answer with the state as of its ledger. */
export interface Question {
  readonly answer: ExpectedAnswer
  readonly state: AquariusState
  readonly at: At
}

export type Comparison = { readonly ours: unknown; readonly theirs: unknown }

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
const texts = (values: readonly unknown[] | undefined): string[] | undefined => values?.map(String)

interface Asked {
  readonly pool: PoolState
  readonly instance: PoolInstance
  readonly holder: Holder | undefined
}

function asked({ answer, state }: Question, contract: ContractId = answer.contract): Asked {
  const pool = state.pools.get(contract)
  const instance = pool?.instance?.value
  if (pool === undefined || instance === undefined) throw new Error(`no pool ${contract} at ${answer.ledger}`)
  return { pool, instance, holder: pool.holders.get(String(answer.address)) }
}

function stableOf({ pool, instance }: Asked, { at }: Question): StablePool | null {
  const { amplification, fee, protocolFee, totalShares } = instance
  if (amplification === null) return null
  return {
    reserves: viewReserves(pool, at.ledger),
    decimals: amplification.decimals ?? [],
    amp: ampAt(amplification, BigInt(at.closeTimeSeconds)),
    fee: BigInt(fee),
    protocolPart: BigInt(protocolFee),
    totalShares,
  }
}

/** Only the members that the answer has: views came with releases. */
function told({ answer }: Question, ours: Readonly<Record<string, unknown>>): Comparison {
  const names = Object.keys(ours).filter((name) => answer[name] != null)
  const pick = (from: Readonly<Record<string, unknown>>) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { ours: pick(ours), theirs: pick(answer) }
}

function router(question: Question): Comparison {
  const { answer, state } = question
  const { instance, rewards } = state.routers.get(answer.contract) ?? {}
  return told(question, {
    tokens_sets_count: text(instance?.value.tokenSets),
    protocol_fee_fraction: text(instance?.value.protocolFee),
    rewards_config: { tps: text(rewards?.value.tokensPerSecond ?? 0n), exp_at: text(rewards?.value.expiresAt ?? 0n) },
  })
}

function listedPools({ answer, state }: Question): Comparison {
  const listed = [...state.pools.values()].filter((pool) => pool.listing !== null && pool.isRegistered).map((pool) => pool.pool)
  const theirs = (answer.pools as [string[], Record<string, string>][]).flatMap(([, pools]) => Object.values(pools))
  return { ours: listed.sort(), theirs: theirs.sort() }
}

function pool(question: Question): Comparison {
  const it = asked(question)
  const { pool, instance } = it
  const { amplification, concentrated, killed } = instance
  const stable = stableOf(it, question)
  return told(question, {
    pool_type: instance.layout,
    in_registry: pool.isRegistered,
    version: text(instance.release),
    tokens: instance.tokens,
    reserves: texts(viewReserves(pool, question.at.ledger)),
    stored_reserves: texts(instance.reserves),
    token_balances: instance.tokens.map((token) => text(pool.balances.get(token)?.value ?? 0n)),
    reward_token_balance: text(pool.balances.get(instance.rewards.token)?.value ?? 0n),
    share_id: instance.shareToken || pool.pool,
    total_shares: text(instance.totalShares),
    fee_fraction: text(instance.fee),
    protocol_fee_fraction: text(instance.protocolFee),
    protocol_fees: texts(instance.protocolFees),
    is_killed: { deposit: killed.deposit, swap: killed.swap, claim: killed.claim },
    gauges: Object.fromEntries(instance.rewards.gauges),
    ...(stable === null
      ? {}
      : { a: text(stable.amp), virtual_price: text(virtualPrice(stable)), decimals: texts(amplification?.decimals ?? undefined) }),
    ...(concentrated === null
      ? {}
      : {
          slot0: { sqrt_price_x96: text(concentrated.sqrtPrice), tick: text(concentrated.tick) },
          active_liquidity: text(concentrated.liquidity),
          fee_growth_global_0_x128: text(concentrated.feeGrowth[0]),
          fee_growth_global_1_x128: text(concentrated.feeGrowth[1]),
          total_weighted_liquidity: text(concentrated.weightedLiquidity),
          total_raw_liquidity: text(instance.totalShares),
          tick_spacing: text(concentrated.tickSpacing),
          tick_bounds: texts(concentrated.initializedTicks),
        }),
  })
}

const isAmount = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value)

/** What swaps in a stable pool would give and take, where the contract has an answer. */
function stableQuotes(question: Question): Comparison | null {
  const it = asked(question)
  const stable = it.instance.release >= 160 && !it.instance.killed.swap ? stableOf(it, question) : null
  const quotes = ((question.answer.quotes ?? []) as Record<string, string>[]).filter(
    (quote) => isAmount(quote.estimate_swap) && isAmount(quote.estimate_swap_strict_receive),
  )
  if (stable === null || quotes.length === 0) return null
  const ours = quotes.map(({ in_idx, out_idx, in_amount = '0', out_amount = '0' }) => {
    const [from, to] = [Number(in_idx), Number(out_idx)]
    const out = stableSwapExactIn(stable, from, to, BigInt(in_amount))?.amountOut
    return [text(out), text(stableSwapExactOut(stable, from, to, BigInt(out_amount))?.amountIn)]
  })
  return { ours, theirs: quotes.map((quote) => [quote.estimate_swap, quote.estimate_swap_strict_receive]) }
}

function gauge(question: Question): Comparison {
  const { answer } = question
  const { pool } = asked(question, String(answer.pool))
  const gauge = pool.gauges.get(answer.contract)?.value
  return told(question, {
    reward_token: gauge?.rewardToken,
    reward_state: {
      accumulated: text(gauge?.accumulated),
      claimed: text(gauge?.claimed),
      epoch: text(gauge?.epoch),
      inv: text(gauge?.index),
    },
    // The view leaves out what has ended; the entry keeps it until the next checkpoint.
    reward_configs: gauge?.rates
      .filter(({ endsAt }) => endsAt > BigInt(answer.close_time))
      .map(({ startsAt, endsAt, tokensPerSecond }) => ({
        start_at: text(startsAt),
        expired_at: text(endsAt),
        tps: text(tokensPerSecond),
      })),
    balance: text(pool.gaugeBalances.get(answer.contract)?.value ?? 0n),
  })
}

function shares(question: Question): Comparison | null {
  if (question.answer.share_balance === undefined) return null
  const { pool, instance, holder } = asked(question)
  const held = sharesOf(holder)
  const reserves = viewReserves(pool, question.at.ledger)
  return told(question, { share_balance: text(held), withdraw_all: texts(payout(held, reserves, instance.totalShares)) })
}

/** All shares for one coin of a stable pool. A number is the error with which the contract refuses: swaps are off, or nothing is there. */
function oneCoin(question: Question): Comparison | null {
  const it = asked(question)
  const stable = stableOf(it, question)
  const theirs = ((question.answer.withdraw_one_coin_all ?? []) as unknown[]).flatMap((amount, coin) =>
    isAmount(amount) ? [[coin, amount] as const] : [],
  )
  if (stable === null || theirs.length === 0) return null
  const held = sharesOf(it.holder)
  return { ours: theirs.map(([coin]) => [coin, text(withdrawOneCoin(stable, held, coin)?.amount)]), theirs }
}

/** Of the pool and of its gauges. Where the contract refuses, we say that it does. */
function claims(question: Question): Comparison {
  const { answer, state, at } = question
  const { pool, instance, holder } = asked(question)
  const claims = claimsOf(pool, instance, holder, { closeTimeSeconds: at.closeTimeSeconds, totalLocked: totalLocked(state) })
  const own = claims.find((claim) => claim.source === 'pool')
  const gauges = (answer.gauges_claim_now ?? {}) as Readonly<Record<string, unknown>>
  const ofGauge = (token: string) => claims.find((claim) => claim.source === 'gauge' && claim.token === token)
  const isRefused = answer.claim_now === null
  return {
    ours: {
      amount: isRefused ? null : text(own?.amount),
      isRefused: own?.blocked != null,
      gauges: Object.fromEntries(Object.keys(gauges).map((token) => [token, text(ofGauge(token)?.amount)])),
    },
    theirs: { amount: answer.claim_now, isRefused, gauges },
  }
}

/** By which balances rewards are shared. */
function rewards(question: Question): Comparison | null {
  const { answer, state } = question
  const { instance, holder } = asked(question)
  const info = answer.rewards_info as Record<string, string> | null
  if (info === null) return null
  const { supply } = rewardShares(instance, undefined)
  const ours = {
    tps: text(instance.rewards.tokensPerSecond),
    exp_at: text(instance.rewards.expiresAt),
    supply: text(supply),
    working_supply: text(instance.rewards.workingSupply ?? supply),
    boost_supply: text(totalLocked(state)),
    ...(holder?.workingBalance ? { working_balance: text(holder.workingBalance.value.amount) } : {}),
  }
  const theirs = Object.fromEntries(Object.keys(ours).map((key) => [key, info[key]]))
  const { ours: state_, theirs: stateTold } = told(question, { rewards_state: holder?.takesRewards?.value ?? true })
  return { ours: [ours, state_], theirs: [theirs, stateTold] }
}

/** Of a concentrated pool: the liquidity and the fees of all ranges of a holder. */
function ranges(question: Question): Comparison | null {
  const { pool, instance, holder } = asked(question)
  const core = instance.concentrated
  if (core === null) return null
  const worths = [...(holder?.ranges.values() ?? [])].flatMap((range) => rangeWorth(pool, core, range) ?? [])
  const snapshot = question.answer.snapshot as { raw_liquidity: string; weighted_liquidity: string; ranges: unknown[] }
  return {
    ours: {
      raw: text(sharesOf(holder)),
      weighted: text(holder?.user?.value.weightedLiquidity ?? 0n),
      ranges: worths.length,
      fees: [0, 1].map((n) => text(worths.reduce((sum, worth) => sum + (worth.fees[n] ?? 0n), 0n))),
    },
    theirs: {
      raw: snapshot.raw_liquidity,
      weighted: snapshot.weighted_liquidity,
      ranges: snapshot.ranges.length,
      fees: question.answer.all_position_fees,
    },
  }
}

function position(question: Question): Comparison {
  const { answer } = question
  const { pool, instance, holder } = asked(question)
  const range = holder?.ranges.get(`${answer.tick_lower}:${answer.tick_upper}`)
  const position = range?.position?.value
  const worth = range === undefined || instance.concentrated === null ? null : rangeWorth(pool, instance.concentrated, range)
  const both = worth?.principal.map((amount, n) => amount + (worth.fees[n] ?? 0n))
  return told(question, {
    position: {
      liquidity: text(position?.liquidity),
      tokens_owed_0: text(position?.owed[0]),
      tokens_owed_1: text(position?.owed[1]),
      fee_growth_inside_0_last_x128: text(position?.feeGrowthInside[0]),
      fee_growth_inside_1_last_x128: text(position?.feeGrowthInside[1]),
    },
    fees: texts(worth?.fees),
    withdraw_all: texts(both),
    estimate_withdraw: texts(both),
  })
}

/** Every kind of answer with what it is laid beside; null: the contract refused what was asked, or the kind of pool has no such thing. */
export const COMPARISONS: readonly (readonly [kind: string, compare: (question: Question) => Comparison | null])[] = [
  ['aquarius.router', router],
  ['aquarius.router', listedPools],
  ['aquarius.pool', pool],
  ['aquarius.pool', stableQuotes],
  ['aquarius.gauge', gauge],
  ['aquarius.user', shares],
  ['aquarius.user', oneCoin],
  ['aquarius.user', claims],
  ['aquarius.user', rewards],
  ['aquarius.user', ranges],
  ['aquarius.position', position],
]
