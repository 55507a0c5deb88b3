// Reads entries as they are now, from whoever has the network's present state.

import type { EntryName } from '@orrery/protocol-kit'
import { contractDataKey, contractDataValue, type Rpc } from '@orrery/stellar-rpc'

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
  return {
    async read(names, signal) {
      const keys = names.map(({ contract, key, durability }) => contractDataKey(contract, key, durability))
      const nameOf = new Map(keys.map((key, n) => [textOf(key), names[n]]))
      const { entries } = await rpc.getLedgerEntries(keys, { signal })
      return entries.flatMap((entry) => {
        const name = nameOf.get(textOf(entry.key))
        if (name === undefined) return []
        const { asOfLedger, lastModifiedLedger, liveUntilLedger } = entry
        return [{ ...name, value: contractDataValue(entry), asOfLedger, lastModifiedLedger, liveUntilLedger: liveUntilLedger ?? 0 }]
      })
    },
  }
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64')
}
