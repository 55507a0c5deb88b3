// The calls of FxDAO's contracts that an operation authorised, read and put in order. They are the best evidence of what was done:
// the contracts emit no events, and several calls in one operation leave only their sum in the entries.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/contract.rs, contracts/locking-pool/src/contract.rs.

import type { OperationRecords } from '@orrery/fold-kit'
import { type Address, type CallRecord, type ContractId, readScVals, type ScVal } from '@orrery/ledger'

/** The arguments of a call. Amounts raw. */
export type Call =
  /** `collateral`: the fee on it included. */
  | {
      readonly name: 'new_vault'
      readonly owner: Address
      readonly denomination: string
      readonly debt: bigint
      readonly collateral: bigint
    }
  /** `amount` of `increase_collateral`: the fee on it included. */
  | {
      readonly name: 'increase_collateral' | 'withdraw_collateral' | 'increase_debt' | 'pay_debt'
      readonly owner: Address
      readonly denomination: string
      readonly amount: bigint
    }
  | { readonly name: 'transfer_debt'; readonly owner: Address; readonly denomination: string; readonly to: Address }
  /** `amount` null: the form of before 0.4.0, which redeems a whole vault. */
  | { readonly name: 'redeem'; readonly caller: Address; readonly denomination: string; readonly amount: bigint | null }
  | { readonly name: 'liquidate'; readonly caller: Address; readonly denomination: string; readonly vaults: number }
  | { readonly name: 'lock'; readonly asset: ContractId; readonly owner: Address; readonly amount: bigint }
  | { readonly name: 'unlock'; readonly asset: ContractId; readonly owner: Address }
  | { readonly name: 'distribute'; readonly caller: Address; readonly asset: ContractId; readonly amount: bigint }
  | { readonly name: 'admin' }
  | { readonly name: 'read' }
  | { readonly name: 'unknown' }

/** A call with its place in the operation. */
export interface SeenCall {
  readonly call: Call
  readonly contract: ContractId
  readonly function: string
  /** Pre-order place in the operation: calls of one tree happen in this order. */
  readonly index: number
  /** Calls under one authorisation are in one tree; between trees only the tokens show the order. */
  readonly tree: number
  /** Who authorised it; null: the source of the transaction. */
  readonly authorizer: Address | null
}

const ADMINISTRATION: ReadonlySet<string> = new Set([
  ...['init', 'set_address', 'set_fee', 'upgrade', 'set_panic', 'set_lowest_key', 'set_next_key'],
  ...['create_currency', 'toggle_currency', 'set_vault_conditions'],
  ...['set_admin', 'set_manager', 'set_pool', 'toggle_pool', 'remove_pool', 'clone_pool', 'migrate_deposits'],
])
/** Functions that only read. */
const READS: ReadonlySet<string> = new Set([
  ...['get_core_state', 'get_currency', 'get_vaults_info', 'get_vault', 'get_vault_from_key', 'get_vaults', 'calculate_deposit_ratio'],
  ...['get_admin', 'get_manager', 'get_pool', 'get_deposit', 'get_rewards_asset'],
])

/** Calls of the given contracts. The operation's own call is also the root of its authorisation: it is returned once. */
export function callsOf({ calls }: OperationRecords, vaults: ContractId, lockingPools: ReadonlySet<ContractId>): SeenCall[] {
  const own = calls.find(({ record }) => record.index === 0)?.record
  const trees = new Map<number, number>()
  const seen: SeenCall[] = []
  let ownAuthorized = false
  for (const { record } of calls) {
    const tree = trees.get(record.parent) ?? record.index
    trees.set(record.index, tree)
    if (record.contract !== vaults && !lockingPools.has(record.contract)) continue
    const isOwnAgain = record !== own && own !== undefined && record.parent === -1 && isSame(record, own)
    if (isOwnAgain && ownAuthorized) continue
    ownAuthorized ||= isOwnAgain
    const call = record.contract === vaults ? readVaultsCall(record) : readLockingCall(record)
    const it = { call, contract: record.contract, function: record.function, index: record.index, tree, authorizer: record.authorizer }
    // The authorised one names its authoriser: it replaces the operation's own.
    if (isOwnAgain) seen[seen.findIndex((other) => other.index === 0)] = it
    else seen.push(it)
  }
  return seen
}

function isSame(a: CallRecord, b: CallRecord): boolean {
  return a.contract === b.contract && a.function === b.function && Buffer.compare(a.args, b.args) === 0
}

function readVaultsCall(record: CallRecord): Call {
  const name = record.function
  if (ADMINISTRATION.has(name)) return { name: 'admin' }
  if (READS.has(name)) return { name: 'read' }
  const args = readScVals(record.args)
  switch (name) {
    case 'new_vault': {
      const [owner, debt, collateral, denomination] = [addressOf(args[1]), amountOf(args[2]), amountOf(args[3]), symbolOf(args[4])]
      if (owner === null || debt === null || collateral === null || denomination === null) return UNKNOWN
      return { name, owner, debt, collateral, denomination }
    }
    case 'increase_collateral':
    case 'withdraw_collateral':
    case 'increase_debt':
    case 'pay_debt': {
      const [vault, amount] = [vaultOf(args[1]), amountOf(args[3])]
      return vault === null || amount === null ? UNKNOWN : { name, ...vault, amount }
    }
    case 'transfer_debt': {
      const [vault, to] = [vaultOf(args[1]), addressOf(args[2])]
      return vault === null || to === null ? UNKNOWN : { name, ...vault, to }
    }
    case 'redeem': {
      const [caller, denomination] = [addressOf(args[0]), symbolOf(args[1])]
      return caller === null || denomination === null ? UNKNOWN : { name, caller, denomination, amount: amountOf(args[3]) }
    }
    case 'liquidate': {
      const [caller, denomination, count] = [addressOf(args[0]), symbolOf(args[1]), args[2]]
      if (caller === null || denomination === null || count?.type !== 'u32') return UNKNOWN
      return { name, caller, denomination, vaults: count.value }
    }
    default:
      return UNKNOWN
  }
}

function readLockingCall(record: CallRecord): Call {
  if (ADMINISTRATION.has(record.function)) return { name: 'admin' }
  if (READS.has(record.function)) return { name: 'read' }
  const args = readScVals(record.args)
  switch (record.function) {
    case 'deposit': {
      const [asset, owner, amount] = [addressOf(args[0]), addressOf(args[1]), amountOf(args[2])]
      return asset === null || owner === null || amount === null ? UNKNOWN : { name: 'lock', asset, owner, amount }
    }
    case 'withdraw': {
      const [asset, owner] = [addressOf(args[0]), addressOf(args[1])]
      return asset === null || owner === null ? UNKNOWN : { name: 'unlock', asset, owner }
    }
    case 'distribute': {
      const [caller, asset, amount] = [addressOf(args[0]), addressOf(args[1]), amountOf(args[2])]
      return caller === null || asset === null || amount === null ? UNKNOWN : { name: 'distribute', caller, asset, amount }
    }
    default:
      return UNKNOWN
  }
}

const UNKNOWN: Call = { name: 'unknown' }

function addressOf(value: ScVal | undefined): Address | null {
  return value?.type === 'address' ? value.value : null
}

function amountOf(value: ScVal | undefined): bigint | null {
  return value?.type === 'u128' || value?.type === 'i128' ? value.value : null
}

function symbolOf(value: ScVal | undefined): string | null {
  return value?.type === 'symbol' ? value.value : null
}

/** A VaultKey: Map{account, denomination, index}. */
function vaultOf(value: ScVal | undefined): { owner: Address; denomination: string } | null {
  if (value?.type !== 'map') return null
  const member = (name: string): ScVal | undefined => value.value?.find(({ key }) => key.type === 'symbol' && key.value === name)?.val
  const [owner, denomination] = [addressOf(member('account')), symbolOf(member('denomination'))]
  return owner === null || denomination === null ? null : { owner, denomination }
}
