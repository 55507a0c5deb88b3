// What an account has in one pool, as the portfolio groups it: sums, yields and health. The pools of a protocol add up to its entry.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, sumOfPriced } from './amount.ts'
import { compare, type Exact, exact, minus, plus, quotient, times, total, ZERO } from './exact.ts'
import type { PositionItem } from './position-item.ts'
import { claimableUsd, type Reward } from './reward.ts'

export const NET_APY_WITH_REWARDS =
  'Yearly yield of everything on its net value, a fraction: (Σ deposited · (`apy` + `emission_apy`) - Σ owed · (`apy` - `emission_apy`)) / (deposits - debts), the backstop included. Yields without a price count as 0. "0" if the net value is not above 0.'

export const PoolEntry = z
  .strictObject({
    pool_id: z
      .string()
      .describe('Identifier of the pool in `/v1/pools`: its contract; of FxDAO the vaults of one currency, such as `fxdao:USD`.'),
    contract: z.string().describe('Contract of the pool.'),
    name: z.string().describe('Name of the pool; "" if unknown.'),
    deposited_usd: z
      .string()
      .describe('USD value of everything deposited in the pool, the backstop included. Items without a price are left out.'),
    borrowed_usd: z.string().describe('USD value of the debts, not negative. Items without a price are left out.'),
    net_usd: z.string().describe('`deposited_usd` minus `borrowed_usd`.'),
    claimable_usd: z.string().describe('USD value of the rewards that can be claimed. Rewards without a price are left out.'),
    net_apy: z.string().describe('Yearly interest or fees on the net value, a fraction, without emissions, rewards and the backstop.'),
    net_apy_with_rewards: z.string().describe(NET_APY_WITH_REWARDS),
    health_factor: z
      .string()
      .nullable()
      .describe('Liquidation is possible below 1. Null without debt, and if an asset of the position has no price.'),
    borrow_limit_pct: z
      .string()
      .nullable()
      .describe('Used part of what may be owed, in percent: 100 / health factor. "0" without debt. Null if it is unknown.'),
    borrow_cap_usd: z
      .string()
      .describe('USD value that can be borrowed in addition in this pool before its health factor is 1. Negative below 1. "0" if unknown.'),
  })
  .meta({ id: 'PoolPositionSum' })
export type PoolEntry = z.input<typeof PoolEntry>

/** What the items of a pool do not say. */
export type PoolFacts = Pick<
  PoolEntry,
  'pool_id' | 'contract' | 'name' | 'net_apy' | 'health_factor' | 'borrow_limit_pct' | 'borrow_cap_usd'
>

/** Sums of a pool: of what is deposited, of what is owed, and of its rewards. */
export function poolEntry(
  facts: PoolFacts,
  deposits: readonly PositionItem[],
  debts: readonly PositionItem[],
  rewards: readonly Reward[],
): PoolEntry {
  const usd = (items: readonly PositionItem[]): DecimalText => sumOfPriced(items.map((item) => item.usd_value)).sum
  const [deposited_usd, borrowed_usd] = [usd(deposits), usd(debts)]
  const { pool_id, contract, name, net_apy, ...risk } = facts
  return {
    pool_id,
    contract,
    name,
    deposited_usd,
    borrowed_usd,
    net_usd: difference(deposited_usd, borrowed_usd),
    claimable_usd: claimableUsd(rewards),
    net_apy,
    net_apy_with_rewards: yieldWithRewards(deposits, debts),
    ...risk,
  }
}

/** Fractional digits of rates that are computed here; rates of contracts keep their own. */
const RATE_DIGITS = 8

/** See `NET_APY_WITH_REWARDS`. */
export function yieldWithRewards(deposits: readonly PositionItem[], debts: readonly PositionItem[]): DecimalText {
  const net = minus(usdOf(deposits), usdOf(debts))
  if (net.digits <= 0n) return '0'
  const earned = total(deposits.map((item) => yearly(item, plus(exact(item.apy), exact(item.emission_apy ?? '0')))))
  const paid = total(debts.map((item) => yearly(item, minus(exact(item.apy), exact(item.emission_apy ?? '0')))))
  return quotient(minus(earned, paid), net, RATE_DIGITS)
}

function usdOf(items: readonly PositionItem[]): Exact {
  return total(items.flatMap(({ usd_value }) => (usd_value === null ? [] : exact(usd_value))))
}

function yearly({ usd_value }: PositionItem, rate: Exact): Exact {
  return usd_value === null ? ZERO : times(rate, exact(usd_value))
}

/** Mean of rates weighted by USD; "0" if the sum of the weights is not above 0. */
export function weightedApy(parts: readonly { readonly usd: DecimalText; readonly apy: DecimalText }[]): DecimalText {
  const weights = total(parts.map(({ usd }) => exact(usd)))
  if (weights.digits <= 0n) return '0'
  return quotient(total(parts.map(({ usd, apy }) => times(exact(usd), exact(apy)))), weights, RATE_DIGITS)
}

/** The smallest health factor; null without debt. */
export function smallest(values: readonly (DecimalText | null)[]): DecimalText | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((a, b) => (compare(exact(a), exact(b)) <= 0 ? a : b))
}

/** A debt whose limit is unknown counts as larger than any limit. */
export function largestLimit(limits: readonly (DecimalText | null)[]): DecimalText | null {
  return limits.reduce<DecimalText | null>((a, b) => (a === null || b === null ? null : compare(exact(a), exact(b)) >= 0 ? a : b), '0')
}
