// An event of a tracked contract, read, with its place in the operation.

import type { ContractId } from '@orrery/ledger'

export interface EventPlace {
  /** Place among the events of the operation. */
  readonly index: number
  readonly contract: ContractId
  /** Its contract belongs to this partition. */
  readonly owned: boolean
}

/** The event with its place as one object: in a union of events the name discriminates. */
export type Seen<E> = E & EventPlace
