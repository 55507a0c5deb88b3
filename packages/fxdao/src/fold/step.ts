// A step: what one call did to vaults. Activities and costs are derived from the steps of an operation.

import type { Address, ContractId } from '@orrery/ledger'

/** What a vault holds and owes, raw. */
export interface Amounts {
  readonly collateral: bigint
  readonly debt: bigint
}

/** A vault before and after a step. Null: it did not exist. */
export interface VaultChange {
  readonly owner: Address
  readonly before: Amounts | null
  readonly after: Amounts | null
}

export type StepKind =
  | 'open'
  | 'increase_collateral'
  | 'withdraw_collateral'
  | 'increase_debt'
  | 'repay'
  /** The whole debt repaid, the vault gone. */
  | 'close'
  | 'transfer'
  | 'redemption'
  | 'liquidation'
  /** The vault was removed and its debt was not paid. */
  | 'eviction'

export interface Step {
  readonly kind: StepKind
  /** The contract's own name of the call, or '' where no call is known. */
  readonly function: string
  readonly denomination: string
  /** The account that made it: owner, redeemer, liquidator, giver. '' when unknown. */
  readonly actor: Address | ''
  /** In the order of the list; of a transfer giver and receiver. */
  readonly changes: readonly VaultChange[]
  /** Coins that the actor burned or got, raw, never negative. */
  readonly coins: bigint
  /** Collateral that the actor paid in, the fee included, or got out of the contract, raw. */
  readonly collateral: bigint
  /** Collateral that the owner of a redeemed or evicted vault got back: compensation and remainder, raw. */
  readonly returned: bigint
  /** Collateral that went to the treasury, raw. */
  readonly fee: bigint
  /** Of the event or call that shows it: see `EventKey.eventIndex`. */
  readonly eventIndex: number
  readonly evidence: Evidence
}

/**
 * How the step is known.
 * - `call`: one call, and the entries changed accordingly
 * - `calls`: one of several calls in an operation, distinguished by their arguments and tokens
 * - `transfers`: no recorded call (a contract acted for itself): from tokens and entries
 * - `entries`: from entries only
 */
export type Evidence = 'call' | 'calls' | 'transfers' | 'entries'

/** The tokens and addresses that steps are inferred with. */
export interface FxdaoContracts {
  readonly vaults: ContractId
  readonly collateral: ContractId
  readonly treasury: Address
  /** Coin by denomination. */
  readonly coins: ReadonlyMap<string, ContractId>
}
