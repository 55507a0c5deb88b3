import { all, asks, both, notComparable, state } from './list-members.ts'
import type { KindMembers } from './member.ts'

const trustline = notComparable('a balance in a classic trustline, which is not indexed')
const REWARDS_INFO = ['acc', 'block', 'boost_supply', 'exp_at', 'last_time', 'new_working_balance', 'new_working_supply', 'pool_acc']
const MORE_REWARDS_INFO = ['state', 'supply', 'to_claim', 'tps', 'usr_block', 'working_balance', 'working_supply']
const rewardsInfo = (member: string): KindMembers => ({
  ...all(state('aquarius'), ...[...REWARDS_INFO, ...MORE_REWARDS_INFO].map((part) => `${member}.${part}`)),
  [`${member}.boost_balance`]: notComparable(
    'a balance in a classic trustline, which is not indexed: an input of the boost, compared as new_working_balance',
  ),
})

export const AQUARIUS_MEMBERS: Readonly<Record<string, KindMembers>> = {
  'aquarius.router': {
    ...asks(),
    ...all(state('aquarius'), 'tokens_sets_count', 'protocol_fee_fraction', 'rewards_config', 'pools'),
    version: notComparable('no figure depends on the code of a router: its releases are not distinguished'),
    tokens_for_reward: notComparable(
      'the votes behind a round of rewards are not kept: what each pool gets is its own tps, which is compared',
    ),
  },
  'aquarius.pool': {
    ...asks(),
    ...all(both('aquarius'), 'version', 'pool_type', 'tokens', 'stored_reserves', 'token_balances', 'total_shares', 'fee_fraction'),
    ...all(state('aquarius'), 'router', 'in_registry', 'info', 'reserves', 'reward_token_balance', 'share_id'),
    ...all(state('aquarius'), 'protocol_fee_fraction', 'protocol_fees', 'is_killed', 'gauges'),
    ...all(state('aquarius'), 'total_accumulated_reward', 'total_configured_reward', 'total_claimed_reward'),
    ...all(state('aquarius'), 'unused_reward', 'total_outstanding_reward'),
    ...rewardsInfo('rewards_info_of_nobody'),
    ...all(state('aquarius'), 'a', 'virtual_price', 'decimals'),
    ...all(state('aquarius'), 'slot0', 'active_liquidity', 'fee_growth_global_0_x128', 'fee_growth_global_1_x128'),
    ...all(state('aquarius'), 'total_weighted_liquidity', 'total_raw_liquidity', 'tick_spacing', 'tick_bounds'),
    plane: state('aquarius', 'of a concentrated pool its next ticks for swap routes, which no figure needs'),
    quotes: state(
      'aquarius',
      'of concentrated pools: no figure needs a route over ticks; of pools before v1.6 what an exact amount in gives, and of stable ones both',
    ),
    calculator_liquidity: state(
      'aquarius',
      'of stable and concentrated pools: the score by which rewards are divided is no figure of ours',
    ),
    label: notComparable('a name of the scenario'),
    excluded_shares: notComparable('a counter of the pool that is not kept: rewards are shared by working balances, which are compared'),
    emergency_mode: notComparable('not kept: it lets administrators upgrade without delay, and no figure depends on it'),
  },
  'aquarius.gauge': {
    ...asks('pool'),
    ...all(state('aquarius'), 'reward_token', 'reward_state', 'reward_configs', 'reward_config', 'balance'),
  },
  'aquarius.user': {
    ...asks('address', 'label'),
    ...all(both('aquarius'), 'share_balance', 'withdraw_all', 'all_position_fees', 'gauges_claim_now'),
    claim_now: both('aquarius', 'null where the contract refuses: shown as blocked'),
    ...all(both('aquarius'), 'snapshot.raw_liquidity', 'snapshot.ranges'),
    ...all(state('aquarius'), 'snapshot.weighted_liquidity', 'share_token', 'user_shares', 'user_reward', 'rewards_state'),
    claim_error: state('aquarius', 'the number of the error: that it is refused is compared'),
    gauges_info: state('aquarius'),
    withdraw_one_coin_all: state('aquarius', 'the number of an error where swaps are off or nothing is there'),
    ...rewardsInfo('rewards_info'),
    boost_token_balance: trustline,
  },
  'aquarius.position': {
    ...asks('address', 'label', 'tick_lower', 'tick_upper'),
    ...all(both('aquarius'), 'position.liquidity', 'fees', 'withdraw_all'),
    ...all(state('aquarius'), 'position.tokens_owed_0', 'position.tokens_owed_1', 'estimate_withdraw'),
    ...all(state('aquarius'), 'position.fee_growth_inside_0_last_x128', 'position.fee_growth_inside_1_last_x128'),
  },
}
