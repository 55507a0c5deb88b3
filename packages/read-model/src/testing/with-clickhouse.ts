// A real embedded ClickHouse for a test file: one engine for the file, and a separate database for each test that needs one.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse } from '../connection.ts'
import { HOST_USERS, type HostUser, SECRET_HEADER } from '../host/credentials.ts'
import { type Gate, openGate } from '../host/gate.ts'
import { type ClickHouseHost, type HostOptions, startClickHouseHost } from '../host/start-host.ts'
import { migrate } from '../schema/migrate.ts'

export interface TestDatabase {
  readonly name: string
  /** By user and password, as of a ClickHouse server: for separate processes. */
  address(user: HostUser): ClickHouseAddress
  /** A connection as `user`, closed when the file is done. */
  connect(user: HostUser): ClickHouseConnection
}

export interface TestClickHouse {
  /** The engine, with addresses by user and password, as of a ClickHouse server. */
  readonly host: ClickHouseHost
  /** The engine, with addresses by secret. */
  readonly engine: ClickHouseHost
  /** A new database with all tables. `empty`: without them. */
  database(options?: { readonly empty?: boolean }): Promise<TestDatabase>
}

const passwordOf = (user: HostUser): string => `password-of-${user}`

function accountsOf(host: ClickHouseHost) {
  return HOST_USERS.map((user) => ({ user, password: passwordOf(user), secret: host.address(user).headers?.[SECRET_HEADER] ?? '' }))
}

/** Call it at the top of a test file: the engine starts before its first test and ends after its last. */
export function withClickHouse(options: Partial<HostOptions> = {}): TestClickHouse {
  const connections: ClickHouseConnection[] = []
  let dir = ''
  let started: { readonly host: ClickHouseHost; readonly gate: Gate } | undefined

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'orrery-clickhouse-'))
    // No test of this kind loses power: without syncs it is faster.
    const host = await startClickHouseHost({ dir, syncs: false, ...options })
    started = { host, gate: await openGate({ engineUrl: host.url, accounts: accountsOf(host) }) }
  })
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()))
    await started?.gate.stop()
    await started?.host.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const running = (): { readonly host: ClickHouseHost; readonly gate: Gate } => {
    if (started === undefined) throw new Error('The engine runs while tests run: use it only inside a test or a hook.')
    return started
  }
  const byPassword = (user: HostUser): ClickHouseAddress => {
    const { host, gate } = running()
    return { url: gate.url, user, password: passwordOf(user), database: host.database }
  }
  return {
    get host() {
      return { ...running().host, address: byPassword }
    },
    get engine() {
      return running().host
    },
    async database({ empty = false } = {}) {
      const database = `orrery_${randomBytes(6).toString('hex')}`
      const direct = (user: HostUser): ClickHouseAddress => ({ ...running().host.address(user), database })
      if (!empty) await migrate(direct('admin'))
      const connect = (user: HostUser): ClickHouseConnection => {
        const connection = openClickHouse(direct(user))
        connections.push(connection)
        return connection
      }
      return { name: database, address: (user) => ({ ...byPassword(user), database }), connect }
    },
  }
}
