// The shards of a cluster, as `migrate` reaches them: a connection to each, checked against what the servers have in their configuration.

import { OrreryError } from '@orrery/errors'
import { type ClickHouseAddress, type ClickHouseConnection, type ConnectionOptions, openClickHouse, urlsOf } from '../connection.ts'
import type { ClusterTarget, SchemaTarget } from './render.ts'

export type MigratedAddress = ClickHouseAddress & Pick<ConnectionOptions, 'gone'>

/** A member of the cluster, by what no other server answers. */
interface Member {
  readonly shard: number
  readonly server: string
}

interface Configured {
  readonly shard: number
  readonly replicas: number
  readonly writes_one_replica: number
}

const SERVER = "concat(hostName(), ' ', toString(serverUUID()), ' ', toString(tcpPort()))"

/**
 * The addresses to migrate: of one server the given one; of a cluster one of each shard, in their order. An address may be that of any replica, and
 * of several replicas of a shard the first one is used.
 * @param address Its `url` may have several URLs, separated by commas.
 * @throws OrreryError `invalid`/`cluster_unknown`, `cluster_replicas` or `cluster_shards_missing`, with nothing changed; and those of the connection.
 */
export async function addressesOf(address: MigratedAddress, target: SchemaTarget): Promise<readonly MigratedAddress[]> {
  if (target.kind === 'single') return [address]
  const addresses = urlsOf(address).map((url) => ({ ...address, url }))
  const found = new Map<number, MigratedAddress>()
  let expected: readonly number[] = []
  for (const one of addresses) {
    await using connection = openClickHouse({ ...one, database: 'system' })
    const configured = await configuredShards(connection, target)
    expected = configured.map(({ shard }) => shard)
    refuseReplicas(configured, target)
    const [{ server } = { server: '' }] = await select<{ server: string }>(connection, `SELECT ${SERVER} AS server`)
    const member = (await members(connection, target)).find((it) => it.server === server)
    if (member === undefined) throw foreign(one.url, target)
    if (!found.has(member.shard)) found.set(member.shard, one)
  }
  const missing = expected.filter((shard) => !found.has(shard))
  if (missing.length > 0) throw incomplete(target, expected.length, missing)
  return expected.flatMap((shard) => found.get(shard) ?? [])
}

/**
 * A connection to the server or to each shard on which the tables of the database are, in the order of the shards.
 * @throws the errors of `addressesOf`.
 */
export async function openShards(address: MigratedAddress, stack: AsyncDisposableStack): Promise<readonly ClickHouseConnection[]> {
  const connection = stack.use(openClickHouse(address))
  const target = await targetOf(connection, address.database)
  if (target?.kind !== 'cluster') return [connection]
  return (await addressesOf(address, target)).map((one) => stack.use(openClickHouse(one)))
}

async function configuredShards(connection: ClickHouseConnection, { cluster }: ClusterTarget): Promise<Configured[]> {
  const rows = await select<Configured>(
    connection,
    `SELECT toUInt32(shard_num) AS shard, toUInt32(count()) AS replicas, max(internal_replication) AS writes_one_replica
    FROM system.clusters WHERE cluster = {cluster:String} GROUP BY shard ORDER BY shard`,
    { cluster },
  )
  if (rows.length > 0) return rows
  const known = await select<{ name: string }>(connection, 'SELECT DISTINCT cluster AS name FROM system.clusters ORDER BY name')
  const names = known.length === 0 ? 'It has none' : `It has ${known.map(({ name }) => name).join(', ')}`
  throw new OrreryError(
    'invalid',
    'cluster_unknown',
    `ClickHouse at ${connection.where} has no cluster ${cluster} in its remote_servers. ${names}. Nothing was changed. Name one that it has, or add it to the configuration of every server.`,
  )
}

function refuseReplicas(configured: readonly Configured[], { cluster, replicated }: ClusterTarget): void {
  const several = configured.filter(({ replicas }) => replicas > 1)
  if (several.length === 0) return
  const shards = several.map(({ shard }) => shard).join(', ')
  if (!replicated) {
    const text = `Shards of the cluster ${cluster} have replicas (${shards}), which need replicated tables: each replica would have other rows. Nothing was changed. Use --replicated, or name a cluster whose shards have one server each.`
    throw new OrreryError('invalid', 'cluster_replicas', text)
  }
  if (several.every(({ writes_one_replica }) => writes_one_replica === 1)) return
  const text = `Shards of the cluster ${cluster} (${shards}) have internal_replication off, so that every row would be written to each replica and replicated as well. Nothing was changed. Set <internal_replication>true</internal_replication> in remote_servers of every server.`
  throw new OrreryError('invalid', 'cluster_replicas', text)
}

/** Every server that the cluster reaches. */
function members(connection: ClickHouseConnection, { cluster }: ClusterTarget): Promise<Member[]> {
  return select<Member>(
    connection,
    `SELECT toUInt32(shardNum()) AS shard, ${SERVER} AS server FROM clusterAllReplicas({cluster:Identifier}, system.one)`,
    {
      cluster,
    },
  )
}

function foreign(url: string, { cluster }: ClusterTarget): OrreryError {
  const text = `ClickHouse at ${new URL(url).host} knows the cluster ${cluster} and is none of its servers. Nothing was changed. Name the address of a server of each shard, not that of a balancer.`
  return new OrreryError('invalid', 'cluster_unknown', text)
}

function incomplete({ cluster }: ClusterTarget, count: number, missing: readonly number[]): OrreryError {
  const text = `The cluster ${cluster} has ${count} shards, and no address is one of ${missing.length === 1 ? 'shard' : 'the shards'} ${missing.join(', ')}. Nothing was changed. Give --clickhouse-url one address of each shard, separated by commas.`
  return new OrreryError('invalid', 'cluster_shards_missing', text)
}

const engineOf = (target: SchemaTarget): string => {
  if (target.kind === 'single') return 'one server'
  return `the cluster ${target.cluster}, ${target.replicated ? 'with' : 'without'} replicated tables`
}

/**
 * Refuses a database whose tables were made for something else than `target`: its statements would be applied beside them.
 * @param connection To any database of the server: this one may not exist yet.
 * @throws OrreryError `invalid`/`schema_target_differs`.
 */
export async function assertTarget(connection: ClickHouseConnection, database: string, target: SchemaTarget): Promise<void> {
  const found = await targetOf(connection, database)
  if (found === null || engineOf(found) === engineOf(target)) return
  const text = `The tables of ${database} at ${connection.where} were made for ${engineOf(found)}, and not for ${engineOf(target)}. Nothing was changed. Use the same options as then, or another database.`
  throw new OrreryError('invalid', 'schema_target_differs', text)
}

/**
 * A row is placed by its key and the number of shards: beside rows that were placed for fewer shards, a row that is written again would be on another
 * shard, and count twice. Before there are rows, a shard without tables is one that an earlier run did not reach.
 * @param servers One of each shard, in their order, connected to any database.
 * @throws OrreryError `invalid`/`cluster_shards_changed`.
 */
export async function assertSameShards(servers: readonly ClickHouseConnection[], database: string): Promise<void> {
  const query = `SELECT countIf(name = 'checkpoints_v1_local') AS tables, sum(ifNull(total_rows, 0)) AS stored
    FROM system.tables WHERE database = {database:String} AND match(name, '_v[0-9]+_local$')`
  const found = await Promise.all(servers.map((server) => select<{ tables: string; stored: string }>(server, query, { database })))
  const empty = found.flatMap(([row], n) => (Number(row?.tables ?? 0) === 0 ? [n + 1] : []))
  const hasRows = found.some(([row]) => Number(row?.stored ?? 0) > 0)
  if (empty.length === 0 || !hasRows) return
  throw new OrreryError(
    'invalid',
    'cluster_shards_changed',
    `The cluster has no tables on ${empty.length === 1 ? 'shard' : 'the shards'} ${empty.join(', ')}, and rows on others, which were placed for another number of shards. Nothing was changed. Restore the shard if it has lost its disk; for another number of shards, index into a new database.`,
  )
}

/** What the tables of the database were made for; null before there are any. */
async function targetOf(connection: ClickHouseConnection, database: string): Promise<SchemaTarget | null> {
  const rows = await select<{ name: string; engine: string; cluster: string }>(
    connection,
    `SELECT name, engine, extract(engine_full, '^Distributed.''([^'']*)''') AS cluster
    FROM system.tables WHERE database = {database:String} AND name IN ('state_v1', 'state_v1_local')`,
    { database },
  )
  const plain = rows.find(({ name }) => name === 'state_v1')
  const local = rows.find(({ name }) => name === 'state_v1_local')
  if (plain === undefined) return null
  if (plain.engine !== 'Distributed') return { kind: 'single' }
  return { kind: 'cluster', cluster: plain.cluster, replicated: local?.engine.startsWith('Replicated') ?? false }
}

async function select<Row>(connection: ClickHouseConnection, query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
  return connection.attempt('migrate', async () =>
    (await connection.client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>(),
  )
}
