import { all, api, asks, both, byTwo, notComparable, state } from './list-members.ts'
import type { KindMembers } from './member.ts'

const code = notComparable('the release of the code is not shown: what it changes is compared as it happened')
const request = notComparable('what was asked for; what happened is compared')
const order = { question: true } as const

export const FXDAO_MEMBERS: Readonly<Record<string, KindMembers>> = {
  'fxdao.core': {
    ...asks(),
    ...all(both('fxdao'), 'core_state.fee', 'core_state.oracle', 'core_state.col_token'),
    ...all(state('fxdao'), ...['admin', 'panic_mode', 'protocol_manager', 'stable_issuer', 'treasury'].map((it) => `core_state.${it}`)),
    collateral_balance: state('fxdao'),
    code_version: code,
  },
  'fxdao.currency': {
    ...asks('denomination'),
    ...all(both('fxdao'), 'currency.contract', 'currency.denomination', 'oracle', 'price.price'),
    ...all(state('fxdao'), 'currency.active', 'price.timestamp', 'vaults_info.denomination', 'vaults_info.lowest_key'),
    ...all(both('fxdao'), ...['min_col_rate', 'min_debt_creation', 'opening_col_rate'].map((it) => `vaults_info.${it}`)),
    ...all(both('fxdao'), ...['total_col', 'total_debt', 'total_vaults'].map((it) => `vaults_info.${it}`)),
    vaults_in_order: byTwo('fxdao', 'derived-fxdao', "null while the contract's own list is broken; vaults of one index share a rank"),
    liquidatable: state('fxdao', "null while the contract's own list is broken"),
    list_error: notComparable("the error of a view that walks the contract's list while it is broken: we keep vaults without it"),
  },
  'fxdao.vault': {
    ...asks('address', 'denomination'),
    ...all(both('fxdao'), 'vault.total_collateral', 'vault.total_debt', 'collateral_ratio', 'liquidatable', 'close'),
    ...all(both('fxdao'), 'max_more_debt', 'max_withdraw'),
    ...all(state('fxdao'), 'vault.account', 'vault.denomination', 'vault.index', 'vault.next_key'),
    from_key_equal: notComparable('two views of the contract agree on a vault: it is kept once here, so there is nothing to compare'),
    close_dry_run: state('fxdao', 'refused where the owner lacks the coins: that depends on a trustline'),
    stable_balance: notComparable('a balance in a classic trustline, which is not indexed'),
  },
  'fxdao.locking_pool': { ...asks('asset'), ...all(state('fxdao'), 'pool', 'asset_balance', 'reward_balance') },
  'fxdao.locking_deposit': {
    ...asks('address', 'asset'),
    ...all(both('fxdao'), 'deposit.amount', 'deposit.unlocks_at', 'reward'),
    ...all(state('fxdao'), 'deposit.snapshot', 'withdraw_dry_run'),
  },
  'fxdao.action': {
    ...asks('action', 'denomination', 'source'),
    order,
    ...all(api('activities'), 'ok', 'vaults', 'rate'),
    balance_changes: api(
      'activities',
      'of the contract and its treasury, which have no feed; of a contract that calls, which owns the vault',
    ),
    function: api('activities', 'of calls through another contract: its own function'),
    error: notComparable('the number of the error: that it failed and left nothing is compared as ok'),
    args: request,
    code_version: code,
  },
  'fxdao.locking_action': {
    ...asks('action', 'source'),
    order,
    ...all(api('activities'), 'ok', 'function', 'source_changes'),
    error: notComparable('the number of the error: that it failed and left nothing is compared as ok'),
    args: request,
  },
  'fxdao.management': {
    ...asks('source'),
    order,
    ok: api('activities'),
    function: api('activities', 'of oracles, which are no part of the protocol'),
    error: notComparable('the number of the error: that it failed and left nothing is compared as ok'),
    args: request,
  },
}
