// Rewards that a claim would pay at the ledger of the answer, in one shape for every protocol.

import type { TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Reward = z
  .strictObject({
    asset_id: z.string().describe('Contract of the reward token.'),
    symbol: z.string().describe('Symbol of the reward token; "" if unknown.'),
    amount: z.string().describe('Amount that a claim would pay at the ledger of the answer.'),
    usd_value: z.string().nullable().describe('USD value of `amount`. Null without a price.'),
    source: z
      .enum(['emission', 'pool_reward', 'gauge', 'backstop', 'stake'])
      .describe(
        'What pays it. `emission`: emissions of a lending pool to suppliers and borrowers. `pool_reward`: a liquidity pool. `gauge`: a gauge of a liquidity pool. `backstop`: emissions to the backstop of a lending pool. `stake`: a locked stake.',
      ),
    contract: z.string().describe('Contract that pays the reward.'),
    unlocks_at: Timestamp.nullable().describe('Time from which it can be claimed: RFC 3339, UTC. Null if it can be claimed at any time.'),
    blocked: z
      .enum(['paused', 'underfunded'])
      .nullable()
      .describe(
        'Why the contract would refuse a claim at this ledger: claims are paused, or it holds too few tokens. The reward stays owed. Null if a claim would not be refused.',
      ),
    exact: z.boolean().describe('False if `amount` is an estimate.'),
  })
  .meta({ id: 'Reward' })
export type Reward = z.input<typeof Reward>

/** Description of every list of rewards that can be claimed. */
export const CLAIMABLE =
  'Rewards that a claim would pay at the ledger of the answer. They are part of no value and of no total except `claimable_usd`.'

export type RewardFacts = Pick<Reward, 'source' | 'contract'> &
  Partial<Pick<Reward, 'blocked' | 'exact'>> & {
    /** Unix seconds. Default: it can be claimed at any time. */
    readonly unlocksAtSeconds?: number
  }

/** Empty if there is nothing to claim. */
export function presentReward({ asset, amount, usdValue }: TokenAmount, facts: RewardFacts): Reward[] {
  if (amount === 0n) return []
  const { source, contract, unlocksAtSeconds, blocked = null, exact = true } = facts
  return [
    {
      asset_id: asset.asset,
      symbol: asset.symbol,
      amount: wholeUnits(amount, asset.decimals),
      usd_value: usdValue,
      source,
      contract,
      unlocks_at: unlocksAtSeconds === undefined ? null : timestampOf(unlocksAtSeconds),
      blocked,
      exact,
    },
  ]
}

/** Whether totals have its value. */
export function isPriced({ usd_value }: Reward): boolean {
  return usd_value !== null
}

/** By token. */
export function sortedRewards(rewards: readonly Reward[]): Reward[] {
  return byAddress(rewards, ({ asset_id }) => asset_id)
}

/** USD of the rewards that have a price. */
export function claimableUsd(rewards: readonly Reward[]): string {
  return sumOfPriced(rewards.map(({ usd_value }) => usd_value)).sum
}
