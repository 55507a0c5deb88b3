// Keys of state. What belongs to an account begins with `@`, everything else with a letter.
// Everything of a pool is filed under the pool, also what share tokens and gauges keep: one range of keys is the whole pool.

import { SMALL_KEY, TOKEN_KEY } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'

export const stateKey = {
  /** Under the router. */
  router: 'router',
  rewards: 'rewards',
  listing: (pool: ContractId) => `pool:${pool}`,
  /** Under the share token. */
  share: 'share',
  /** Under the boost feed. */
  boost: 'boost',
  /** Under any other token. */
  asset: TOKEN_KEY,
  /** Under the pool, like all that follow. */
  pool: 'pool',
  registered: 'registered',
  rewardIndex: 'reward_index',
  burnt: 'burnt',
  counters: 'counters',
  balance: (token: ContractId) => `balance:${token}`,
  gauge: (gauge: ContractId) => `gauge:${gauge}`,
  gaugeBalance: (gauge: ContractId) => `gauge_balance:${gauge}`,
  ticks: (chunk: number) => `ticks:${chunk}`,
  shares: (holder: Address) => `@${holder}:shares`,
  nextShares: (holder: Address) => `@${holder}:next_shares`,
  reward: (holder: Address) => `@${holder}:reward`,
  workingBalance: (holder: Address) => `@${holder}:working_balance`,
  takesRewards: (holder: Address) => `@${holder}:takes_rewards`,
  user: (holder: Address) => `@${holder}:user`,
  range: (holder: Address, name: string) => `@${holder}:range:${name}`,
  gaugeUser: (holder: Address, gauge: ContractId) => `@${holder}:gauge:${gauge}`,
  cost: (holder: Address) => `@${holder}:cost`,
  /** Written with snapshots: `rememberSize`. */
  small: (holder: Address) => `@${holder}:${SMALL_KEY}`,
  rangeCost: (holder: Address, name: string) => `@${holder}:range_cost:${name}`,
} as const

/** The part of a key behind its prefix. */
export function afterPrefix(key: string, prefix: string): string | null {
  return key.startsWith(prefix) ? key.slice(prefix.length) : null
}
