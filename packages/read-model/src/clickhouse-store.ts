// The writing side: rows of folds into tables, checkpoints after them, and state for a restart.
// Every write may be repeated: tables replace by key, so a batch that was sent twice, or partly and again, is stored once.
// No insert_deduplication_token: after kill -9 it can drop the retry of a batch that was never stored. The sort key is the guard.

import { assert } from '@orrery/errors'
import type { Partition, ProtocolId, Rows, StateRef, StateRow } from '@orrery/protocol-kit'
import { ROW_TABLES, SHARED_SCOPE } from '@orrery/protocol-kit'
import { type ClickHouseConnection, FEW_ROWS } from './connection.ts'
import type { IndexVersion } from './index-versions/index-version.ts'
import {
  activateIndexVersion,
  findOrCreateIndexVersion,
  type NewIndexVersion,
  readIndexVersions,
  readIndexVersionsOf,
} from './index-versions/index-versions.ts'
import { decodeStateRow, type StateCells, stateColumns, stateOfKeys } from './state-rows.ts'
import type { Checkpoint, ControlFact, EncodedRows, HealthReport, LedgerRow, RowEncoder, Store } from './store.ts'
import { activitiesTable, noticesTable, transactionsTable } from './tables/activities.ts'
import type { Table } from './tables/column.ts'
import { encodeRows, type InsertBody, joinBodies } from './tables/insert.ts'
import { InsertGroups } from './tables/insert-group.ts'
import { RowPacker, WaitingRows } from './tables/packed-rows.ts'
import { pricesTable } from './tables/prices.ts'
import { CONTROL, checkpointsTable, controlFactsTable, healthTable, ledgersTable } from './tables/progress.ts'
import { poolSnapshotsTable, positionSnapshotsTable, reserveSnapshotsTable } from './tables/snapshots.ts'
import { stateTable } from './tables/state.ts'
import { TextMemory } from './tables/text-memory.ts'

const TABLES: { readonly [Name in keyof Rows]: Table<Rows[Name][number]> } = {
  state: stateTable,
  prices: pricesTable,
  positionSnapshots: positionSnapshotsTable,
  reserveSnapshots: reserveSnapshotsTable,
  poolSnapshots: poolSnapshotsTable,
  activities: activitiesTable,
  transactions: transactionsTable,
  notices: noticesTable,
}

/** A store on `connection`, which must be of a user that may insert. Closing the store closes the connection. */
export function openStore(connection: ClickHouseConnection): Store & AsyncDisposable {
  return new ClickHouseStore(connection)
}

class ClickHouseStore implements Store, AsyncDisposable {
  readonly #connection: ClickHouseConnection
  readonly #inserts: InsertGroups
  /** Ledger of the control topic's checkpoint, once it was read or written here. */
  #control: Checkpoint | null | undefined

  constructor(connection: ClickHouseConnection) {
    this.#connection = connection
    this.#inserts = new InsertGroups(connection)
  }

  async checkpoint(at: Partition, indexVersion: number): Promise<Checkpoint | null> {
    return this.#checkpointOf(at.protocol, at.partition, indexVersion)
  }

  async *loadState(at: Partition, indexVersion: number, asOf: number): AsyncIterable<StateRow> {
    const newer: StateRef[] = []
    for await (const row of this.#latest(at, indexVersion, asOf)) {
      if (row.ledger <= asOf) yield row
      else newer.push({ contract: row.contract, key: row.key })
    }
    // Written after the checkpoint, by a run that ended before it moved it, or (shared state) by a partition that is ahead.
    for (const statement of stateOfKeys(at.protocol, indexVersion, asOf, newer)) {
      yield* await this.#select<StateCells, StateRow>('state_of_keys', statement, decodeStateRow)
    }
  }

  encoder(indexVersion: number): RowEncoder {
    const memory = new TextMemory()
    const packer = new RowPacker()
    return (rows) => {
      const bodies = new Map<keyof Rows, readonly InsertBody[]>()
      for (const name of ROW_TABLES) if (rows[name].length > 0) bodies.set(name, encodeTable(name, rows, indexVersion, memory))
      const ledger = new WaitingRows(bodies)
      packer.add(ledger)
      return ledger
    }
  }

  async write(rows: readonly Rows[], indexVersion: number): Promise<void> {
    await this.writeEncoded(rows.map(this.encoder(indexVersion)))
  }

  async writeEncoded(ledgers: readonly EncodedRows[]): Promise<void> {
    const waiting = ledgers.map(waitingRows)
    for (const ledger of waiting) ledger.isSent = true
    const packs = [...new Set(waiting.flatMap(({ pack }) => pack ?? []))].filter(({ isStored }) => !isStored)
    const sent = [...packs, ...waiting].map(({ bodies }) => bodies)
    // All at once: at the tip the time of an insert is mostly waiting. All have ended before an error is thrown, so that nothing is still being
    // written when the caller goes on.
    const results = await Promise.allSettled(
      ROW_TABLES.map((name) => this.#inserts.send(joinBodies(sent.flatMap((bodies) => bodies.get(name) ?? [])))),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    for (const pack of packs) pack.isStored = true
    for (const ledger of waiting) ledger.stored()
  }

  async moveCheckpoint(at: Partition, indexVersion: number, to: Checkpoint): Promise<void> {
    await this.#inserts.insertLast(checkpointsTable, [{ at, indexVersion, ...to }])
  }

  async ledgersCheckpoint(): Promise<{ readonly ledger: number; readonly offset: bigint } | null> {
    const found = await this.#controlCheckpoint()
    return found === null ? null : { ledger: found.ledger, offset: found.offset }
  }

  async writeLedgers(rows: readonly LedgerRow[], offset: bigint): Promise<void> {
    const before = await this.#controlCheckpoint()
    await this.#inserts.insert(ledgersTable, rows)
    const newest = rows.reduce<{ ledger: number; closeTimeSeconds: number } | null>(
      (most, row) => (most === null || row.ledger >= most.ledger ? row : most),
      before,
    )
    // Records before the first ledger: no checkpoint is possible yet, and reading them again is harmless.
    if (newest === null) return
    const to: Checkpoint = { ledger: newest.ledger, closeTimeSeconds: newest.closeTimeSeconds, offset, rollingHash: '' }
    await this.#inserts.insertLast(checkpointsTable, [{ at: { protocol: CONTROL, partition: 0 }, indexVersion: 0, ...to }])
    this.#control = to
  }

  async writeControlFacts(facts: readonly ControlFact[]): Promise<void> {
    await this.#inserts.insert(controlFactsTable, facts)
  }

  async reportHealth(reports: readonly HealthReport[]): Promise<void> {
    await this.#inserts.insert(healthTable, reports)
  }

  async isQuarantined({ protocol, partition }: Partition, version: number): Promise<boolean> {
    const query = `SELECT state = 'quarantined' FROM adapter_health_v1 FINAL
      WHERE protocol = {protocol:String} AND partition = {partition:UInt16} AND adapter_version = {version:UInt16}`
    const statement = { query, query_params: { protocol, partition, version } }
    const [found = 0] = await this.#select<[number], number>('partition_quarantined', statement, ([one]) => one)
    return found === 1
  }

  indexVersions(protocol: ProtocolId): Promise<readonly IndexVersion[]> {
    return readIndexVersions(this.#connection, protocol)
  }

  indexVersionsOf(protocols: readonly ProtocolId[]): Promise<ReadonlyMap<ProtocolId, readonly IndexVersion[]>> {
    return readIndexVersionsOf(this.#connection, protocols)
  }

  findOrCreateIndexVersion(wanted: NewIndexVersion): Promise<IndexVersion> {
    return findOrCreateIndexVersion(this.#connection, wanted)
  }

  activateIfComplete(version: IndexVersion): Promise<boolean> {
    return activateIndexVersion(this.#connection, version, false)
  }

  async activateIfNone(protocol: ProtocolId, indexVersion: number, partitions: number): Promise<number> {
    // One statement, so that one of several workers that start at once sets it; `now64` orders later swaps after it.
    const query = `INSERT INTO active_versions_v1 (protocol, adapter_version, partitions, set_at)
      SELECT {protocol:String}, {version:UInt16}, {partitions:UInt16}, now64(3, 'UTC') FROM system.one
      WHERE (SELECT count() FROM active_versions_v1 WHERE protocol = {protocol:String}) = 0`
    const query_params = { protocol, version: indexVersion, partitions }
    await this.#connection.attempt('activate_if_none', () => this.#connection.client.command({ query, query_params }))
    const active = 'SELECT adapter_version FROM active_versions_v1 FINAL WHERE protocol = {protocol:String}'
    const statement = { query: active, query_params: { protocol } }
    const [version = indexVersion] = await this.#select<[number], number>('active_version', statement, ([one]) => one)
    return version
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close()
  }

  /** Newest row of every key of the partition and of what is shared; of those after `asOf` without its value. */
  async *#latest(at: Partition, version: number, asOf: number): AsyncIterable<StateRow> {
    const query = `SELECT ${stateColumns("if(ledger > {asOf:UInt32}, '', value) AS value_then")} FROM state_latest_v1 FINAL
      WHERE protocol = {protocol:String} AND scope IN ({partition:UInt16}, ${SHARED_SCOPE}) AND adapter_version = {version:UInt16}`
    const query_params = { protocol: at.protocol, partition: at.partition, version, asOf }
    const { client } = this.#connection
    const result = await this.#connection.attempt('load_state', () => client.query({ query, query_params, format: 'JSONCompactEachRow' }))
    const lines = result.stream<StateCells>()[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Not retried, because rows have been passed on; a connection that breaks is an error of the store, not of the rows.
        const next = await this.#connection.attempt('load_state', () => lines.next(), { retryForMs: 0 })
        if (next.done === true) return
        for (const line of next.value) yield decodeStateRow(line.json() as StateCells)
      }
    } finally {
      result.close()
    }
  }

  async #controlCheckpoint(): Promise<Checkpoint | null> {
    this.#control ??= await this.#checkpointOf(CONTROL, 0, 0)
    return this.#control
  }

  async #checkpointOf(protocol: string, partition: number, version: number): Promise<Checkpoint | null> {
    const query = `SELECT ledger, toUnixTimestamp(close_time), log_offset, rolling_hash FROM checkpoints_v1 FINAL
      WHERE protocol = {protocol:String} AND partition = {partition:UInt16} AND adapter_version = {version:UInt16}`
    const found = await this.#select<[number, number, string, string], Checkpoint>(
      'checkpoint',
      { query, query_params: { protocol, partition, version } },
      ([ledger, closeTimeSeconds, offset, rollingHash]) => ({ ledger, closeTimeSeconds, offset: BigInt(offset), rollingHash }),
    )
    return found[0] ?? null
  }

  async #select<Cells, Value>(
    name: string,
    statement: { readonly query: string; readonly query_params: Record<string, unknown> },
    decode: (cells: Cells) => Value,
  ): Promise<Value[]> {
    const { client } = this.#connection
    const rows = await this.#connection.attempt(name, () =>
      client.select<Cells>({ ...statement, clickhouse_settings: FEW_ROWS, format: 'JSONCompactEachRow' }),
    )
    return rows.map(decode)
  }
}

function encodeTable<Name extends keyof Rows>(name: Name, rows: Rows, indexVersion: number, memory: TextMemory): InsertBody[] {
  return encodeRows(TABLES[name], rows[name], indexVersion, memory)
}

function waitingRows(ledger: EncodedRows): WaitingRows {
  assert(ledger instanceof WaitingRows, 'Rows are written by the store that has encoded them.')
  return ledger
}
