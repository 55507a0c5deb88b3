// A ClickHouse cluster of embedded engines for tests: each engine is a shard, and knows all of them by name.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import libchdb from 'chdb/libchdb'
import { type ClickHouseAddress, openClickHouse } from '../connection.ts'
import type { HostUser } from '../host/credentials.ts'
import { readableNames, SERVER_USERS, settingsOfProfile, userStatements } from '../schema/server-users.ts'
import { type EndingProxy, openEndingProxy } from './ending-proxy.ts'

export const TEST_TARGET = { kind: 'cluster', cluster: 'three', replicated: false } as const
/** The same engines under another name: two of them as replicas of one shard. */
export const PAIR = 'pair'
const PASSWORD = 'password-of-all'
const DATABASE = 'orrery'
const TO_ANALYST = ' TO analyst'
const START_WITHIN_MS = 60_000

interface Ports {
  readonly http: number
  readonly tcp: number
  /** At which the other shards, and the shard itself, reach it. */
  readonly proxy: number
}

export interface TestCluster extends AsyncDisposable {
  /** The address of a shard, from 0. */
  address(user: HostUser, shard: number): ClickHouseAddress
  /** The addresses of all shards as one, the first preferred. */
  addresses(user: HostUser): ClickHouseAddress
  /** Kills the process of a shard, as a machine that fails. */
  stop(shard: number): Promise<void>
  /** Starts it again on its data. */
  start(shard: number): Promise<void>
  /**
   * Runs on each shard what `orrery migrate --users` does after a migration: the analyst, who may read nothing before, has exactly those rights. The
   * shards are started again, because the embedded engine reads the rights of users once.
   */
  grantAnalyst(): Promise<void>
  /** What the engine of a shard has logged. */
  logOf(shard: number): string
}

/** @param shards How many engines: each about 400 MB of memory. */
export async function startTestCluster(shards = 3): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-cluster-'))
  const ports = await freePorts(shards)
  const engines = new Map<number, ChildProcess>()
  const folderOf = (shard: number): string => join(folder, `shard-${shard}`)
  const proxies = new Map<number, EndingProxy>()
  let grants: readonly string[] = []
  const start = async (shard: number): Promise<void> => {
    engines.set(shard, await startShard(folderOf(shard), ports, shard, grants))
    const { proxy = 0, tcp = 0 } = ports[shard] ?? {}
    proxies.set(shard, await openEndingProxy(proxy, tcp))
  }
  const stop = async (shard: number): Promise<void> => {
    const engine = engines.get(shard)
    if (engine === undefined || engine.exitCode !== null || engine.signalCode !== null) return
    const gone = once(engine, 'exit')
    await proxies.get(shard)?.close()
    engine.kill('SIGKILL')
    await gone
  }
  const address = (user: HostUser, shard: number): ClickHouseAddress => addressOf(user, ports.slice(shard, shard + 1))
  const grantAnalyst = async (): Promise<void> => {
    const granted = new Set<string>()
    for (const shard of ports.keys()) {
      await using admin = openClickHouse(address('admin', shard))
      const names = await readableNames(admin, DATABASE)
      const statements = userStatements({
        database: DATABASE,
        ...names,
        passwords: { writer: '', api: '', analyst: '' },
        target: TEST_TARGET,
      })
      for (const query of statements.filter((sql) => sql.startsWith('ALTER TABLE'))) await admin.client.command({ query })
      for (const sql of statements) if (sql.endsWith(TO_ANALYST)) granted.add(sql.slice(0, -TO_ANALYST.length))
    }
    grants = [...granted]
    await Promise.all(ports.map((_, shard) => stop(shard)))
    await Promise.all(ports.map((_, shard) => start(shard)))
  }
  await Promise.all(ports.map((_, shard) => start(shard)))
  return {
    address,
    addresses: (user) => addressOf(user, ports),
    start,
    stop,
    grantAnalyst,
    logOf: (shard) =>
      readFileSync(join(folderOf(shard), 'engine.log'), 'utf8') + readFileSync(join(folderOf(shard), 'clickhouse.log'), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(ports.map((_, shard) => stop(shard)))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function addressOf(user: HostUser, ports: readonly Ports[]): ClickHouseAddress {
  return { url: ports.map(({ http }) => `http://127.0.0.1:${http}`).join(','), user, password: PASSWORD, database: DATABASE }
}

async function startShard(folder: string, ports: readonly Ports[], shard: number, analyst: readonly string[]): Promise<ChildProcess> {
  mkdirSync(join(folder, 'data'), { recursive: true })
  writeFileSync(join(folder, 'config.xml'), configXml(folder, ports, shard))
  writeFileSync(join(folder, 'users.xml'), usersXml(analyst))
  const log = openSync(join(folder, 'engine.log'), 'a')
  const script = fileURLToPath(new URL('./shard-process.ts', import.meta.url))
  const plan = JSON.stringify({ libchdb: libchdb.libchdbPath(), folder })
  const engine = spawn(process.execPath, [script, plan], { detached: true, env: {}, stdio: ['ignore', log, log, 'pipe'] })
  engine.stdio[3]?.on('error', () => undefined)
  closeSync(log)
  const deadline = performance.now() + START_WITHIN_MS
  while (engine.exitCode === null && engine.signalCode === null && performance.now() < deadline) {
    const answered = await fetch(`http://127.0.0.1:${ports[shard]?.http}/ping`, { headers: { connection: 'close' } }).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return engine
    await delay(50)
  }
  engine.kill('SIGKILL')
  throw new Error(`Shard ${shard} did not start: ${readFileSync(join(folder, 'engine.log'), 'utf8')}`)
}

async function freePorts(shards: number): Promise<Ports[]> {
  const servers = await Promise.all(
    Array.from({ length: shards * 3 }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const free = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return Array.from({ length: shards }, (_, n) => ({ http: free[3 * n] ?? 0, tcp: free[3 * n + 1] ?? 0, proxy: free[3 * n + 2] ?? 0 }))
}

const replica = ({ proxy }: Ports): string => `<replica><host>127.0.0.1</host><port>${proxy}</port></replica>`

function configXml(folder: string, ports: readonly Ports[], shard: number): string {
  const shards = ports.map((own) => `      <shard>${replica(own)}</shard>\n`)
  return `<clickhouse>
  <logger><log>${folder}/clickhouse.log</log><size>10M</size><count>2</count></logger>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${ports[shard]?.http}</http_port>
  <tcp_port>${ports[shard]?.tcp}</tcp_port>
  <users_config>users.xml</users_config>
  <max_server_memory_usage>1500000000</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers>
    <${TEST_TARGET.cluster}>
      <secret>the-secret-between-the-shards</secret>
${shards.join('')}    </${TEST_TARGET.cluster}>
    <${PAIR}><shard>${ports.slice(0, 2).map(replica).join('')}</shard></${PAIR}>
  </remote_servers>
</clickhouse>
`
}

/** The users of `orrery migrate --users`, in a file because the embedded engine stores none: every shard has the same ones. */
function usersXml(analyst: readonly string[]): string {
  const profiles = SERVER_USERS.map((user) => {
    const settings = Object.entries(settingsOfProfile(user, TEST_TARGET))
    const values = settings.map(([name, { value }]) => `<${name}>${String(value).replaceAll("'", '')}</${name}>`)
    const constraints = settings.flatMap(([name, { most }]) => (most === undefined ? [] : [`<${name}>${constraintOf(most)}</${name}>`]))
    return `<${user}><profile>default</profile>${values.join('')}<constraints>${constraints.join('')}</constraints></${user}>`
  })
  const user = (name: string, profile: string, ...grants: readonly string[]): string => `    <${name}>
      <password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota>
      <grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>
    </${name}>
`
  // `status` is for tests that read tables with the limits of an analyst. `default` is the engine's own user: local mode logs it in without a password.
  return `<clickhouse>
  <profiles><default>${AS_EMBEDDED}</default>${profiles.join('')}</profiles>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
${user('admin', 'default', 'GRANT ALL ON *.* WITH GRANT OPTION')}${user('writer', 'writer', 'GRANT SELECT, INSERT ON orrery.*')}${user('api', 'api', 'GRANT SELECT ON orrery.*')}${user('analyst', 'analyst', ...analyst)}${user('status', 'analyst', 'GRANT SELECT ON orrery.*')}  </users>
  <quotas><default/></quotas>
</clickhouse>
`
}

/** Values of the embedded engine, for statements that come without settings: its answers are compared as text. */
const AS_EMBEDDED = `<compatibility>26.3</compatibility><output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
    <output_format_json_quote_decimals>1</output_format_json_quote_decimals>`

const constraintOf = (most: number | 'const'): string => (most === 'const' ? '<const/>' : `<min>1</min><max>${most}</max>`)
