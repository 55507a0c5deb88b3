import { all, api, asks, both, byTwo, notComparable, state } from './list-members.ts'
import type { KindMembers } from './member.ts'

const version = ['version'] as const

export const BLEND_MEMBERS: Readonly<Record<string, KindMembers>> = {
  'blend.pool': {
    ...asks(),
    ...all(both('blend'), 'name', 'version', 'reserve_list', 'config.oracle', 'config.status'),
    ...all(
      state('blend'),
      'from_factory',
      'admin',
      'config.bstop_rate',
      'config.max_positions',
      'config.min_collateral',
      'emission_shares',
    ),
    all_users_in_this_ledger: state('blend', 'false does not show which accounts are missing'),
  },
  'blend.reserve': {
    ...asks(...version),
    ...all(both('blend'), 'index', 'cash'),
    ...all(api('blend'), 'asset', 'code'),
    ...all(both('blend'), ...['b_rate', 'b_supply', 'backstop_credit', 'd_rate', 'd_supply', 'ir_mod'].map((it) => `accrued.${it}`)),
    ...all(state('blend'), 'accrued.last_time', 'stored', 'queued_config'),
    ...all(both('blend'), ...['c_factor', 'decimals', 'enabled', 'l_factor', 'max_util', 'supply_cap', 'util'].map((it) => `config.${it}`)),
    ...all(state('blend'), ...['index', 'r_base', 'r_one', 'r_three', 'r_two', 'reactivity'].map((it) => `config.${it}`)),
  },
  'blend.user': {
    ...asks('address', 'from_factory', ...version),
    positions: state('blend'),
    ...all(both('blend'), 'supply', 'collateral', 'liabilities'),
    underlying_now: both('blend', 'null where the dry run that computes the value was refused'),
    withdraw_max: state('blend', 'an error where the contract refuses to withdraw everything'),
  },
  'blend.reserve_emissions': {
    ...asks('reserve_token_id', ...version),
    asset: both('blend'),
    side: state('blend'),
    ...all(both('blend'), 'data.eps', 'config.eps'),
    ...all(state('blend'), 'data.expiration', 'data.index', 'data.last_time', 'config.expiration'),
  },
  'blend.user_emissions': {
    ...asks('address', 'reserve_token_id', ...version),
    stored: state('blend'),
    claimable: both('blend', 'an error where the backstop may not pay'),
  },
  'blend.backstop': {
    ...asks(...version),
    reward_zone: byTwo('blend', 'derived-blend'),
    ...all(state('blend'), 'last_distribution', 'lp_token_value', 'backfilled', 'lp_held', 'blnd_held'),
  },
  'blend.backstop_pool': {
    ...asks('pool', ...version),
    balance: both('blend'),
    ...all(both('blend'), 'pool_data.tokens', 'pool_data.q4w_pct'),
    ...all(state('blend'), 'pool_data.shares', 'pool_data.token_spot_price'),
    ...all(both('blend', 'of v1 the API values LP tokens by the recorded Comet pool as it is'), 'pool_data.blnd', 'pool_data.usdc'),
    ...all(state('blend'), 'emissions', 'emissions_config', 'pool_emissions_waiting', 'reward_zone_emissions'),
  },
  'blend.backstop_user': {
    ...asks('address', 'pool', ...version),
    ...all(both('blend'), 'user_balance', 'all_shares'),
    emissions: state('blend'),
    'claimable.blnd': both('blend', 'an error where the claim is refused'),
    'claimable.returned': state('blend', 'an error where the claim is refused'),
    'claimable.error': notComparable('the claim is refused: no amount'),
    ...all(both('blend', 'an error where the withdrawal is refused'), 'withdrawable.shares', 'withdrawable.lp'),
    'withdrawable.error': notComparable('the withdrawal is refused: no amount'),
  },
  'blend.auction': {
    ...asks('auction_type', 'user', ...version),
    ...all(state('blend'), 'stored', 'get_auction'),
  },
  'blend.comet': {
    ...asks(),
    ...all(state('blend'), 'total_supply', 'blnd', 'usdc', 'blnd_held', 'usdc_held'),
    ...all(state('blend'), 'spot_usdc_per_blnd', 'spot_usdc_per_blnd_sans_fee'),
  },
  'blend.lp_balance': { ...asks('address'), balance: state('blend') },
  'blend.emitter': { ...asks(), ...all(state('blend'), 'backstop', 'queued_swap', 'last_distro') },
  'oracle.lastprice': {
    ...asks('asset', 'code', 'oracle'),
    lastprice: byTwo(
      'blend',
      'prices',
      'of the API the price itself: not where another oracle comes first or the answer is null, zero or too old, nor before a pool has the asset',
    ),
  },
  'oracle.feed': {
    ...asks('oracle'),
    ...all(state('blend'), 'last_timestamp', 'decimals', 'resolution', 'base', 'assets', 'version'),
  },
}
