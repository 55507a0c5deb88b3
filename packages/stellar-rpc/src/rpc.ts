// The methods of Stellar RPC that Orrery uses. XDR stays as bytes; callers decode it.

import type { Retry } from './retry.ts'

/** Facts of a node. */
export interface RpcHealth {
  /** Newest ledger of the node. */
  readonly latestLedger: number
  /** Oldest ledger that the node names: older ones have left its retention window. */
  readonly oldestLedger: number
  /** Close time of `latestLedger`, in Unix seconds. Null where an older node does not send it. */
  readonly latestCloseTimeSeconds: number | null
}

export interface RpcLedger {
  readonly sequence: number
  /** 64 hex characters. */
  readonly hash: string
  /** Unix seconds. */
  readonly closeTimeSeconds: number
  /** XDR of a `LedgerCloseMeta`. */
  readonly bytes: Uint8Array
}

export interface RpcLedgers extends RpcHealth {
  /** `from`, `from + 1`, …: up to the limit, the tip or the first one that the node left out. Never empty. */
  readonly ledgers: readonly RpcLedger[]
}

export interface RpcLedgerEntry {
  /** XDR of the requested `LedgerKey`. */
  readonly key: Uint8Array
  /** XDR of the `LedgerEntryData`; `contractDataValue` reads a contract's value from it. */
  readonly data: Uint8Array
  /** Ledger that wrote this value. */
  readonly lastModifiedLedger: number
  /** Last ledger at which the entry is live. 0: it is archived. Null: entries of its kind do not expire. */
  readonly liveUntilLedger: number | null
  /** The value is the one at the end of this ledger. */
  readonly asOfLedger: number
}

export interface RpcLedgerEntries {
  /** In the order of the keys. Entries that never existed, were deleted, or were temporary and have expired are left out. */
  readonly entries: readonly RpcLedgerEntry[]
  /** Smallest `asOfLedger` of the answers: for no more than 200 keys there is only one. */
  readonly latestLedger: number
}

/** The ledgers of all endpoints together. */
export interface RpcSurvey extends RpcHealth {
  readonly passphrase: string
  /** Every endpoint has answered: none of them names a ledger before `oldestLedger`. */
  readonly isComplete: boolean
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** How long transient failures are retried. The client's own time when not given. */
  readonly retryForMs?: number | undefined
}

export interface SurveyOptions extends CallOptions {
  /** An endpoint that takes longer is skipped if another one answers, so that one that hangs does not delay the others' ledgers. */
  readonly skipAfterMs?: number
}

/**
 * Errors of every method: `unavailable`/`rpc_unreachable` when no endpoint gave an answer within the time for retries,
 * `invalid`/`rpc_refused` when all of them refused the request (a key that is missing, ledgers they do not have),
 * `corrupt`/`ledgers_missing` when all of them have a gap there, `invalid`/`wrong_network` when an endpoint is of another network. An aborted `signal` throws its reason.
 */
export interface Rpc {
  /** The host names, for messages. Paths and queries often hold keys and are never shown. */
  readonly describe: string
  getHealth(options?: CallOptions): Promise<RpcHealth>
  getNetwork(options?: CallOptions): Promise<{ readonly passphrase: string; readonly protocolVersion: number }>
  /** The answer of newer nodes contains the full ledger: use `getHealth` for the tip. */
  getLatestLedger(options?: CallOptions): Promise<{ readonly sequence: number; readonly hash: string; readonly protocolVersion: number }>
  getVersionInfo(options?: CallOptions): Promise<{ readonly version: string; readonly protocolVersion: number }>
  /** At most `limit` (1 to 200) ledgers. A ledger of today's mainnet has more than a megabyte: request few. */
  getLedgers(from: number, limit: number, options?: CallOptions): Promise<RpcLedgers>
  /** Values of ledger keys (XDR), as they are now. Repeated keys are requested once; more than 200 in groups, which may be of different ledgers. */
  getLedgerEntries(keys: readonly Uint8Array[], options?: CallOptions): Promise<RpcLedgerEntries>
  /**
   * Reads the network and the ledgers of every endpoint, except those that requested a pause.
   * An endpoint that does not answer is checked before its first use.
   */
  survey(options?: SurveyOptions): Promise<RpcSurvey>
}

/** Time and randomness, which tests replace. */
export interface RpcTime {
  /** Unix milliseconds. */
  nowMs(): number
  /** Rejects with the signal's reason when that aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** From 0 up to but not including 1. */
  random(): number
}

export interface RpcOptions {
  /** In the order of preference. http or https; a user and password in it become basic authentication. */
  readonly urls: readonly string[]
  /** Passphrase of the network of every endpoint. Not given: that of the first one. */
  readonly passphrase?: string
  /** Timeout of one attempt. A node ends its requests after 25 s. */
  readonly timeoutMs?: number
  readonly retryForMs?: number
  readonly onRetry?: (retry: Retry) => void
  readonly time?: RpcTime
}
