// Reads the present values of entries from an RPC.

import type { EntryName } from '@orrery/protocol-kit'
import { type Rpc, readContractData } from '@orrery/stellar-rpc'

export interface ReadEntry extends EntryName {
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
  /** The value is the one at the end of this ledger. */
  readonly asOfLedger: number
  /** The ledger that wrote it last; 0 where that is unknown. */
  readonly lastModifiedLedger: number
  /** Last live ledger as of then; 0 where it is archived. */
  readonly liveUntilLedger: number
}

/** Errors: `unavailable` when no endpoint answers. An aborted `signal` throws its reason. */
export interface EntryReader {
  /** In the order of the names. Entries that do not exist are left out. */
  read(names: readonly EntryName[], signal: AbortSignal): Promise<readonly ReadEntry[]>
}

export function rpcEntryReader(rpc: Rpc): EntryReader {
  return { read: (names, signal) => readContractData(rpc, names, { signal }) }
}
