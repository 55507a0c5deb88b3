// Every answer that the Aquarius contracts of the recording gave, against the state that a reader loads as of that ledger.

import type { ContractId } from '@orrery/ledger'
import { ampAt } from '@orrery/pricing'
import type { ExpectedAnswer } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Claim, claimsOf } from '../src/claims-of-holder.ts'
import { payout } from '../src/constant-product.ts'
import type { PoolInstance } from '../src/pool-instance.ts'
import { viewReserves } from '../src/pool-reserves.ts'
import { rangeWorth } from '../src/ranges-of-holder.ts'
import { type StablePool, stableSwapExactIn, stableSwapExactOut, virtualPrice, withdrawOneCoin } from '../src/stable.ts'
import { type Holder, type PoolState, sharesOf, totalLocked } from '../src/state.ts'
import { rewardShares } from '../src/working-balance.ts'
import { type AsOf, foldRecording, named, text, texts } from './as-of.ts'

let world: AsOf
const report = (line: string) => process.stdout.write(`${line}\n`)

beforeAll(async () => {
  world = await foldRecording()
})

interface Asked {
  readonly pool: PoolState
  readonly instance: PoolInstance
  readonly holder: Holder | undefined
}

function asked(answer: ExpectedAnswer, contract: ContractId = answer.contract): Asked {
  const pool = world.stateAt(answer.ledger).pools.get(contract)
  const instance = pool?.instance?.value
  if (pool === undefined || instance === undefined) throw new Error(`no pool ${contract} at ${answer.ledger}`)
  return { pool, instance, holder: pool.holders.get(String(answer.address)) }
}

function stableOf({ pool, instance }: Asked, { ledger, close_time }: ExpectedAnswer): StablePool | null {
  const { amplification, fee, protocolFee, totalShares } = instance
  if (amplification === null) return null
  return {
    reserves: viewReserves(pool, ledger),
    decimals: amplification.decimals ?? [],
    amp: ampAt(amplification, BigInt(close_time)),
    fee: BigInt(fee),
    protocolPart: BigInt(protocolFee),
    totalShares,
  }
}

/** Only the members that the answer has: views came with releases. */
function equals(answer: ExpectedAnswer, ours: Readonly<Record<string, unknown>>): void {
  const theirs = Object.fromEntries(Object.keys(ours).flatMap((key) => (answer[key] == null ? [] : [[key, answer[key]]])))
  const compared = Object.fromEntries(Object.keys(theirs).map((key) => [key, ours[key]]))
  expect({ ...named(answer), ...compared }).toEqual({ ...named(answer), ...theirs })
}

describe('the recorded contracts', () => {
  it('say of the router what the state rows say', () => {
    for (const answer of world.answers('router')) {
      const state = world.stateAt(answer.ledger)
      const { instance, rewards } = state.routers.get(answer.contract) ?? {}
      const listed = [...state.pools.values()].filter((pool) => pool.listing !== null && pool.isRegistered).map((pool) => pool.pool)
      const theirs = (answer.pools as [string[], Record<string, string>][]).flatMap(([, pools]) => Object.values(pools))
      expect({ ...named(answer), pools: listed.sort() }).toEqual({ ...named(answer), pools: theirs.sort() })
      equals(answer, {
        tokens_sets_count: text(instance?.value.tokenSets),
        protocol_fee_fraction: text(instance?.value.protocolFee),
        rewards_config: { tps: text(rewards?.value.tokensPerSecond ?? 0n), exp_at: text(rewards?.value.expiresAt ?? 0n) },
      })
    }
    report(`aquarius.router: ${world.answers('router').length} answers equal`)
  })

  it('say of every pool what the state rows say', () => {
    for (const answer of world.answers('pool')) {
      const it = asked(answer)
      const { pool, instance } = it
      const { amplification, concentrated, killed } = instance
      const stable = stableOf(it, answer)
      equals(answer, {
        pool_type: instance.layout,
        in_registry: pool.isRegistered,
        version: text(instance.release),
        tokens: instance.tokens,
        reserves: texts(viewReserves(pool, answer.ledger)),
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
    report(`aquarius.pool: ${world.answers('pool').length} answers equal`)
  })

  it('would swap in stable pools for what we compute', () => {
    let quotes = 0
    for (const answer of world.answers('pool')) {
      const it = asked(answer)
      const stable = it.instance.release >= 160 && !it.instance.killed.swap ? stableOf(it, answer) : null
      if (stable === null) continue
      for (const quote of (answer.quotes ?? []) as Record<string, string>[]) {
        const [from, to] = [Number(quote.in_idx), Number(quote.out_idx)]
        if (!/^\d+$/.test(quote.estimate_swap ?? '') || !/^\d+$/.test(quote.estimate_swap_strict_receive ?? '')) continue
        expect({
          ...named(answer),
          out: text(stableSwapExactIn(stable, from, to, BigInt(quote.in_amount ?? 0))?.amountOut),
          in: text(stableSwapExactOut(stable, from, to, BigInt(quote.out_amount ?? 0))?.amountIn),
        }).toEqual({ ...named(answer), out: quote.estimate_swap, in: quote.estimate_swap_strict_receive })
        quotes++
      }
    }
    report(`aquarius.pool: ${quotes} quotes of stable pools equal`)
    expect(quotes).toBeGreaterThan(1_000)
  })

  it('say of every gauge what the state rows say', () => {
    for (const answer of world.answers('gauge')) {
      const { pool } = asked(answer, String(answer.pool))
      const gauge = pool.gauges.get(answer.contract)?.value
      equals(answer, {
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
    report(`aquarius.gauge: ${world.answers('gauge').length} answers equal`)
  })

  it('pay for shares what we say, all together and in one coin', () => {
    const counts = { shares: 0, payouts: 0, coins: 0 }
    for (const answer of world.answers('user')) {
      if (answer.share_balance === undefined) continue
      const it = asked(answer)
      const held = sharesOf(it.holder)
      const reserves = viewReserves(it.pool, answer.ledger)
      equals(answer, { share_balance: text(held), withdraw_all: texts(payout(held, reserves, it.instance.totalShares)) })
      counts.shares++
      counts.payouts += Array.isArray(answer.withdraw_all) ? 1 : 0
      const stable = stableOf(it, answer)
      for (const [coin, theirs] of ((answer.withdraw_one_coin_all ?? []) as unknown[]).entries()) {
        // A number is the error with which the contract refuses: swaps are switched off, or nothing is there.
        if (typeof theirs !== 'string' || !/^\d+$/.test(theirs) || stable === null) continue
        expect({ ...named(answer), coin, amount: text(withdrawOneCoin(stable, held, coin)?.amount) }).toEqual({
          ...named(answer),
          coin,
          amount: theirs,
        })
        counts.coins++
      }
    }
    report(`aquarius.user: ${counts.shares} balances, ${counts.payouts} payouts and ${counts.coins} payouts of one coin equal`)
    expect(counts.coins).toBeGreaterThan(1_000)
  })

  it('pay rewards as we say, and refuse where we say so', () => {
    const counts = { claims: 0, refusals: 0, gauges: 0, inexact: 0 }
    for (const answer of world.answers('user')) {
      const { pool, instance, holder } = asked(answer)
      const state = world.stateAt(answer.ledger)
      const claims = claimsOf(pool, instance, holder, { closeTimeSeconds: answer.close_time, totalLocked: totalLocked(state) })
      const own = claims.find((claim) => claim.source === 'pool')
      const isRefused = answer.claim_now === null
      expect({ ...named(answer), amount: isRefused ? null : text(own?.amount), refused: own?.blocked != null }).toEqual({
        ...named(answer),
        amount: answer.claim_now,
        refused: isRefused,
      })
      counts[isRefused ? 'refusals' : 'claims']++
      if (own?.exact === false) counts.inexact++
      for (const [token, theirs] of Object.entries((answer.gauges_claim_now ?? {}) as Record<string, unknown>)) {
        const gauge = claims.find((claim: Claim) => claim.source === 'gauge' && claim.token === token)
        expect({ ...named(answer), token, amount: text(gauge?.amount) }).toEqual({ ...named(answer), token, amount: theirs })
        counts.gauges++
      }
    }
    report(
      `aquarius.user: ${counts.claims} claims (${counts.inexact} of them marked inexact), ${counts.refusals} refusals, ${counts.gauges} of gauges equal`,
    )
  })

  it('share rewards by the balances that the state rows have', () => {
    let compared = 0
    for (const answer of world.answers('user')) {
      const { pool, instance, holder } = asked(answer)
      const info = answer.rewards_info as Record<string, string> | null
      if (info === null) continue
      const { supply } = rewardShares(pool, instance, undefined)
      const ours = {
        tps: text(instance.rewards.tokensPerSecond),
        exp_at: text(instance.rewards.expiresAt),
        supply: text(supply),
        working_supply: text(instance.rewards.workingSupply ?? supply),
        boost_supply: text(totalLocked(world.stateAt(answer.ledger))),
        ...(holder?.workingBalance ? { working_balance: text(holder.workingBalance.value.amount) } : {}),
      }
      expect({ ...named(answer), ...ours }).toEqual({
        ...named(answer),
        ...Object.fromEntries(Object.keys(ours).map((key) => [key, info[key]])),
      })
      equals(answer, { rewards_state: holder?.takesRewards?.value ?? true })
      compared++
    }
    report(`aquarius.user: ${compared} states of rewards equal`)
  })

  it('pay for ranges principal and fees as we say', () => {
    for (const answer of world.answers('position')) {
      const { pool, instance, holder } = asked(answer)
      const range = holder?.ranges.get(`${answer.tick_lower}:${answer.tick_upper}`)
      const position = range?.position?.value
      const worth = range === undefined || instance.concentrated === null ? null : rangeWorth(pool, instance.concentrated, range)
      const both = worth?.principal.map((amount, n) => amount + (worth.fees[n] ?? 0n))
      equals(answer, {
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
    report(`aquarius.position: ${world.answers('position').length} answers equal`)
  })

  it('know of a holder of ranges the liquidity and fees that we know', () => {
    let compared = 0
    for (const answer of world.answers('user')) {
      const { pool, instance, holder } = asked(answer)
      const core = instance.concentrated
      if (core === null) continue
      const worths = [...(holder?.ranges.values() ?? [])].flatMap((range) => rangeWorth(pool, core, range) ?? [])
      const fees = [0, 1].map((n) => text(worths.reduce((sum, worth) => sum + (worth.fees[n] ?? 0n), 0n)))
      const snapshot = answer.snapshot as { raw_liquidity: string; weighted_liquidity: string; ranges: unknown[] }
      expect({
        ...named(answer),
        raw: text(sharesOf(holder)),
        weighted: text(holder?.user?.value.weightedLiquidity ?? 0n),
        ranges: worths.length,
        fees,
      }).toEqual({
        ...named(answer),
        raw: snapshot.raw_liquidity,
        weighted: snapshot.weighted_liquidity,
        ranges: snapshot.ranges.length,
        fees: answer.all_position_fees,
      })
      compared++
    }
    report(`aquarius.user: ${compared} holders of ranges equal`)
  })

  it('never contradict themselves as we read them', () => {
    expect([...new Set(world.notices)]).toEqual([])
  })
})
