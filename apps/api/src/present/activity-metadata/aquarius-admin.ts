// `metadata` of the administration of Aquarius.

import { z } from 'zod'
import { ALWAYS, attribution, CALL, EVENT, eventMembers } from './common.ts'

const caller = { attribution: attribution(['authorizer', 'transaction_source']) }
const seconds = (of: string) => z.string().describe(`${of}, as an integer: Unix seconds.`)
const rate = z.string().describe('Reward tokens for each second to all holders together, as an integer in the smallest unit.')

const Switch = z
  .strictObject({
    ...eventMembers(
      [
        ...(['kill_deposit', 'unkill_deposit', 'kill_swap', 'unkill_swap', 'kill_claim', 'unkill_claim'] as const),
        ...(['rewards_gauge_kill_claim', 'rewards_gauge_unkill_claim', 'kill_gauges_claim', 'unkill_gauges_claim'] as const),
        ...(['revert_new_parameters', 'revert_upgrade', 'enable_emergency_mode', 'disable_emergency_mode'] as const),
      ],
      EVENT,
    ),
    ...caller,
  })
  .meta({ id: 'AquariusSwitchMetadata' })

const Fee = z
  .strictObject({
    ...eventMembers(['set_protocol_fee', 'commit_new_fee', 'apply_new_fee'], EVENT),
    fee_of_10000: z
      .int()
      .describe("Parts of 10,000: of a swap's input, or (`set_protocol_fee`) the protocol's part of the fee. 30 is 0.3 %."),
    ...caller,
  })
  .meta({ id: 'AquariusFeeMetadata' })

const Ramp = z
  .strictObject({
    ...eventMembers(['ramp_a'], EVENT),
    future_amplification: z.string().describe('Amplification at `future_time`, an integer.'),
    future_time: seconds('End of the change'),
    ...caller,
  })
  .meta({ id: 'AquariusRampMetadata' })

const StoppedRamp = z
  .strictObject({
    ...eventMembers(['stop_ramp_a'], EVENT),
    amplification: z.string().describe('Amplification from now on, an integer.'),
    ...caller,
  })
  .meta({ id: 'AquariusStoppedRampMetadata' })

const Gauge = z
  .strictObject({
    ...eventMembers(['rewards_gauge_add', 'rewards_gauge_remove'], EVENT),
    reward_token: z.string().describe('Contract of the reward token.'),
    gauge: z.string().describe('Contract of the gauge.'),
    ...caller,
  })
  .meta({ id: 'AquariusGaugeMetadata' })

const GaugeSchedule = z
  .strictObject({
    ...eventMembers(['rewards_gauge_schedule_reward'], EVENT),
    reward_token: z.string().describe('Contract of the reward token.'),
    starts_at: seconds('Start of the rewards'),
    ends_at: seconds('End of the rewards'),
    tokens_per_second: rate,
    ...caller,
  })
  .meta({ id: 'AquariusGaugeScheduleMetadata' })

const GaugeSwitch = z
  .strictObject({
    ...eventMembers(['pool_gauge_switch_token'], EVENT),
    reward_token: z.string().describe('Contract of the reward token.'),
    enabled: z.boolean().describe('Whether gauges may pay this token from now on.'),
    ...caller,
  })
  .meta({ id: 'AquariusGaugeSwitchMetadata' })

const Upgrade = z
  .strictObject({
    ...eventMembers(['commit_upgrade', 'apply_upgrade'], EVENT),
    codes: z.array(z.string()).describe('Hashes of the new code: 64 lowercase hex characters each.'),
    ...caller,
  })
  .meta({ id: 'AquariusUpgradeMetadata' })

const Ownership = z
  .strictObject({
    ...eventMembers(['commit_transfer_ownership', 'apply_transfer_ownership', 'revert_transfer_ownership'], EVENT),
    role: z.string().describe('Role as the contract names it, such as `Admin` or `EmergencyAdmin`.'),
    new: z.string().optional().describe('Address that gets the role. Absent where the transfer is reverted.'),
    ...caller,
  })
  .meta({ id: 'AquariusOwnershipMetadata' })

const holder = (of: string) => z.string().nullable().describe(`${of}. Null if the contract's value is no address.`)
const Roles = z
  .strictObject({
    ...eventMembers(['set_privileged_addrs'], EVENT),
    rewards_admin: holder('Address that sets rewards').optional(),
    operations_admin: holder('Address that sets fees and amplification').optional(),
    pause_admin: holder('Address that switches functions off and on').optional(),
    emergency_pause_admins: z.array(z.string()).optional().describe('Addresses that may switch functions off.'),
    system_fee_admin: holder('Address that administers the protocol fee').optional(),
    ...caller,
  })
  .meta({ id: 'AquariusRolesMetadata', description: 'A contract without one of the roles has no member for it.' })

const poolRate = {
  expires_at: seconds('End of the rewards'),
  tokens_per_second: rate,
}
const PoolRate = z
  .strictObject({ ...eventMembers(['set_rewards_config'], EVENT), ...poolRate, ...caller })
  .meta({ id: 'AquariusPoolRateMetadata' })
const RouterRate = z
  .strictObject({
    ...eventMembers(['config_rewards'], EVENT),
    pool: z.string().describe('Contract of the pool.'),
    ...poolRate,
    ...caller,
  })
  .meta({ id: 'AquariusRouterRateMetadata' })

const NewPool = z
  .strictObject({
    ...eventMembers(['add_pool'], EVENT),
    router: z.string().describe('Router that made the pool.'),
    pool_type: z.string().describe('Kind of the pool as the router names it: `constant`, `stable`, `concentrated`, or a later one.'),
    pool_index: z.string().describe('Index of the pool in the router: 64 lowercase hex characters.'),
    tokens: z.array(z.string()).describe('Contracts of the tokens, in the order of the pool.'),
    ...caller,
  })
  .meta({ id: 'AquariusNewPoolMetadata' })

const RewardsChoice = z
  .strictObject({
    ...eventMembers(['set_rewards_state'], EVENT),
    takes_rewards: z.boolean().describe('Whether the account gets rewards of the pool from now on.'),
  })
  .meta({ id: 'AquariusRewardsChoiceMetadata' })

/** Functions that change something and emit no event. */
const WithoutEvent = z
  .strictObject({
    ...ALWAYS,
    event: z
      .enum([
        ...(['config_global_rewards', 'fill_liquidity', 'distribute_outstanding_reward', 'return_unused_reward'] as const),
        ...(['adjust_total_accumulated_reward', 'init_admin', 'init_config_storage', 'set_pool_hash', 'set_stableswap_pool_hash'] as const),
        ...(['set_concentrated_pool_hash', 'set_token_hash', 'set_reward_token', 'set_reward_boost_config', 'set_pools_plane'] as const),
        ...(['set_liquidity_calculator', 'configure_init_pool_payment', 'set_future_share_id', 'migrate_share_balances'] as const),
        ...(['commit_future_share_id', 'remove_pool', 'admin_set_rewards_state', 'set_rewards_config'] as const),
      ])
      .describe(CALL),
  })
  .meta({ id: 'AquariusCallMetadata' })

export const AQUARIUS_ADMIN = [
  Switch,
  Fee,
  Ramp,
  StoppedRamp,
  Gauge,
  GaugeSchedule,
  GaugeSwitch,
  Upgrade,
  Ownership,
  Roles,
  PoolRate,
  RouterRate,
  NewPool,
  RewardsChoice,
  WithoutEvent,
]
