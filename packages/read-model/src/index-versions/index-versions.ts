// Reads and changes the index versions of a protocol. A few rows for each protocol at any scale.

import type { ProtocolId } from '@orrery/protocol-kit'
import { type ClickHouseConnection, FEW_ROWS } from '../connection.ts'
import { type IndexVersion, type Purpose, unfinishedReplay, versionToFollow } from './index-version.ts'

export interface NewIndexVersion {
  readonly protocol: ProtocolId
  readonly adapterVersion: number
  readonly partitions: number
  /** `index` becomes `upgrade` where readers see another version already. */
  readonly purpose: Exclude<Purpose, 'index'>
}

/** A version that an older build wrote has no row of its own: its two numbers are the same. */
const VERSIONS_SQL = `
  SELECT protocol, 'version' AS kind, index_version, adapter_version, partitions, toString(purpose) AS purpose, was_active, retired,
    toUnixTimestamp64Milli(held_until) AS held_until_ms, toUInt16(0) AS partition, toUInt32(0) AS ledger
  FROM index_versions_v1 FINAL WHERE protocol IN {protocols:Array(String)}
  UNION ALL
  SELECT protocol, 'active', adapter_version, adapter_version, partitions, 'index', true, false, toInt64(0), toUInt16(0), toUInt32(0)
  FROM active_versions_v1 FINAL WHERE protocol IN {protocols:Array(String)}
  UNION ALL
  SELECT protocol, 'checkpoint', adapter_version, toUInt16(0), toUInt16(0), '', false, false, toInt64(0), partition, ledger
  FROM checkpoints_v1 FINAL WHERE protocol IN {protocols:Array(String)}`

interface VersionRow {
  readonly protocol: ProtocolId
  readonly kind: 'version' | 'active' | 'checkpoint'
  readonly index_version: number
  readonly adapter_version: number
  readonly partitions: number
  readonly purpose: Purpose
  readonly was_active: boolean
  readonly retired: boolean
  readonly held_until_ms: string
  readonly partition: number
  readonly ledger: number
}

/** All versions of a protocol, the retired ones included, by their numbers. */
export async function readIndexVersions(connection: ClickHouseConnection, protocol: ProtocolId): Promise<readonly IndexVersion[]> {
  return (await readIndexVersionsOf(connection, [protocol])).get(protocol) ?? []
}

/** All versions of each of `protocols`, in one statement. */
export async function readIndexVersionsOf(
  connection: ClickHouseConnection,
  protocols: readonly ProtocolId[],
): Promise<ReadonlyMap<ProtocolId, readonly IndexVersion[]>> {
  const request = { query: VERSIONS_SQL, query_params: { protocols }, clickhouse_settings: FEW_ROWS, format: 'JSONEachRow' } as const
  const rows = await connection.attempt('index_versions', () => connection.client.select<VersionRow>(request))
  return new Map(protocols.map((id) => [id, versionsIn(rows.filter(({ protocol }) => protocol === id))]))
}

/** @param rows Those of one protocol. */
function versionsIn(rows: readonly VersionRow[]): IndexVersion[] {
  const { version: begun = [], active = [], checkpoint: checkpoints = [] } = Object.groupBy(rows, ({ kind }) => kind)
  // Of an index that is older than the table of versions, only the active one is known.
  const implied = active.filter(({ index_version }) => !begun.some((row) => row.index_version === index_version))
  return [...begun, ...implied]
    .sort((a, b) => a.index_version - b.index_version)
    .map((row) => {
      const isActive = active.some(({ index_version }) => index_version === row.index_version)
      const ofVersion = checkpoints.filter(({ index_version }) => index_version === row.index_version)
      const folded = new Map(ofVersion.map(({ partition, ledger }) => [partition, ledger]))
      return {
        protocol: row.protocol,
        indexVersion: row.index_version,
        adapterVersion: row.adapter_version,
        partitions: row.partitions,
        purpose: row.purpose,
        isActive,
        wasActive: row.was_active || isActive,
        isRetired: row.retired,
        heldUntilMs: Number(row.held_until_ms),
        checkpoints: Array.from({ length: row.partitions }, (_, partition) => folded.get(partition) ?? null),
      }
    })
}

/**
 * The version that adapters of this code go on with, or a new one under the next free number. Whether one is needed and its number follow from
 * the same reading: processes of one adapter version that start at the same time write the same version. Different ones should not be begun in the
 * same instant; one that finds its number taken takes the next.
 */
export async function findOrCreateIndexVersion(connection: ClickHouseConnection, wanted: NewIndexVersion): Promise<IndexVersion> {
  const { protocol, adapterVersion, partitions } = wanted
  for (;;) {
    const known = await readIndexVersions(connection, protocol)
    const begun = wanted.purpose === 'replay' ? unfinishedReplay(known, adapterVersion) : versionToFollow(known, adapterVersion)
    if (begun !== null) return begun
    const indexVersion = Math.max(0, ...known.map((version) => version.indexVersion)) + 1
    await rememberActive(connection, known)
    await write(
      connection,
      {
        ...{ protocol, indexVersion, adapterVersion, partitions, purpose: known.length === 0 ? 'index' : wanted.purpose },
        ...{ isActive: false, wasActive: false, isRetired: false, heldUntilMs: 0, checkpoints: [] },
      },
      'if its number is free',
    )
    // Read again: the number may have been taken.
  }
}

/**
 * Makes readers see the version unless it is retired, in one statement that checks whether every partition of it is at least as far as that of
 * the active one, or as its newest one where readers leave that partition out.
 *
 * @param isForced Also where it is behind: readers then see an earlier ledger.
 * @returns whether readers see it now.
 */
export async function activateIndexVersion(connection: ClickHouseConnection, version: IndexVersion, isForced: boolean): Promise<boolean> {
  const { protocol, indexVersion, partitions } = version
  await rememberActive(connection, await readIndexVersions(connection, protocol))
  const ofVersion =
    'SELECT partition, ledger FROM checkpoints_v1 FINAL WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16}'
  const active = 'SELECT adapter_version FROM active_versions_v1 FINAL WHERE protocol = {protocol:String}'
  // Readers leave quarantined partitions out. Of the new version they would count again, so each must be as far as what readers see.
  const leftOut = `SELECT partition FROM adapter_health_v1 FINAL
    WHERE protocol = {protocol:String} AND adapter_version IN (${active}) AND state = 'quarantined'`
  const ofActive = `SELECT partition, if(partition IN (${leftOut}), max(ledger) OVER (), ledger) AS served
    FROM checkpoints_v1 FINAL WHERE protocol = {protocol:String} AND adapter_version IN (${active})`
  const query = `INSERT INTO active_versions_v1 (protocol, adapter_version, partitions, set_at)
    SELECT {protocol:String}, {version:UInt16}, {partitions:UInt16}, now64(3, 'UTC') FROM system.one
    WHERE (SELECT count() FROM index_versions_v1 FINAL
      WHERE protocol = {protocol:String} AND index_version = {version:UInt16} AND retired) = 0
    AND ({forced:Bool} OR (
      (SELECT count() FROM (${ofVersion})) = {partitions:UInt16}
      AND (SELECT count() FROM (${ofActive}) AS active INNER JOIN (${ofVersion}) AS own USING partition WHERE own.ledger < active.served) = 0
    ))`
  const query_params = { protocol, version: indexVersion, partitions, forced: isForced }
  await connection.attempt('activate_index_version', () => connection.client.command({ query, query_params }))
  const now = await readIndexVersions(connection, protocol)
  await rememberActive(connection, now)
  return now.some((one) => one.indexVersion === indexVersion && one.isActive)
}

/** A later roll-back returns to the version that readers see now, and adapters of its code go on with it: its own row has to show that. */
async function rememberActive(connection: ClickHouseConnection, known: readonly IndexVersion[]): Promise<void> {
  for (const version of known.filter(({ isActive }) => isActive)) await write(connection, version)
}

/** Adapters of the version store what they have folded and write nothing until `untilMs` (Unix milliseconds); 0 lets them go on. */
export async function holdIndexVersion(connection: ClickHouseConnection, version: IndexVersion, untilMs: number): Promise<void> {
  await write(connection, { ...version, heldUntilMs: untilMs })
}

/**
 * Deletes the rows of a version from every table that has them; its number stays taken. It may be called again when it was interrupted.
 * Needs a user that may alter tables.
 * @param shards Connections to every shard; on one server `connection` alone.
 * @returns false, with nothing deleted, where the version was activated meanwhile: a retired one is not.
 */
export async function retireIndexVersion(
  connection: ClickHouseConnection,
  version: IndexVersion,
  shards: readonly ClickHouseConnection[] = [connection],
): Promise<boolean> {
  await write(connection, { ...version, isRetired: true })
  const now = (await readIndexVersions(connection, version.protocol)).find(({ indexVersion }) => indexVersion === version.indexVersion)
  if (now?.isActive === true) {
    await write(connection, { ...now, isRetired: false })
    return false
  }
  const query_params = { protocol: version.protocol, version: version.indexVersion }
  for (const shard of shards) {
    for (const table of await versionedTables(shard, "engine LIKE '%MergeTree'")) {
      const query = `ALTER TABLE \`${table}\` DELETE WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16}
        SETTINGS mutations_sync = 2`
      await shard.attempt('retire_index_version', () => shard.client.command({ query, query_params }))
    }
  }
  return true
}

/** How many rows a version has in each table that has any. */
export async function rowsOfIndexVersion(
  connection: ClickHouseConnection,
  version: Pick<IndexVersion, 'protocol' | 'indexVersion'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const query_params = { protocol: version.protocol, version: version.indexVersion }
  for (const table of await versionedTables(connection, "NOT endsWith(name, '_local')")) {
    const query = `SELECT count() AS rows FROM \`${table}\` WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16}`
    const request = { query, query_params, format: 'JSONEachRow' } as const
    const [found] = await connection.attempt('rows_of_index_version', async () =>
      (await connection.client.query(request)).json<{ rows: string }>(),
    )
    if (Number(found?.rows ?? 0) > 0) counts.set(table, Number(found?.rows))
  }
  return counts
}

/**
 * Tables with rows of index versions, their progress included; not those that list the versions.
 * @param which A condition on `system.tables`. On a cluster a shard's own tables are beside those of all shards.
 */
async function versionedTables(connection: ClickHouseConnection, which: string): Promise<string[]> {
  const query = `SELECT table FROM system.columns
    WHERE database = currentDatabase() AND name = 'adapter_version' AND match(table, '_v[0-9]+(_local)?$')
      AND NOT match(table, '^(active|index)_versions_v1')
      AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine NOT LIKE '%View' AND ${which})
    ORDER BY table`
  const rows = await connection.attempt('versioned_tables', async () =>
    (await connection.client.query({ query, format: 'JSONEachRow' })).json<{ table: string }>(),
  )
  return rows.map(({ table }) => table)
}

async function write(
  connection: ClickHouseConnection,
  version: IndexVersion,
  when: 'always' | 'if its number is free' = 'always',
): Promise<void> {
  const query = `INSERT INTO index_versions_v1
      (protocol, index_version, adapter_version, partitions, purpose, was_active, retired, held_until, set_at)
    SELECT {protocol:String}, {index_version:UInt16}, {adapter_version:UInt16}, {partitions:UInt16}, {purpose:String}, {was_active:Bool},
      {retired:Bool}, fromUnixTimestamp64Milli({held_until:Int64}, 'UTC'), now64(3, 'UTC') FROM system.one
    WHERE {always:Bool} OR (
      SELECT count() FROM index_versions_v1 WHERE protocol = {protocol:String} AND index_version = {index_version:UInt16}
    ) = 0`
  const query_params = {
    protocol: version.protocol,
    index_version: version.indexVersion,
    adapter_version: version.adapterVersion,
    partitions: version.partitions,
    purpose: version.purpose,
    was_active: version.wasActive,
    retired: version.isRetired,
    held_until: version.heldUntilMs,
    always: when === 'always',
  }
  await connection.attempt('write_index_version', () => connection.client.command({ query, query_params }))
}
