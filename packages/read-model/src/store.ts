// The store of an adapter worker: checkpoints, state for a restart, and the tables for its rows.
// Errors: `unavailable`/`read_model_unreachable` (the driver has already retried), `bug` for a row that its table refuses.

import type { Partition, ProtocolId, Rows, StateRow } from '@orrery/protocol-kit'
import type { IndexVersion } from './index-versions/index-version.ts'
import type { NewIndexVersion } from './index-versions/index-versions.ts'

export interface Checkpoint {
  /** Everything up to this ledger is in the tables. */
  readonly ledger: number
  /** Close time of that ledger, unix seconds. */
  readonly closeTimeSeconds: number
  /** Where to read the log next. */
  readonly offset: bigint
  /** Rolling hash of the last slice folded: 16 hex characters. */
  readonly rollingHash: string
}

/** The health report of a worker, one row for each partition, newest wins. Read by `/v1/health`, `/v1/protocols` and ingest (gap repair). */
export interface HealthReport {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly indexVersion: number
  /** Unix milliseconds of the report: the order of reports. */
  readonly reportedAtMs: number
  /**
   * `held`: nothing is written for a while, because the rows are being repaired. `quarantined`: it cannot be folded beyond its checkpoint, or has
   * not caught up since; readers leave it out of the watermark, and its pools out of answers as of later ledgers.
   */
  readonly state: 'running' | 'failing' | 'held' | 'quarantined'
  readonly checkpointLedger: number
  readonly checkpointCloseTimeSeconds: number
  /** Newest ledger that the worker knows of: its log has it, or its source. And its close time. */
  readonly seenLedger: number
  readonly seenCloseTimeSeconds: number
  /** True when the source has ended: the worker then is not behind. */
  readonly sourceEnded: boolean
  /** When ingest last heard from the source, in Unix milliseconds; 0 when unknown. */
  readonly sourceHeardAtMs: number
  /** Unix milliseconds at which the checkpoint last moved. */
  readonly progressedAtMs: number
  /** A gap (after, before] in the log, or null. */
  readonly gap: { readonly after: number; readonly before: number } | null
  /** Message of the last error, '' when there is none. */
  readonly error: string
  readonly errorsLastHour: number
  /** Contracts that this partition owns. */
  readonly contractsTracked: number
}

/** Header facts of one ledger, from ingest on the control topic. */
export interface LedgerRow {
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly hash: string
}

/** A fact of the control topic about the network, from a ledger on. */
export interface ControlFact {
  /** `registry`: the whole registry, as JSON in the shape of a registry file. `protocol`: the network's protocol version, as a number. */
  readonly kind: 'registry' | 'protocol'
  /** First ledger for which it applies. */
  readonly ledger: number
  readonly value: string
}

/** The rows of one ledger of one partition as they are sent to the tables: a fraction of the memory that the rows themselves take. */
export interface EncodedRows {
  /** How many rows a table gets. */
  count(table: keyof Rows): number
}

/** @throws OrreryError `bug`/`row_refused` for a value that its column cannot hold. */
export type RowEncoder = (rows: Rows) => EncodedRows

export interface Store {
  /** The checkpoint with the largest ledger, or null. */
  checkpoint(at: Partition, indexVersion: number): Promise<Checkpoint | null>
  /** Newest row at or before `asOf` of every (contract, key) of this partition's scope and the shared scope. */
  loadState(at: Partition, indexVersion: number, asOf: number): AsyncIterable<StateRow>
  /** One for each loop that folds: what it has encoded and not yet stored shares memory. */
  encoder(indexVersion: number): RowEncoder
  /**
   * Writes the rows of consecutive ledgers of one partition, to all tables at once. Resolves when all are stored. Writing again changes nothing.
   * @param ledgers from an encoder of this store.
   */
  writeEncoded(ledgers: readonly EncodedRows[]): Promise<void>
  /** Encodes and writes. */
  write(rows: readonly Rows[], indexVersion: number): Promise<void>
  /** Written after the rows. Never moves back: the checkpoint with the largest ledger applies. */
  moveCheckpoint(at: Partition, indexVersion: number, to: Checkpoint): Promise<void>
  /** Checkpoint of the follower of the control topic, and the ledgers of the topic. */
  ledgersCheckpoint(): Promise<{ readonly ledger: number; readonly offset: bigint } | null>
  writeLedgers(rows: readonly LedgerRow[], offset: bigint): Promise<void>
  /** Written before the ledgers for which they apply. Writing again changes nothing. */
  writeControlFacts(facts: readonly ControlFact[]): Promise<void>
  reportHealth(reports: readonly HealthReport[]): Promise<void>
  /** Whether the last report of the partition says so. */
  isQuarantined(at: Partition, indexVersion: number): Promise<boolean>
  /** Every index version of the protocol, by number. */
  indexVersions(protocol: ProtocolId): Promise<readonly IndexVersion[]>
  /** The same for several protocols, in one statement. */
  indexVersionsOf(protocols: readonly ProtocolId[]): Promise<ReadonlyMap<ProtocolId, readonly IndexVersion[]>>
  /** The version that adapters of this code go on with, or a new one under the next free number. */
  findOrCreateIndexVersion(wanted: NewIndexVersion): Promise<IndexVersion>
  /** Makes it the one that views and queries of `protocol` read, when none is active yet. Returns the one that is. */
  activateIfNone(protocol: ProtocolId, indexVersion: number, partitions: number): Promise<number>
  /** Makes readers see it where no partition of it is behind the active one. Returns whether they do. */
  activateIfComplete(version: IndexVersion): Promise<boolean>
}
