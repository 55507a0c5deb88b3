// What an account has in one pool, as the portfolio groups it: sums, yields and health. The pools of a protocol add up to its entry.

import { Decimal } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, rounded, sumOf, sumOfPriced } from './amount.ts'
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
  const earned = deposits.map((item) => yearly(item, new Decimal(item.apy).plus(item.emission_apy ?? '0')))
  const paid = debts.map((item) => yearly(item, new Decimal(item.apy).minus(item.emission_apy ?? '0')))
  const usd = (items: readonly PositionItem[]): DecimalText => sumOfPriced(items.map((item) => item.usd_value)).sum
  const net = new Decimal(difference(usd(deposits), usd(debts)))
  if (net.lte(0)) return '0'
  return rounded(new Decimal(difference(sumOf(earned), sumOf(paid))).div(net).toFixed(), RATE_DIGITS)
}

function yearly({ usd_value }: PositionItem, rate: InstanceType<typeof Decimal>): DecimalText {
  return rate.times(usd_value ?? '0').toFixed()
}

/** Mean of rates weighted by USD; "0" if the sum of the weights is not above 0. */
export function weightedApy(parts: readonly { readonly usd: DecimalText; readonly apy: DecimalText }[]): DecimalText {
  const total = new Decimal(sumOf(parts.map((part) => part.usd)))
  if (total.lte(0)) return '0'
  const earned = parts.reduce((sum, part) => sum.plus(new Decimal(part.usd).times(part.apy)), new Decimal(0))
  return rounded(earned.div(total).toFixed(), RATE_DIGITS)
}

/** The smallest health factor; null without debt. */
export function smallest(values: readonly (DecimalText | null)[]): DecimalText | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((a, b) => (new Decimal(a).lte(b) ? a : b))
}

/** A debt whose limit is unknown counts as larger than any limit. */
export function largestLimit(limits: readonly (DecimalText | null)[]): DecimalText | null {
  return limits.reduce<DecimalText | null>((a, b) => (a === null || b === null ? null : new Decimal(a).gte(b) ? a : b), '0')
}
