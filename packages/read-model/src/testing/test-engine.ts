// A running engine for tests and its databases. A database that was given back is emptied and used again: the tables of a new one take longer
// to create than most tests run.

import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse } from '../connection.ts'
import { HOST_USERS, type HostUser, SECRET_HEADER } from '../host/credentials.ts'
import { type Gate, openGate } from '../host/gate.ts'
import { type ClickHouseHost, type HostOptions, startClickHouseHost } from '../host/start-host.ts'
import { migrate } from '../schema/migrate.ts'

export interface TestDatabase {
  readonly name: string
  /** By user and password, as of a ClickHouse server: for separate processes. */
  address(user: HostUser): ClickHouseAddress
  /** A connection as `user`, closed when the file is done, or before by `release`. */
  connect(user: HostUser): ClickHouseConnection
  /** Closes its connections and gives it back to its engine, which empties it for another test. */
  release(): Promise<void>
}

export class TestEngine {
  /** The engine, with addresses by secret. */
  readonly engine: ClickHouseHost
  readonly folder: string
  readonly #gate: Gate
  /** Names of databases with all tables, without rows. */
  readonly #empty: string[] = []
  /** Of a database with all tables, none of them changed. */
  #schema: string | undefined
  readonly #connections = new Set<ClickHouseConnection>()

  private constructor(engine: ClickHouseHost, gate: Gate, folder: string) {
    this.engine = engine
    this.#gate = gate
    this.folder = folder
  }

  static async start(options: Partial<HostOptions>): Promise<TestEngine> {
    const folder = mkdtempSync(join(tmpdir(), 'orrery-clickhouse-'))
    // No test of this kind loses power: without syncs it is faster.
    const engine = await startClickHouseHost({ dir: folder, syncs: false, ...options })
    return new TestEngine(engine, await openGate({ engineUrl: engine.url, accounts: accountsOf(engine) }), folder)
  }

  /** The engine, with addresses by user and password, as of a ClickHouse server. */
  get host(): ClickHouseHost {
    return { ...this.engine, address: (user) => this.#byPassword(user) }
  }

  /** A database without rows, with all tables. `empty`: a new one without them. */
  async database({ empty = false } = {}): Promise<TestDatabase> {
    const name = (empty ? undefined : this.#empty.pop()) ?? (await this.#create(empty))
    const own: ClickHouseConnection[] = []
    let released: Promise<void> | undefined
    return {
      name,
      address: (user) => ({ ...this.#byPassword(user), database: name }),
      connect: (user) => {
        const connection = openClickHouse(this.#direct(user, name))
        own.push(connection)
        this.#connections.add(connection)
        return connection
      },
      release: () => {
        released ??= this.#close(own).then(() => this.#take(name))
        return released
      },
    }
  }

  async stop(): Promise<void> {
    await this.#close([...this.#connections])
    await this.#gate.stop()
    await this.engine.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  async #close(connections: readonly ClickHouseConnection[]): Promise<void> {
    await Promise.all(connections.map((connection) => connection.close()))
    for (const connection of connections) this.#connections.delete(connection)
  }

  async #create(empty: boolean): Promise<string> {
    const name = `orrery_${randomBytes(6).toString('hex')}`
    if (empty) return name
    await migrate(this.#direct('admin', name))
    this.#schema ??= await this.#schemaOf(name)
    return name
  }

  /** Empties the database for its next user, or drops it if a test has changed its tables. */
  async #take(name: string): Promise<void> {
    await using admin = openClickHouse(this.#direct('admin', 'system'))
    if ((await this.#schemaOf(name)) !== this.#schema) {
      await admin.client.command({ query: `DROP DATABASE IF EXISTS ${name}` })
      return
    }
    await admin.client.command({ query: `TRUNCATE ALL TABLES FROM ${name} NOT LIKE 'schema_migrations'` })
    const query = `SELECT table FROM system.parts WHERE database = '${name}' AND table != 'schema_migrations' AND active AND rows > 0`
    const left = await (await admin.client.query({ query, format: 'JSONCompactEachRow' })).json()
    if (left.length > 0) throw new Error(`Tables still have rows after they were emptied: ${left.join(', ')}.`)
    this.#empty.push(name)
  }

  /** The statements that would create the tables and views of a database, and its applied migrations, as one number. */
  async #schemaOf(name: string): Promise<string> {
    await using admin = openClickHouse(this.#direct('admin', 'system'))
    const tables = `SELECT name, replaceAll(create_table_query, '${name}', '') FROM system.tables WHERE database = '${name}' ORDER BY name`
    const found = await admin.client.query({ query: tables, format: 'TabSeparated' })
    const text = await found.text()
    if (!/^schema_migrations\t/m.test(text)) return ''
    const applied = `SELECT name, sha256 FROM ${name}.schema_migrations FINAL ORDER BY name`
    return text + (await (await admin.client.query({ query: applied, format: 'TabSeparated' })).text())
  }

  #direct(user: HostUser, database: string): ClickHouseAddress {
    return { ...this.engine.address(user), database }
  }

  #byPassword(user: HostUser): ClickHouseAddress {
    return { url: this.#gate.url, user, password: passwordOf(user), database: this.engine.database }
  }
}

const passwordOf = (user: HostUser): string => `password-of-${user}`

function accountsOf(host: ClickHouseHost) {
  return HOST_USERS.map((user) => ({ user, password: passwordOf(user), secret: host.address(user).headers?.[SECRET_HEADER] ?? '' }))
}
