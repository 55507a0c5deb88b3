// The state's answer to each question that the recording asked the contracts, with the members of the recorded answer, so that the two can be compared.

import { payout } from '../src/math/constant-product.ts'
import { type StablePool, stableSwapExactIn } from '../src/math/stable.ts'
import { ampAt } from '../src/math/stable-swap.ts'
import { isRegistered, sharesOf } from '../src/state/state.ts'
import { viewReserves } from '../src/view/pool-reserves.ts'
import { rangeWorth } from '../src/view/ranges-of-holder.ts'
import { claims, gauge, poolRewards, userRewards } from './answers-rewards.ts'
import { oldSwapExactOut, swapExactIn, swapExactOut } from './formulas/constant-product.ts'
import { stableSwapExactOut, virtualPrice, withdrawOneCoin } from './formulas/stable.ts'
import { liquidityScore } from './liquidity-score.ts'
import { type Asked, answered, asked, type Comparison, type Question, text, texts } from './question.ts'

export type { Comparison, Question } from './question.ts'

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

function router(question: Question): Comparison {
  const { answer, state } = question
  const { instance, rewards } = state.routers.get(answer.contract) ?? {}
  return answered(question, {
    tokens_sets_count: text(instance?.value.tokenSets),
    protocol_fee_fraction: text(instance?.value.protocolFee),
    rewards_config: { tps: text(rewards?.value.tokensPerSecond ?? 0n), exp_at: text(rewards?.value.expiresAt ?? 0n) },
  })
}

/** Every listed pool under its tokens and its index, and no other. */
function listedPools({ answer, state }: Question): Comparison {
  const listed = [...state.pools.values()].flatMap(({ pool, tokens, listing }) =>
    !listing?.isRegistered ? [] : [`${tokens.join()} ${listing.index} ${pool}`],
  )
  const theirs = (answer.pools as [string[], Record<string, string>][]).flatMap(([tokens, pools]) =>
    Object.entries(pools).map(([index, pool]) => `${tokens.join()} ${index} ${pool}`),
  )
  return { ours: { pools: listed.sort() }, theirs: { pools: theirs.sort() } }
}

function pool(question: Question): Comparison {
  const it = asked(question)
  const { pool, instance } = it
  const { amplification, concentrated, killed } = instance
  const stable = stableOf(it, question)
  const plane = planeOf(instance)
  return answered(question, {
    router: instance.router,
    pool_type: instance.layout,
    info: {
      fee: text(instance.fee),
      pool_type: instance.layout,
      ...(stable === null ? {} : { a: text(stable.amp), n_tokens: text(instance.tokens.length) }),
      ...(concentrated === null ? {} : { tick_spacing: text(concentrated.tickSpacing) }),
    },
    ...(plane === null ? {} : { plane }),
    in_registry: isRegistered(pool),
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

/** What a pool writes into the plane for swap routes. A concentrated pool writes its next ticks, which no figure of ours needs. */
function planeOf({ layout, fee, reserves, amplification }: Asked['instance']): unknown {
  if (layout === 'constant_product') return [['standard', texts([fee]), texts(reserves)]]
  if (amplification === null) return null
  const { initial, initialTime, future, futureTime } = amplification
  return [['stable', texts([fee, initial, initialTime, future, futureTime]), texts(reserves)]]
}

/** The quotes where the contract has an answer to both questions. */
function quotesOf({ answer }: Question): Record<string, string>[] {
  return ((answer.quotes ?? []) as Record<string, string>[]).filter(
    (quote) => isAmount(quote.estimate_swap) && isAmount(quote.estimate_swap_strict_receive),
  )
}

/** What swaps in a stable pool would give and take. */
function stableQuotes(question: Question): Comparison | null {
  const it = asked(question)
  const stable = it.instance.release >= 160 && !it.instance.killed.swap ? stableOf(it, question) : null
  const quotes = quotesOf(question)
  if (stable === null || quotes.length === 0) return null
  const ours = quotes.map(({ in_idx, out_idx, in_amount = '0', out_amount = '0' }) => {
    const [from, to] = [Number(in_idx), Number(out_idx)]
    const out = stableSwapExactIn(stable, from, to, BigInt(in_amount))?.amountOut
    return [text(out), text(stableSwapExactOut(stable, from, to, BigInt(out_amount))?.amountIn)]
  })
  return {
    ours: { quotes: ours },
    theirs: { quotes: quotes.map((quote) => [quote.estimate_swap, quote.estimate_swap_strict_receive]) },
  }
}

/** What swaps in a constant-product pool would give and take. Before v1.6 we compute only what an exact amount out takes. */
function productQuotes(question: Question): Comparison | null {
  const { pool, instance } = asked(question)
  const quotes = quotesOf(question)
  if (instance.layout !== 'constant_product' || quotes.length === 0) return null
  const reserves = viewReserves(pool, question.at.ledger)
  const [fee, part, isOld] = [BigInt(instance.fee), BigInt(instance.protocolFee), instance.release < 160]
  const ours = quotes.map(({ in_idx, out_idx, in_amount = '0', out_amount = '0' }) => {
    const [x = 0n, y = 0n] = [reserves[Number(in_idx)], reserves[Number(out_idx)]]
    if (isOld) return [null, text(oldSwapExactOut(BigInt(out_amount), x, y, fee).amountIn)]
    const takes = swapExactOut(BigInt(out_amount), x, y, fee, part).amountIn
    return [text(swapExactIn(BigInt(in_amount), x, y, fee, part).amountOut), text(takes)]
  })
  const theirs = quotes.map((quote) => [isOld ? null : quote.estimate_swap, quote.estimate_swap_strict_receive])
  return { ours: { quotes: ours }, theirs: { quotes: theirs } }
}

function productLiquidity(question: Question): Comparison | null {
  const { instance } = asked(question)
  if (instance.layout !== 'constant_product' || question.answer.calculator_liquidity === undefined) return null
  return answered(question, { calculator_liquidity: text(liquidityScore(instance.reserves, BigInt(instance.fee))) })
}

function shares(question: Question): Comparison | null {
  if (question.answer.share_balance === undefined) return null
  const { pool, instance, holder } = asked(question)
  const held = sharesOf(holder)
  const reserves = viewReserves(pool, question.at.ledger)
  return answered(question, {
    share_token: instance.shareToken,
    user_shares: text(held),
    share_balance: text(held),
    withdraw_all: texts(payout(held, reserves, instance.totalShares)),
  })
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
  const ours = theirs.map(([coin]) => [coin, text(withdrawOneCoin(stable, held, coin)?.amount)])
  return { ours: { withdraw_one_coin_all: ours }, theirs: { withdraw_one_coin_all: theirs } }
}

/** Of a concentrated pool: the liquidity and the fees of all ranges of a holder. */
function ranges(question: Question): Comparison | null {
  const { pool, instance, holder } = asked(question)
  const core = instance.concentrated
  if (core === null) return null
  const worths = [...(holder?.ranges.values() ?? [])].flatMap((range) => rangeWorth(pool, core, range) ?? [])
  const snapshot = question.answer.snapshot as { ranges: readonly Readonly<Record<'tick_lower' | 'tick_upper', string>>[] }
  const open = [...(holder?.ranges.values() ?? [])].filter((range) => rangeWorth(pool, core, range) !== null)
  const named = (ranges: readonly (readonly [unknown, unknown])[]) => ranges.map(([lower, upper]) => `${lower}:${upper}`).sort()
  return {
    ours: {
      user_shares: text(sharesOf(holder)),
      snapshot: {
        raw_liquidity: text(sharesOf(holder)),
        weighted_liquidity: text(holder?.user?.value.weightedLiquidity ?? 0n),
        ranges: named(open.map(({ tickLower, tickUpper }) => [tickLower, tickUpper])),
      },
      all_position_fees: [0, 1].map((n) => text(worths.reduce((sum, worth) => sum + (worth.fees[n] ?? 0n), 0n))),
    },
    theirs: {
      user_shares: question.answer.user_shares,
      snapshot: { ...snapshot, ranges: named(snapshot.ranges.map(({ tick_lower, tick_upper }) => [tick_lower, tick_upper])) },
      all_position_fees: question.answer.all_position_fees,
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
  return answered(question, {
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
  ['aquarius.pool', poolRewards],
  ['aquarius.pool', stableQuotes],
  ['aquarius.pool', productQuotes],
  ['aquarius.pool', productLiquidity],
  ['aquarius.gauge', gauge],
  ['aquarius.user', shares],
  ['aquarius.user', oneCoin],
  ['aquarius.user', claims],
  ['aquarius.user', userRewards],
  ['aquarius.user', ranges],
  ['aquarius.position', position],
]
