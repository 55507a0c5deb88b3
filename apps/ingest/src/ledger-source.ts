// Where ledgers come from: a recorded or remote SEP-54 lake, a node's RPC, or first the one and then the other.
// A source gives bytes in order and knows nothing of what is inside; the loop checks sequence and hash chain.

import type { EntryReader } from './entry-reader.ts'

export interface SourceLedger {
  readonly sequence: number
  /** XDR of one `LedgerCloseMeta`. */
  readonly bytes: Uint8Array
}

/** Both ends included. */
export interface LedgerSpan {
  readonly first: number
  readonly last: number
}

export interface SourceRange {
  /** Oldest ledger that it can give. */
  readonly first: number
  /** Newest ledger that it can give now, or null when it cannot say. */
  readonly last: number | null
  /** Of `last`, in Unix seconds; null when it cannot say. */
  readonly lastCloseTimeSeconds?: number | null
  /** Ledgers between the two that it cannot give, as far as it knows without reading. */
  readonly hole?: LedgerSpan | null
  /** What it answered when it was asked for a ledger before `first`; absent when it was not asked. For the end of a sentence. */
  readonly refusal?: string
}

/**
 * Errors: `unavailable`/`source_unreachable` or `rpc_unreachable` when it cannot be reached (drivers retry first), `corrupt`/`lake_file_broken`
 * when what it holds cannot be read, `corrupt`/`ledgers_missing` when a ledger inside of its range is missing, with the range,
 * `invalid`/`ledgers_out_of_range` when what is to be read next is no longer there.
 */
export interface LedgerSource {
  /** For people: what and where it is. */
  readonly describe: string
  /** It has a last ledger and nothing will follow it: reading ends there. Otherwise reading waits for news. */
  readonly ends: boolean
  /** Who also has the network's present state: asked for what is older than the index. A lake has none. */
  readonly entries?: EntryReader | undefined
  /** Passphrase of the network that it says it is of, or null when it does not say. */
  passphrase(): Promise<string | null>
  /**
   * @param needed A ledger from which it will be read. A node may have more than it says: then it is asked for that ledger, and the range
   *   begins there when it gives it.
   */
  range(needed?: number): Promise<SourceRange>
  /** Every ledger from `from` on, in order and without holes. Ends quietly when `signal` aborts, and after the last ledger of a source that ends. */
  read(from: number, signal: AbortSignal): AsyncIterable<SourceLedger>
}

/** A failure that a source has answered with another attempt. */
export interface SourceTrouble {
  /** What was asked for: a method of an RPC, or a file of a lake. */
  readonly what: string
  readonly host: string
  readonly problem: string
  /** Consecutive ones of this host. */
  readonly failures: number
}
