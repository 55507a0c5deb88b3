// What Stellar RPC can be asked for, as this house uses it. XDR stays as bytes: reading it is for whoever needs what is inside.

import type { Retry } from './retry.ts'

/** Facts of a node. */
export interface RpcHealth {
  /** Newest ledger that it has. */
  readonly latestLedger: number
  /** Oldest ledger that it still has: what is older has left its retention window. */
  readonly oldestLedger: number
  /** Of `latestLedger`, in Unix seconds. Null where an older node does not say. */
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
  /** `from`, `from + 1`, …: up to the limit, the tip or the first one that the node did not give. Never empty. */
  readonly ledgers: readonly RpcLedger[]
}

export interface RpcLedgerEntry {
  /** XDR of the `LedgerKey`, as it was asked for. */
  readonly key: Uint8Array
  /** XDR of the `LedgerEntryData`; `contractDataValue` takes a contract's value out of it. */
  readonly data: Uint8Array
  /** Ledger that wrote this value. */
  readonly lastModifiedLedger: number
  /** Last ledger at which the entry is live. 0: it is archived. Null: it is of a kind that does not expire. */
  readonly liveUntilLedger: number | null
  /** The value is the one at the end of this ledger. */
  readonly asOfLedger: number
}

export interface RpcLedgerEntries {
  /** In the order of the keys. What never was, was deleted, or was temporary and has expired is left out. */
  readonly entries: readonly RpcLedgerEntry[]
  /** Smallest `asOfLedger` of the answers: for no more than 200 keys there is only one. */
  readonly latestLedger: number
}

/** What all the endpoints together have. */
export interface RpcSurvey extends RpcHealth {
  readonly passphrase: string
  /** Every endpoint has answered: what is older than `oldestLedger` none of them has. */
  readonly isWhole: boolean
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** For how long transient failures are answered with another attempt. The client's own time when not given. */
  readonly retryForMs?: number | undefined
}

export interface SurveyOptions extends CallOptions {
  /** Who takes longer is passed over as long as another answers: one that hangs shall not hold up the news of the others. */
  readonly passOverAfterMs?: number
}

/**
 * Errors of every method: `unavailable`/`rpc_unreachable` when no endpoint gave an answer within the time for retries,
 * `invalid`/`rpc_refused` when all of them refused the request (a key that is missing, ledgers they do not have),
 * `corrupt`/`ledgers_missing` when all of them have a hole there, `invalid`/`wrong_network` when an endpoint is of another network. An aborted `signal` throws its reason.
 */
export interface Rpc {
  /** For people: the host names. Paths and queries often hold keys and are never shown. */
  readonly describe: string
  getHealth(options?: CallOptions): Promise<RpcHealth>
  getNetwork(options?: CallOptions): Promise<{ readonly passphrase: string; readonly protocolVersion: number }>
  /** The answer of newer nodes carries the whole ledger: ask `getHealth` for the tip. */
  getLatestLedger(options?: CallOptions): Promise<{ readonly sequence: number; readonly hash: string; readonly protocolVersion: number }>
  getVersionInfo(options?: CallOptions): Promise<{ readonly version: string; readonly protocolVersion: number }>
  /** At most `limit` (1 to 200) ledgers. One at today's tip is more than a megabyte: ask for few. */
  getLedgers(from: number, limit: number, options?: CallOptions): Promise<RpcLedgers>
  /** Values of ledger keys (XDR), as they are now. Repeated keys are asked once; more than 200 in groups, which may be of different ledgers. */
  getLedgerEntries(keys: readonly Uint8Array[], options?: CallOptions): Promise<RpcLedgerEntries>
  /**
   * Asks every endpoint which network it is of and which ledgers it has, but for those that asked to be left alone for a while.
   * Who does not answer is asked before it is first used.
   */
  survey(options?: SurveyOptions): Promise<RpcSurvey>
}

/** Time and chance, so that a test can hold them still. */
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
  /** What every endpoint must be of. Not given: what the first one says. */
  readonly passphrase?: string
  /** One attempt. A node ends its requests after 25 s by itself. */
  readonly timeoutMs?: number
  readonly retryForMs?: number
  readonly onRetry?: (retry: Retry) => void
  readonly time?: RpcTime
}
