// Folds the range again into a scratch database and compares every table with it, window by window, so that memory and disk stay bounded.

import { controlRows, FoldAgain } from '@orrery/adapter'
import { OrreryError, reasonOf } from '@orrery/errors'
import { sliceTopic } from '@orrery/event-log'
import { ROW_TABLES, type Rows } from '@orrery/protocol-kit'
import {
  type ClickHouseConnection,
  type ComparedRange,
  compareTable,
  openScratch,
  openStore,
  type Scratch,
  type TableDifferences,
  type VerifiedTable,
  verifiedTables,
} from '@orrery/read-model'
import type { Findings } from './findings.ts'
import { mergeTables } from './merge-tables.ts'
import { SHOWN } from './verification.ts'
import type { VerifiedIndex, VerifiedPartition } from './verified-index.ts'

/** Ledgers that all partitions fold before the next of them is folded. */
const STEP_LEDGERS = 2_048
/** Rows that are folded before they are compared and deleted: some gigabytes of disk. */
const ROWS_AT_ONCE = 5_000_000
/** Rows of one write. */
const WRITE_ROWS = 20_000

export interface RowsResult {
  readonly tables: readonly TableDifferences[]
  /** Rows that the second fold made. */
  readonly rows: number
  /** The last ledger that was compared: below the end of the range where the log's records are broken. */
  readonly to: number
}

export interface RowsOptions {
  readonly nowMs: number
  /** Called with the newest ledger that all partitions have folded. */
  readonly onProgress: (ledger: number) => void
  /** Called with each table that differs, while the scratch database has the rows of the range. */
  readonly onDifferent?: (table: VerifiedTable, range: ComparedRange, scratch: ClickHouseConnection) => Promise<void>
  /** Called with each table when all of them were, whether it differed or not: what was written for one may have changed those derived from it. */
  readonly onCompared?: (table: VerifiedTable, range: ComparedRange, scratch: ClickHouseConnection) => Promise<void>
}

/** @throws errors of the log, of ClickHouse and of a fold. Records that are not those of ingest are a finding. */
export async function verifyRows(index: VerifiedIndex, findings: Findings, options: RowsOptions): Promise<RowsResult> {
  await using scratch = await openScratch(index.clickhouse, options.nowMs)
  const run = new RowsRun(index, findings, scratch, await verifiedTables(scratch.connection), options)
  return await run.run()
}

interface PartitionFold {
  /** Topic and partition. */
  readonly at: string
  readonly version: number
  readonly fold: FoldAgain
}

class RowsRun {
  readonly #index: VerifiedIndex
  readonly #findings: Findings
  readonly #scratch: Scratch
  readonly #tables: readonly VerifiedTable[]
  readonly #options: RowsOptions
  readonly #store: ReturnType<typeof openStore>
  #found: TableDifferences[] = []
  #rows = 0
  #rowsOfWindow = 0

  constructor(index: VerifiedIndex, findings: Findings, scratch: Scratch, tables: readonly VerifiedTable[], options: RowsOptions) {
    this.#index = index
    this.#findings = findings
    this.#scratch = scratch
    this.#tables = tables
    this.#options = options
    this.#store = openStore(scratch.connection)
  }

  async run(): Promise<RowsResult> {
    const { from, partitions } = this.#index
    let { to } = this.#index
    // One ledger more than is compared, where it is stored: its fold may infer rows of the last one.
    const foldTo = Math.min(to + 1, ...partitions.map(({ reach }) => reach.ledger))
    const folds = partitions.map((at) => this.#foldOf(at))
    await this.#writeControl()
    // Bootstrap entries of the first ledger are rows of the ledger before it.
    const fromRow = from === this.#index.firstLedger ? from - 1 : from
    let comparedTo = fromRow - 1
    for (let ledger = from - 1; ledger < foldTo; ) {
      ledger = Math.min(ledger + STEP_LEDGERS, foldTo)
      const broken = await this.#foldAll(folds, ledger)
      if (broken !== null) {
        // The fold of the broken ledger may have inferred rows of the ledger before it.
        to = Math.min(to, broken - 2)
        break
      }
      this.#options.onProgress(Math.min(ledger, to))
      if (this.#rowsOfWindow < ROWS_AT_ONCE || ledger >= foldTo) continue
      await this.#compareRows(comparedTo + 1, ledger - 1)
      comparedTo = ledger - 1
    }
    await this.#compareRows(comparedTo + 1, to)
    await this.#compare((table) => table.comparison !== 'rows', fromRow, to)
    return { tables: mergeTables(this.#found, SHOWN), rows: this.#rows, to }
  }

  #foldOf({ protocol, version, partition, reach: { start } }: VerifiedPartition): PartitionFold {
    const { network, registry, log, store, firstLedger } = this.#index
    const fold = new FoldAgain({ protocol, network, registry, partition, indexVersion: version, log, store, firstLedger, start })
    return { at: `${sliceTopic(network.name, protocol.id)}/${partition}`, version, fold }
  }

  /** The ledger whose records are broken, or null. */
  async #foldAll(folds: readonly PartitionFold[], ledger: number): Promise<number | null> {
    let broken: number | null = null
    for (const { at, version, fold } of folds) {
      try {
        await this.#write(fold.upTo(ledger), version)
      } catch (error) {
        const isFinding = error instanceof OrreryError && error.kind === 'corrupt' && typeof error.context.ledger === 'number'
        if (!isFinding) throw error
        const brokenAt = Number(error.context.ledger)
        this.#findings.add({ check: 'log', where: at, key: {}, ledger: brokenAt, message: reasonOf(error) })
        broken = Math.min(broken ?? brokenAt, brokenAt)
      }
    }
    return broken
  }

  async #write(folded: AsyncIterable<Rows>, version: number): Promise<void> {
    let waiting: Rows[] = []
    let count = 0
    const flush = async (): Promise<void> => {
      await this.#store.write(waiting, version)
      this.#rows += count
      this.#rowsOfWindow += count
      waiting = []
      count = 0
    }
    try {
      for await (const rows of folded) {
        this.#reportInvariants(rows)
        waiting.push(rows)
        count += ROW_TABLES.reduce((sum, name) => sum + rows[name].length, 0)
        if (count >= WRITE_ROWS) await flush()
      }
    } finally {
      await flush() // what precedes a broken ledger is compared
    }
  }

  #reportInvariants({ notices }: Rows): void {
    for (const { kind, protocol, contract, reason, ledger, partition } of notices) {
      if (kind !== 'invariant' || ledger > this.#index.to) continue
      const key = { protocol, partition: String(partition), contract }
      this.#findings.add({ check: 'invariants', where: contract, key, ledger, message: reason })
    }
  }

  async #writeControl(): Promise<void> {
    const { log, network, registry } = this.#index
    for await (const { ledgers, facts, offset } of controlRows(log, network.name, registry, this.#index)) {
      await this.#store.writeControlFacts(facts)
      if (ledgers.length > 0) await this.#store.writeLedgers(ledgers, offset)
    }
  }

  /** Compares a window and deletes its rows. */
  async #compareRows(from: number, to: number): Promise<void> {
    if (to < from) return
    await this.#compare((table) => table.comparison === 'rows', from, to)
    const { connection } = this.#scratch
    for (const { name, comparison, ledger } of this.#tables) {
      if (comparison !== 'rows') continue
      const query = `ALTER TABLE ${name} DELETE WHERE ${ledger} <= {to:UInt32} SETTINGS mutations_sync = 1`
      await connection.attempt('verify_delete', () => connection.client.command({ query, query_params: { to } }))
    }
    this.#rowsOfWindow = 0
  }

  async #compare(isOfWindow: (table: VerifiedTable) => boolean, from: number, to: number): Promise<void> {
    const { partitions, clickhouse } = this.#index
    const versions = [...new Map(partitions.map(({ protocol, version }) => [protocol.id, version]))].map(([protocol, version]) => ({
      protocol,
      version,
    }))
    const range = { from, to, versions }
    for (const table of this.#tables.filter(isOfWindow)) {
      const found = await compareTable(this.#scratch.connection, clickhouse.database, table, range, SHOWN)
      if (found === null) continue
      this.#found.push(found)
      await this.#options.onDifferent?.(table, range, this.#scratch.connection)
    }
    for (const table of this.#tables.filter(isOfWindow)) await this.#options.onCompared?.(table, range, this.#scratch.connection)
  }
}
