// The calls of FxDAO's contracts that an operation authorised, read and put in order. They are the best evidence of what was done:
// the contracts emit no events, and several calls in one operation leave only their sum in the entries.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/contract.rs, contracts/locking-pool/src/contract.rs.

import type { OperationRecords } from '@orrery/fold-kit'
import { type Address, type CallRecord, type ContractId, readScVals, type ScVal } from '@orrery/ledger'

/** The vault that a call of its owner names. */
interface OwnVault {
  readonly owner: Address
  readonly denomination: string
}

/** The arguments of a call. Amounts raw. */
export type Call =
  /** `collateral`: the fee on it included. */
  | ({ readonly name: 'new_vault'; readonly debt: bigint; readonly collateral: bigint } & OwnVault)
  /** `amount` of `increase_collateral`: the fee on it included. */
  | ({ readonly name: 'increase_collateral' | 'withdraw_collateral' | 'increase_debt' | 'pay_debt'; readonly amount: bigint } & OwnVault)
  | ({ readonly name: 'transfer_debt'; readonly to: Address } & OwnVault)
  /** `amount` null: the form of before 0.4.0, which redeems a whole vault. */
  | { readonly name: 'redeem'; readonly caller: Address; readonly denomination: string; readonly amount: bigint | null }
  | { readonly name: 'liquidate'; readonly caller: Address; readonly denomination: string; readonly vaults: number }
  | { readonly name: 'lock'; readonly asset: ContractId; readonly owner: Address; readonly amount: bigint }
  | { readonly name: 'unlock'; readonly asset: ContractId; readonly owner: Address }
  | { readonly name: 'distribute'; readonly caller: Address; readonly asset: ContractId; readonly amount: bigint }
  | { readonly name: 'admin' | 'read' | 'unknown' }

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
    const call = readCall(record, record.contract === vaults)
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

function readCall({ function: name, args: bytes }: CallRecord, isOfVaults: boolean): Call {
  if (ADMINISTRATION.has(name)) return { name: 'admin' }
  if (READS.has(name)) return { name: 'read' }
  const args = readScVals(bytes)
  return isOfVaults ? readVaultsCall(name, args) : readLockingCall(name, args)
}

function readVaultsCall(name: string, args: readonly ScVal[]): Call {
  switch (name) {
    case 'new_vault': {
      const [owner, debt, collateral, denomination] = [addressOf(args[1]), amountOf(args[2]), amountOf(args[3]), symbolOf(args[4])]
      return complete({ name, owner, debt, collateral, denomination })
    }
    case 'increase_collateral':
    case 'withdraw_collateral':
    case 'increase_debt':
    case 'pay_debt':
      return complete({ name, ...vaultOf(args[1]), amount: amountOf(args[3]) })
    case 'transfer_debt':
      return complete({ name, ...vaultOf(args[1]), to: addressOf(args[2]) })
    case 'redeem': {
      const [caller, denomination] = [addressOf(args[0]), symbolOf(args[1])]
      return caller === null || denomination === null ? UNKNOWN : { name, caller, denomination, amount: amountOf(args[3]) }
    }
    case 'liquidate':
      return complete({ name, caller: addressOf(args[0]), denomination: symbolOf(args[1]), vaults: countOf(args[2]) })
    default:
      return UNKNOWN
  }
}

function readLockingCall(name: string, args: readonly ScVal[]): Call {
  switch (name) {
    case 'deposit':
      return complete({ name: 'lock', asset: addressOf(args[0]), owner: addressOf(args[1]), amount: amountOf(args[2]) })
    case 'withdraw':
      return complete({ name: 'unlock', asset: addressOf(args[0]), owner: addressOf(args[1]) })
    case 'distribute':
      return complete({ name, caller: addressOf(args[0]), asset: addressOf(args[1]), amount: amountOf(args[2]) })
    default:
      return UNKNOWN
  }
}

const UNKNOWN: Call = { name: 'unknown' }

type Nullable<C> = { readonly [K in keyof C]: C[K] | null }

/** The call, or an unknown one where an argument is missing or of another type. */
function complete<C extends Call>(call: Nullable<C>): Call {
  return Object.values(call).includes(null) ? UNKNOWN : (call as C)
}

function addressOf(value: ScVal | undefined): Address | null {
  return value?.type === 'address' ? value.value : null
}

function amountOf(value: ScVal | undefined): bigint | null {
  return value?.type === 'u128' || value?.type === 'i128' ? value.value : null
}

function countOf(value: ScVal | undefined): number | null {
  return value?.type === 'u32' ? value.value : null
}

function symbolOf(value: ScVal | undefined): string | null {
  return value?.type === 'symbol' ? value.value : null
}

/** A VaultKey: Map{account, denomination, index}. */
function vaultOf(value: ScVal | undefined): Nullable<OwnVault> {
  const members = value?.type === 'map' ? value.value : null
  const member = (name: string): ScVal | undefined => members?.find(({ key }) => key.type === 'symbol' && key.value === name)?.val
  return { owner: addressOf(member('account')), denomination: symbolOf(member('denomination')) }
}
