// Where ledgers come from: a recorded or remote SEP-54 lake, a node's RPC, or first the one and then the other.
// A source returns bytes in order without decoding them; the loop checks sequence and hash chain.

import type { EntryReader } from './entry-reader.ts'

export interface SourceLedger {
  readonly sequence: number
  /** XDR of one `LedgerCloseMeta`. */
  readonly bytes: Uint8Array
  /** The file of a lake that it is from, without credentials. */
  readonly file?: string
  /**
   * Says that `bytes`, and views into them, are no longer used: then their memory is free at once. Without it they are collected some time
   * later, and with hundreds of megabytes a second that takes much of the processor.
   */
  readonly release?: () => void
}

/** Both ends included. */
export interface LedgerSpan {
  readonly first: number
  readonly last: number
}

export interface SourceRange {
  /** Oldest ledger that the source has. */
  readonly first: number
  /** Newest ledger that the source has now, or null when that is unknown. */
  readonly last: number | null
  /** Close time of `last` in Unix seconds; null when that is unknown. */
  readonly lastCloseTimeSeconds?: number | null
  /** Ledgers between `first` and `last` that the source lacks, as far as that is known without reading. */
  readonly gap?: LedgerSpan | null
  /** The answer to a request for a ledger before `first`; absent when there was none. For the end of a sentence. */
  readonly refusal?: string
}

/**
 * Errors: `unavailable`/`source_unreachable` or `rpc_unreachable` when it cannot be reached (drivers retry first), `corrupt`/`lake_file_broken`
 * when its content cannot be read, `corrupt`/`ledgers_missing` when a ledger inside of its range is missing, with the range,
 * `invalid`/`ledgers_out_of_range` when it no longer has the next ledger.
 */
export interface LedgerSource {
  /** What and where the source is, for messages. */
  readonly describe: string
  /** The source has a last ledger, and reading ends there. Otherwise reading waits for new ledgers. */
  readonly ends: boolean
  /** Reads present entries of the network, for bootstrap entries. A lake has none. */
  readonly entries?: EntryReader | undefined
  /** Passphrase of the network that the source names, or null when it names none. */
  passphrase(): Promise<string | null>
  /**
   * @param needed The ledger from which the source will be read. A node may have older ledgers than it names: then this ledger is requested, and
   *   the range begins there when the node returns it.
   */
  range(needed?: number): Promise<SourceRange>
  /** Every ledger from `from` on, in order and without gaps. Ends without an error when `signal` aborts, and after the last ledger of a source that ends. */
  read(from: number, signal: AbortSignal): AsyncIterable<SourceLedger>
}

/** A failed request that the source retries. */
export interface SourceTrouble {
  /** What was requested: a method of an RPC, or a file of a lake. */
  readonly what: string
  readonly host: string
  readonly problem: string
  /** Consecutive failures of this host. */
  readonly failures: number
}
