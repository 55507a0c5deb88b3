// A request for state: which entries, and as of which ledger.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'

/** Entries of some contracts: all of them, those from a key on, or exactly some. */
export interface StateSelection {
  readonly contracts: readonly ContractId[]
  /** Keys at or after this text: `'a'` selects all keys that belong to no account. */
  readonly keyFrom?: string
  /** Exactly these keys, of each contract. */
  readonly keys?: readonly string[]
  /** Many requests as of the same ledger select these keys: their rows are cached. The answer is the same. */
  readonly cacheable?: boolean
}

/**
 * All rows of contracts that belong to no account: keys of an account's rows begin with `@`, all others with a lower-case letter, which sorts after it.
 * The rows are the same for every account, so they are cacheable.
 */
export const NON_ACCOUNT_KEYS = { keyFrom: 'a', cacheable: true } as const

export interface StateRequest extends StateSelection {
  readonly protocol: ProtocolId
  /** State at the end of this ledger. At most the watermark: later rows may be incomplete. */
  readonly ledger: number
  /** Other entries that the same statements read. Rows that are selected twice are returned once. */
  readonly also?: readonly StateSelection[]
  /**
   * Skips the look-up of the newest row. For `keys` that change often, as of an old ledger: their newest row is later anyway.
   * It only saves a read: the answer is the same.
   */
  readonly skipLatest?: boolean
}

export interface OwnerStateRequest {
  readonly owners: readonly Address[]
  /** Default: all protocols. */
  readonly protocol?: ProtocolId
  readonly ledger: number
}
