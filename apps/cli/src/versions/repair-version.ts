// Folds a protocol again from its first ledger and writes the result over the rows that readers see, where they differ: the repair of what
// `orrery verify` finds. Adapters that run meanwhile are held for the last part, because their state came from the rows that are repaired.

import { setTimeout as delay } from 'node:timers/promises'
import { partitionReach } from '@orrery/adapter'
import { OrreryError } from '@orrery/errors'
import { type EventLog, type LogPartition, sliceTopic } from '@orrery/event-log'
import type { Network, Partition, Protocol } from '@orrery/protocol-kit'
import {
  type ClickHouseAddress,
  type ClickHouseConnection,
  holdIndexVersion,
  type IndexVersion,
  removeReplaced,
  repairTable,
  type Store,
  type TableDifferences,
} from '@orrery/read-model'
import { Findings } from '../verify/findings.ts'
import { mergeTables } from '../verify/merge-tables.ts'
import { readStart } from '../verify/read-start.ts'
import { SHOWN } from '../verify/verification.ts'
import { openVerifiedIndex, type VerifiedIndex } from '../verify/verified-index.ts'
import { verifyRows } from '../verify/verify-rows.ts'
import { activeOf, versionsOf } from './target.ts'

export interface RepairRun {
  readonly network: Network
  readonly protocol: Protocol<unknown>
  readonly log: EventLog
  /** Of a user that may alter tables and create databases beside the index. */
  readonly clickhouse: ClickHouseAddress
  readonly connection: ClickHouseConnection
  readonly store: Store
  readonly stop: AbortSignal
  readonly onProgress: (done: number, total: number, ledger: number) => void
}

export interface RepairResult {
  readonly version: IndexVersion
  readonly fromLedger: number
  readonly toLedger: number
  /** Rows that were folded. */
  readonly rows: number
  /** What was written over, by table. Empty: everything was equal. */
  readonly tables: readonly TableDifferences[]
  /** Partitions whose checkpoint did not fit the log and was set back to it. */
  readonly checkpoints: number
}

/** Adapters look for a hold every two seconds, then store what they have folded. */
const HOLD_MS = 60_000
const RENEW_EVERY_MS = 15_000
/** A partition without a report for this long has no running adapter. */
const SILENT_AFTER_MS = 20_000
const LOOK_EVERY_MS = 500

/**
 * @throws OrreryError `invalid`/`version_differs` where another adapter version wrote the rows, `cluster_not_supported` on a cluster, `stopped`; and
 * errors of log, ClickHouse and fold. What was repaired stays repaired.
 */
export async function repairVersion(run: RepairRun): Promise<RepairResult> {
  const { protocol, connection } = run
  await refuseCluster(connection)
  const version = activeOf(await versionsOf(connection, protocol.id))
  const checkpoints = await repairCheckpoints(run, version)
  // The bulk, while adapters go on.
  const bulk = await repairRange(run, null)
  run.stop.throwIfAborted()
  await using _ = await hold(run, version)
  const rest = await repairRange(run, bulk.to + 1)
  return {
    version,
    fromLedger: bulk.from,
    toLedger: rest.to,
    rows: bulk.rows + rest.rows,
    tables: mergeTables([...bulk.tables, ...rest.tables], SHOWN),
    checkpoints,
  }
}

interface Repaired {
  readonly from: number
  readonly to: number
  readonly rows: number
  readonly tables: readonly TableDifferences[]
}

/** @param first First ledger; null: that of the index. Up to the farthest checkpoint: rows beyond that of a slower partition are written early. */
async function repairRange(run: RepairRun, first: number | null): Promise<Repaired> {
  const { network, protocol, log, clickhouse } = run
  await using stack = new AsyncDisposableStack()
  const range = { ...(first !== null && { from: first }), mayBeEmpty: true }
  const whole = await openVerifiedIndex({ network, protocols: [protocol], log, clickhouse }, range, stack)
  const to = Math.max(...whole.partitions.map(({ checkpoint, reach }) => Math.min(checkpoint?.ledger ?? 0, reach.ledger)))
  if (to < whole.from) return { from: whole.from, to: whole.from - 1, rows: 0, tables: [] }
  const index: VerifiedIndex = { ...whole, to }
  const findings = new Findings()
  const {
    rows,
    tables,
    to: repairedTo,
  } = await verifyRows(index, findings, {
    nowMs: Date.now(),
    onProgress: (ledger) => {
      run.stop.throwIfAborted()
      run.onProgress(ledger - index.from + 1, to - index.from + 1, ledger)
    },
    onDifferent: (table, compared, scratch) => repairTable(scratch, clickhouse.database, table, compared),
    onCompared: async (table, compared, scratch) => void (await removeReplaced(scratch, clickhouse.database, table, compared)),
  })
  if (repairedTo < to) throw brokenLog(findings)
  return { from: index.from, to, rows, tables }
}

/** A checkpoint that the log does not have is set back to the newest slice before it; what follows is folded again. */
async function repairCheckpoints({ network, protocol, log, connection, store }: RepairRun, version: IndexVersion): Promise<number> {
  let repaired = 0
  const { indexVersion } = version
  const { firstLedger } = await readStart(log, network.name)
  const reachOf = (topic: LogPartition, checkpoint: number) => partitionReach(log, topic, { firstLedger, from: firstLedger, checkpoint })
  for (const [partition] of version.checkpoints.entries()) {
    const at: Partition = { protocol: protocol.id, partition }
    const stored = await store.checkpoint(at, indexVersion)
    if (stored === null) continue
    const topic = { topic: sliceTopic(network.name, protocol.id), partition }
    const { ledger, hashAt } = await reachOf(topic, stored.ledger)
    if (hashAt === stored.rollingHash) continue
    const query = `ALTER TABLE checkpoints_v1 DELETE
      WHERE protocol = {protocol:String} AND partition = {partition:UInt16} AND adapter_version = {version:UInt16}`
    const query_params = { protocol: protocol.id, partition, version: indexVersion }
    await connection.attempt('repair_checkpoint', () =>
      connection.client.command({ query, query_params, clickhouse_settings: { mutations_sync: '1' } }),
    )
    const back = Math.min(ledger, stored.ledger)
    const { hashAt: rollingHash } = await reachOf(topic, back)
    const closeTimeSeconds = await closeTimeOf(connection, back)
    // Without a checkpoint the partition is folded from the first ledger: slower, and as right.
    if (rollingHash !== null && closeTimeSeconds !== null)
      await store.moveCheckpoint(at, indexVersion, { ledger: back, closeTimeSeconds, offset: 0n, rollingHash })
    repaired++
  }
  return repaired
}

/** Unix seconds; null where the ledger is not stored. */
async function closeTimeOf(connection: ClickHouseConnection, ledger: number): Promise<number | null> {
  const query = 'SELECT toUnixTimestamp(close_time) AS seconds FROM ledgers_v1 FINAL WHERE ledger = {ledger:UInt32}'
  const request = { query, query_params: { ledger }, format: 'JSONEachRow' } as const
  const rows = await connection.attempt('close_time', async () => (await connection.client.query(request)).json<{ seconds: number }>())
  return rows[0]?.seconds ?? null
}

/** Holds the adapters of the version until it is disposed, and waits until those that run have stored what they had folded. */
async function hold({ connection, stop }: RepairRun, version: IndexVersion): Promise<AsyncDisposable> {
  const { protocol, indexVersion } = version
  const renew = (): Promise<void> => holdIndexVersion(connection, version, Date.now() + HOLD_MS)
  await renew()
  // A missed renewal is not an error: the next one comes before the hold ends.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS)
  const query = `SELECT countIf(state != 'held' AND reported_at > now64(3) - INTERVAL {silent:UInt32} MILLISECOND) AS running FROM adapter_health_v1 FINAL
    WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16}`
  const query_params = { protocol, version: indexVersion, silent: SILENT_AFTER_MS }
  const release = async (): Promise<void> => {
    clearInterval(timer)
    await holdIndexVersion(connection, version, 0)
  }
  try {
    for (;;) {
      const request = { query, query_params, format: 'JSONEachRow' } as const
      const [found] = await connection.attempt('held_adapters', async () =>
        (await connection.client.query(request)).json<{ running: string }>(),
      )
      if (Number(found?.running ?? 0) === 0) return { [Symbol.asyncDispose]: release }
      await delay(LOOK_EVERY_MS, undefined, { signal: stop })
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function refuseCluster(connection: ClickHouseConnection): Promise<void> {
  const query = "SELECT count() AS distributed FROM system.tables WHERE database = currentDatabase() AND engine = 'Distributed'"
  const rows = await connection.attempt('engines', async () =>
    (await connection.client.query({ query, format: 'JSONEachRow' })).json<{ distributed: string }>(),
  )
  if (Number(rows[0]?.distributed ?? 0) === 0) return
  throw new OrreryError(
    'invalid',
    'cluster_not_supported',
    'On a cluster the rows of the active index version cannot be written over. Nothing was changed.\nFold it again beside them and switch: `orrery replay <protocol> --activate`, then `orrery retire`.',
  )
}

function brokenLog(findings: Findings): OrreryError {
  const [first] = findings.shown
  return new OrreryError(
    'corrupt',
    'log_incomplete',
    `The event log cannot be folded again: ${first?.message ?? 'its records are broken'}\nWhat lies before it was repaired. Fill the log from a source, as docs/operations/replay.md describes, and run the command again.`,
  )
}
