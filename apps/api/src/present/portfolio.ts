// The portfolio: what an account holds in each protocol, in one shape for all of them.

import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, sumOf, sumOfPriced } from './amount.ts'
import { largestLimit, NET_APY_WITH_REWARDS, PoolEntry, smallest, weightedApy, yieldWithRewards } from './pool-entry.ts'
import { PositionItem } from './position-item.ts'
import { ProtocolMember } from './protocol-member.ts'
import { CLAIMABLE, claimableUsd, Reward, sortedRewards } from './reward.ts'

const Items = z.array(PositionItem)

export const ProtocolEntry = z
  .strictObject({
    protocol_id: ProtocolMember,
    borrowed_usd: z.string().describe('USD value of `liabilities`, not negative. Items without a price are left out.'),
    claimable_usd: z.string().describe('USD value of `rewards`. Rewards without a price are left out.'),
    deposited_usd: z.string().describe('USD value of `collateral`, `supply`, `lp` and `backstop`. Items without a price are left out.'),
    health_factor: z
      .string()
      .nullable()
      .describe('Smallest health factor of the pools or vaults; liquidation is possible below 1. Null without debt.'),
    net_apy: z
      .string()
      .describe(
        'Yearly interest and fees on the net value, a fraction, weighted by USD, without emissions and rewards (Blend: also without the backstop). "0" if the net value is not above 0.',
      ),
    net_apy_with_rewards: z.string().describe(NET_APY_WITH_REWARDS),
    estimates: z
      .strictObject({
        borrow_cap_usd: z
          .string()
          .describe(
            'USD value that can be borrowed in addition until health factors are 1, summed over pools or vaults. Lending pools are isolated: the sum cannot be borrowed in one of them.',
          ),
        borrow_limit_pct: z
          .string()
          .nullable()
          .describe(
            'Used part of what may be owed, in percent: 100 / health factor of the weakest pool or vault. "0" without debt. Null if it is unknown, as with debt and no collateral value.',
          ),
      })
      .describe('Estimates from the prices of this ledger. Both "0" for protocols without debts.'),
    pools: z.array(PoolEntry).describe('The same by pool. Pools that the account has left are in it while a reward can be claimed.'),
    positions: z
      .strictObject({
        backstop: Items.describe('Shares of backstops, queued ones included.'),
        collateral: Items.describe('Deposits that back debts.'),
        liabilities: Items.describe('Debts. Their amounts and values are not negative.'),
        lp: Items.describe('Shares of liquidity pools.'),
        supply: Items.describe('Deposits that back no debt, and locked stakes.'),
      })
      .describe('Open positions by type.'),
    rewards: z.array(Reward).describe(`${CLAIMABLE} Those of pools that the account has left are included.`),
  })
  .meta({ id: 'ProtocolPositions' })
export type ProtocolEntry = z.input<typeof ProtocolEntry>

export const Portfolio = z
  .strictObject({
    address: z.string().describe('The account.'),
    aggregate_health_factor: z.string().nullable().describe('Smallest health factor of the protocols. Null without debt.'),
    aggregate_net_apy: z
      .string()
      .describe(
        'Mean of the protocols’ `net_apy`, a fraction, weighted by deposits minus debts in USD. "0" if the sum of the weights is not above 0.',
      ),
    aggregate_net_apy_with_rewards: z.string().describe('The same mean of `net_apy_with_rewards`.'),
    total_claimable_usd: z.string().describe('USD value of all rewards that can be claimed. It is not part of `total_value_usd`.'),
    total_value_usd: z.string().describe('USD value of deposits minus debts over all protocols.'),
    protocols: z.array(ProtocolEntry).describe('Protocols in which the account has an open position, or rewards to claim.'),
  })
  .meta({ id: 'Portfolio' })

/** A portfolio among others. */
export const PortfolioItem = Portfolio.extend({
  protocols: z
    .array(ProtocolEntry.partial({ positions: true, rewards: true }).meta({ id: 'ProtocolPositionsItem' }))
    .describe(
      'Protocols in which the account has an open position, or rewards to claim. With `view=summary` without `positions` and `rewards`.',
    ),
}).meta({ id: 'PortfolioItem' })

/** Without the items. */
export function portfolioSum({ protocols, ...sums }: z.input<typeof Portfolio>): z.input<typeof PortfolioItem> {
  return { ...sums, protocols: protocols.map(({ positions: _, rewards: __, ...entry }) => entry) }
}

/** What the parts of a protocol's entry do not say. */
type EntryParts = Pick<ProtocolEntry, 'positions' | 'pools' | 'rewards' | 'net_apy'>

/** An entry from its items, pools and rewards: sums, the weakest pool, and yields. */
export function protocolEntry(protocol: ProtocolId, { positions, pools, rewards, net_apy }: EntryParts): ProtocolEntry {
  const { backstop, collateral, liabilities, lp, supply } = positions
  const usd = (items: readonly PositionItem[]): DecimalText => sumOfPriced(items.map((item) => item.usd_value)).sum
  const deposits = [...backstop, ...collateral, ...lp, ...supply]
  return {
    protocol_id: protocol,
    borrowed_usd: usd(liabilities),
    claimable_usd: claimableUsd(rewards),
    deposited_usd: usd(deposits),
    health_factor: smallest(pools.map(({ health_factor }) => health_factor)),
    net_apy,
    net_apy_with_rewards: yieldWithRewards(deposits, liabilities),
    estimates: {
      borrow_cap_usd: sumOf(pools.map(({ borrow_cap_usd }) => borrow_cap_usd)),
      borrow_limit_pct: largestLimit(pools.map(({ borrow_limit_pct }) => borrow_limit_pct)),
    },
    pools,
    positions,
    rewards: sortedRewards(rewards),
  }
}

export function portfolioOf(address: string, protocols: readonly ProtocolEntry[]): z.input<typeof Portfolio> {
  const net = (entry: ProtocolEntry): DecimalText => difference(entry.deposited_usd, entry.borrowed_usd)
  const mean = (apyOf: (entry: ProtocolEntry) => DecimalText) =>
    weightedApy(protocols.map((entry) => ({ usd: net(entry), apy: apyOf(entry) })))
  return {
    address,
    aggregate_health_factor: smallest(protocols.map((entry) => entry.health_factor)),
    aggregate_net_apy: mean((entry) => entry.net_apy),
    aggregate_net_apy_with_rewards: mean((entry) => entry.net_apy_with_rewards),
    total_claimable_usd: sumOf(protocols.map(({ claimable_usd }) => claimable_usd)),
    total_value_usd: sumOf(protocols.map(net)),
    protocols: [...protocols],
  }
}
