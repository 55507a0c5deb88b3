// The contract between a protocol package and the loop that runs it.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId } from './protocol-id.ts'
import type { Rows, StateRow } from './rows.ts'
import type { Slice } from './slice.ts'

/** One protocol's way from slices to rows. Pure: the same slices give the same rows on any machine, on any day. */
export interface Adapter<State> {
  readonly protocol: ProtocolId
  /** Raised whenever the same slices would give other rows. Raising it is asking for a replay. */
  readonly version: number
  /**
   * State at the end of ledger `asOf`, rebuilt from stored rows: the newest row at or before `asOf` of every (contract, key).
   * Temporary rows with `liveUntil < asOf` and removed rows may be present and are treated as absent. No rows: the state before the first ledger.
   */
  load(rows: Iterable<StateRow>, asOf: number): State
  /** Applies one whole ledger to `state` in place and returns its rows. After a throw the state is worthless: drop it. */
  fold(state: State, slice: Slice): Rows
}

/** A piece of state named without a ledger. */
export interface StateRef {
  readonly contract: ContractId
  readonly key: string
}
