// An action: the legs of one thing that an account did, derived from one event (or, where no event reports it, from a call).

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityType, ShareType } from '@orrery/protocol-kit'

/** One row of an action. Amounts raw. */
export interface Leg {
  /** Of a contract of this partition: only such legs are written here. */
  readonly owned: boolean
  readonly contract: ContractId
  readonly address: Address
  readonly counterparty: Address | ''
  readonly asset: ContractId | ''
  readonly amount: bigint
  /** Raw, 0n where no share moves: then the row has no `shareType`. */
  readonly shares: bigint
  readonly shareType: ShareType
  readonly shareDecimals: number
  /** `in`: the account itself gives tokens, or shares of its position. `out`: it gets them. Empty where neither happens. */
  readonly direction: 'in' | 'out' | ''
  /** Of a leg between two pools of a path, which never reaches the account: the number of its hop, from 1. Replaces the direction. */
  readonly pathStep?: number
  /** Change of what the account owes, raw, of a leg that moves no tokens. */
  readonly debtChange?: bigint
  /** Its value counts as volume. */
  readonly volume: boolean
  /** The one row of the action that counts for its address. */
  readonly counts: boolean
  /** Where one call did several kinds of things (opening a vault deposits and borrows): the type of this leg. */
  readonly type?: ActivityType
  /** Of this leg only; replaces members of the same name of the action's. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What an account did: all legs share the event that reports it. */
export interface Action {
  readonly type: ActivityType
  readonly eventIndex: number
  readonly legs: readonly Leg[]
  readonly confidence: 1 | 0.9 | 0.5
  readonly metadata: Readonly<Record<string, unknown>>
}

/** An owned event without an action. `expected` ones are on the list of what is ignored; the others become notices. */
export interface Unused {
  readonly contract: ContractId
  readonly reason: string
  readonly expected: boolean
}
