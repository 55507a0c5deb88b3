// What an action is: legs of one thing that somebody did, told by one event; and what is shared while an operation's are derived.

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityType } from '@orrery/protocol-kit'
import type { Claims } from './claims.ts'
import type { Directory } from './directory.ts'
import type { Amounts } from './math.ts'
import type { Operation, Seen } from './operation.ts'

/** One row of an action. Amounts raw. */
export interface Leg {
  /** Of a pair (or factory) of this partition: only such legs are written here. */
  readonly owned: boolean
  readonly contract: ContractId
  readonly address: Address
  readonly counterparty: Address | ''
  readonly asset: ContractId | ''
  readonly amount: bigint
  readonly shares: bigint
  /** `in`: the account gives. */
  readonly direction: 'in' | 'out' | ''
  /** Its value counts as volume. */
  readonly volume: boolean
  /** The one row of the action that counts for its address. */
  readonly counts: boolean
}

/** What somebody did: all legs share the event that tells it. */
export interface Action {
  readonly type: ActivityType
  readonly eventIndex: number
  readonly legs: readonly Leg[]
  readonly confidence: 1 | 0.9 | 0.5
  readonly metadata: Readonly<Record<string, unknown>>
}

/** How an event moved a holder's shares, for cost accounting. Owned pairs only. */
export interface Movement {
  readonly pair: ContractId
  readonly holder: Address
  readonly kind: 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'burn' | 'fee_mint'
  readonly shares: bigint
  /** Tokens paid in or out, in the pair's order. Null where the shares moved alone. */
  readonly amounts: Amounts | null
}

/** An owned event without an action. `expected` ones are on the list of what is ignored; the others become notices. */
export interface Unused {
  readonly contract: ContractId
  readonly reason: string
  readonly expected: boolean
}

export interface Derived {
  readonly actions: readonly Action[]
  readonly movements: readonly Movement[]
  readonly unused: readonly Unused[]
}

/** Why events of ours make no action, by topic. */
export const IGNORED = {
  sync: 'the reserves are in the entries; it comes with every swap, deposit and withdraw',
  approve: 'an allowance moves nothing',
  init: 'set-up of a contract',
  new_pair: 'registers a pair; the first deposit is the action',
  skim_of_nothing: 'nothing was above the reserves',
  locked_minimum: 'the 1000 shares of the first deposit that belong to nobody',
} as const

/** What the derivation of one operation knows, and what it collects beside actions. */
export interface Derivation {
  readonly operation: Operation
  readonly directory: Directory
  readonly claims: Claims
  readonly movements: Movement[]
  readonly unused: Unused[]
}

/** Notes an owned event that makes no action, for a reason on the list. */
export function ignore(seen: Seen<unknown>, reason: keyof typeof IGNORED, { unused }: Derivation): null {
  if (seen.owned) unused.push({ contract: seen.contract, reason, expected: true })
  return null
}

/** Notes an owned event that nobody expected. */
export function wonder(seen: Seen<unknown>, reason: string, { unused }: Derivation): null {
  if (seen.owned) unused.push({ contract: seen.contract, reason, expected: false })
  return null
}

/** A leg for each token that moved, in the pair's order. */
export function tokenLegs(
  seen: Seen<unknown>,
  amounts: Amounts,
  direction: 'in' | 'out',
  { directory }: Derivation,
  of: Pick<Leg, 'address' | 'counterparty' | 'volume'>,
): Leg[] {
  const tokens = directory.tokensOf(seen.contract)
  return amounts.flatMap((amount, n) =>
    amount > 0n
      ? [{ ...of, owned: seen.owned, contract: seen.contract, asset: tokens?.[n] ?? '', amount, shares: 0n, direction, counts: false }]
      : [],
  )
}
