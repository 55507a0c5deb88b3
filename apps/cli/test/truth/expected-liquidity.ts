// Derived figures of a liquidity pool and of who holds it, from the recorded answers: see the test that asks for them.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Checkpoint, Words } from './checkpoint.ts'
import type { ExpectedPrices } from './expected-prices.ts'
import { Fraction, sum, USD_DIGITS, usdText, ZERO } from './fraction.ts'

const YEAR_SECONDS = 31_536_000n

export interface ExpectedTokenValue {
  readonly asset: string
  readonly usd: Fraction | null
}

/** A reward that is paid now: whole raw units a second. */
interface Rate {
  readonly token: string
  readonly perSecond: bigint
  /** What it is shared by: a holder's part, from the `rewards_info` and the shares recorded of it, and all parts. */
  readonly working: (info: Words, shares: bigint) => readonly [bigint, bigint]
}

/** Of a line `aquarius.pool` or `soroswap.pair`. */
export class ExpectedLiquidityPool {
  readonly line: ExpectedAnswer
  readonly tokens: readonly string[]
  readonly reserves: readonly ExpectedTokenValue[]
  readonly #at: Checkpoint
  readonly #prices: ExpectedPrices

  constructor(line: ExpectedAnswer, at: Checkpoint, prices: ExpectedPrices) {
    this.line = line
    this.#at = at
    this.#prices = prices
    const isPair = line.kind === 'soroswap.pair'
    this.tokens = isPair ? [String(line.token_0), String(line.token_1)] : (line.tokens as string[])
    const amounts = isPair ? [line.reserve_0, line.reserve_1] : (line.stored_reserves as unknown[])
    this.reserves = this.#values(amounts.map((amount) => BigInt(String(amount))))
  }

  get kind(): string {
    return String(this.line.pool_type ?? 'constant_product')
  }

  /** Stored reserves of what has a price. */
  get tvl(): Fraction {
    return sum(this.reserves.flatMap(({ usd }) => usd ?? []))
  }

  #values(amounts: readonly bigint[]): ExpectedTokenValue[] {
    return this.tokens.map((asset, n) => ({ asset, usd: this.#value(asset, amounts[n] ?? 0n) }))
  }

  #value(asset: string, amount: bigint): Fraction | null {
    const price = this.#prices.inPool(this.line.contract, asset)
    return price === null ? null : Fraction.units(amount, this.#prices.decimalsOf(asset)).times(price.usd).rounded(USD_DIGITS)
  }

  /** What an account's shares or ranges pay out, fees of ranges included: null where the contract gave no answer. */
  payoutOf(user: ExpectedAnswer): bigint[] | null {
    if (user.snapshot === undefined) return Array.isArray(user.withdraw_all) ? user.withdraw_all.map((it) => BigInt(String(it))) : null
    const ranges = this.#at.of('aquarius.position').filter((it) => it.contract === user.contract && it.address === user.address)
    const { ranges: listed } = user.snapshot as { readonly ranges: readonly unknown[] }
    if (ranges.length !== listed.length || ranges.some((it) => !Array.isArray(it.withdraw_all))) return null
    return this.tokens.map((_, n) => ranges.reduce((all, it) => all + BigInt(String((it.withdraw_all as unknown[])[n])), 0n))
  }

  /** As a page shows it: of a concentrated pool the part is that of the value, because liquidity of different ranges does not compare. */
  position(payout: readonly bigint[], shares: bigint): { net_usd: string; pool_share_pct: string; tokens: Record<string, string | null> } {
    const values = this.#values(payout)
    const supply = BigInt(String(this.line.total_shares ?? this.line.total_supply ?? 0))
    const net = this.#net(payout)
    const part = this.kind === 'concentrated' ? ratio(net ?? ZERO, this.tvl) : ratio(Fraction.of(shares), Fraction.of(supply))
    return {
      net_usd: usdText(sum(values.flatMap(({ usd }) => usd ?? []))),
      pool_share_pct: part.times(Fraction.of(100)).text(8),
      tokens: Object.fromEntries(values.map(({ asset, usd }) => [asset, usd === null ? null : usdText(usd)])),
    }
  }

  /** Null where a token has no price. */
  #net(payout: readonly bigint[]): Fraction | null {
    const values = this.#values(payout).map(({ usd }) => usd)
    return values.includes(null) ? null : sum(values.flatMap((usd) => usd ?? []))
  }

  /** Sum over the rates of: a second's reward · year · price · (working balance / working supply) / value, each with 8 digits. */
  emissionApyOf(user: ExpectedAnswer, payout: readonly bigint[]): Fraction | null {
    const net = this.#net(payout)
    const info = user.rewards_info as Words
    const rates = this.#rates().map(({ token, perSecond, working }) => {
      const yearly = this.#value(token, perSecond * YEAR_SECONDS)
      const [balance, supply] = working(info, BigInt(String(user.share_balance ?? 0)))
      return yearly === null || net === null ? null : ratio(yearly.times(Fraction.of(balance)), net.times(Fraction.of(supply))).rounded(8)
    })
    return rates.includes(null) ? null : sum(rates.flatMap((rate) => rate ?? []))
  }

  /** What a holder without a boost earns, by reward token: of the pool's value, as `emissions` shows it. */
  poolEmissions(): Map<string, { readonly perSecond: bigint; readonly apy: Fraction }> {
    const nonHolder = this.line.rewards_info_of_nobody as Words
    const all = BigInt(nonHolder.supply ?? '')
    const byToken = Map.groupBy(this.#rates(), ({ token }) => token)
    return new Map(
      [...byToken].map(([token, rates]) => {
        const apys = rates.map(({ perSecond, working }) => {
          const yearly = this.#value(token, perSecond * YEAR_SECONDS) ?? ZERO
          return ratio(yearly.times(Fraction.of(all)), this.tvl.times(Fraction.of(working(nonHolder, 0n)[1]))).rounded(8)
        })
        return [token, { perSecond: rates.reduce((sumOf, it) => sumOf + it.perSecond, 0n), apy: sum(apys) }]
      }),
    )
  }

  /**
   * The pool's own rate and its gauges', while they last. Both share by working balances (before v1.7 the pool by those that a claim makes new
   * first); gauges before v1.8 by plain shares.
   */
  #rates(): Rate[] {
    const now = BigInt(this.#at.closeTime)
    const version = Number(this.line.version)
    const working: Rate['working'] = (info) =>
      version >= 170
        ? [BigInt(info.working_balance ?? ''), BigInt(info.working_supply ?? '')]
        : [BigInt(info.new_working_balance ?? ''), BigInt(info.new_working_supply ?? '')]
    const ofGauge: Rate['working'] = version >= 180 ? working : (_, shares) => [shares, BigInt(String(this.line.total_shares))]
    const { tps = '0', exp_at = '0' } = (this.line.rewards_info_of_nobody ?? {}) as Words
    const own: Rate[] = BigInt(exp_at) > now && BigInt(tps) > 0n ? [{ token: this.#rewardToken, perSecond: BigInt(tps), working }] : []
    const gauges = this.#at.of('aquarius.gauge').filter(({ pool }) => pool === this.line.contract)
    const ofGauges = gauges.flatMap(({ reward_token, reward_configs }) => {
      const running = (reward_configs as Words[]).filter((it) => BigInt(it.start_at ?? '') <= now && BigInt(it.expired_at ?? '') > now)
      const perSecond = running.reduce((all, it) => all + BigInt(it.tps ?? ''), 0n)
      return perSecond === 0n ? [] : [{ token: String(reward_token), perSecond, working: ofGauge }]
    })
    return [...own, ...ofGauges]
  }

  get #rewardToken(): string {
    return this.#prices.rewardTokenOf(String(this.line.router))
  }
}

/** Zero where nothing is there to be a part of. */
function ratio(part: Fraction, whole: Fraction): Fraction {
  return whole.sign <= 0 ? ZERO : part.over(whole)
}
