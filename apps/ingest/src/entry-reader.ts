// Reads entries as they are now, from whoever has the network's present state.

import type { EntryName } from '@orrery/protocol-kit'
import { type Rpc, readContractData } from '@orrery/stellar-rpc'

export interface ReadEntry extends EntryName {
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
  /** The value is the one at the end of this ledger. */
  readonly asOfLedger: number
  /** The ledger that wrote it; 0 where that is not known. */
  readonly lastModifiedLedger: number
  /** Last live ledger as of then; 0 where it is archived. */
  readonly liveUntilLedger: number
}

/** Errors: `unavailable` when nobody answers. An aborted `signal` throws its reason. */
export interface EntryReader {
  /** In the order of the names. What does not exist is left out. */
  read(names: readonly EntryName[], signal: AbortSignal): Promise<readonly ReadEntry[]>
}

export function rpcEntryReader(rpc: Rpc): EntryReader {
  return { read: (names, signal) => readContractData(rpc, names, { signal }) }
}
