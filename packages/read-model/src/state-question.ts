// What state is asked for: whose entries, and as of which ledger.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'

/** Entries of some contracts: all of them, those from a key on, or exactly some. */
export interface StateSelection {
  readonly contracts: readonly ContractId[]
  /** Keys at or after this text: `'a'` is all that is nobody's. */
  readonly keyFrom?: string
  /** Exactly these keys, of each contract. */
  readonly keys?: readonly string[]
  /** Many questions as of the same ledger select this: what is read is remembered for them. The answer is the same. */
  readonly common?: boolean
}

export interface StateQuestion extends StateSelection {
  readonly protocol: ProtocolId
  /** State at the end of this ledger. Not beyond the watermark: what is there may be incomplete. */
  readonly ledger: number
  /** Other entries that the same statements read. What is selected twice comes once. */
  readonly also?: readonly StateSelection[]
  /**
   * For `keys` that change all the time, asked of long ago: their newest row is younger anyway, so it is not looked at first.
   * Only a shorter way: the answer is the same.
   */
  readonly changing?: boolean
}

export interface OwnerStateQuestion {
  readonly owner: Address
  /** Default: all protocols. */
  readonly protocol?: ProtocolId
  readonly ledger: number
}
