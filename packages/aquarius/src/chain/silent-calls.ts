// Calls that change how Aquarius works and emit no event: only the operation's own call and its authorisations show them.
// Source: soroban-amm liquidity_pool_router/src/contract.rs, liquidity_pool*/src/contract.rs, rewards/src/manager.rs.

import type { CallRecord, ContractId } from '@orrery/ledger'

const SILENT: ReadonlySet<string> = new Set([
  // The rewards of the running round.
  ...[
    'config_global_rewards',
    'fill_liquidity',
    'distribute_outstanding_reward',
    'return_unused_reward',
    'adjust_total_accumulated_reward',
  ],
  // Set-up of the router and of pools.
  ...['init_admin', 'init_config_storage', 'set_pool_hash', 'set_stableswap_pool_hash', 'set_concentrated_pool_hash', 'set_token_hash'],
  ...['set_reward_token', 'set_reward_boost_config', 'set_pools_plane', 'set_liquidity_calculator', 'configure_init_pool_payment'],
  // The exchange of a share token (v1.3).
  ...['set_future_share_id', 'migrate_share_balances', 'commit_future_share_id'],
  // A pool off the list, a holder in or out of rewards.
  ...['remove_pool', 'admin_set_rewards_state'],
])

/** A pool's rate: concentrated pools, and all before v1.4, emit no event for it. */
const RATE = 'set_rewards_config'

/** Whether a call may be the only record of a change. */
export function isSilentCall(call: CallRecord): boolean {
  return SILENT.has(call.function) || call.function === RATE
}

/**
 * The silent ones of an operation's calls, each once: the operation's own call is repeated at the root of its authorisation. A rate with
 * an event of the contract is none of them.
 */
export function silentCalls<C extends { readonly record: CallRecord }>(
  calls: readonly C[],
  hasRateEvent: (contract: ContractId) => boolean,
): C[] {
  const isRepeated = (call: CallRecord) =>
    call.index === 0 && calls.some(({ record }) => record.index > 0 && record.parent === -1 && isSame(record, call))
  return calls.filter(
    ({ record: call }) => isSilentCall(call) && !isRepeated(call) && !(call.function === RATE && hasRateEvent(call.contract)),
  )
}

function isSame(a: CallRecord, b: CallRecord): boolean {
  return a.contract === b.contract && a.function === b.function && Buffer.compare(a.args, b.args) === 0
}
