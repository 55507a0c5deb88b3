// A real embedded ClickHouse for a test file: one engine for the file, a database of its own for each test that asks.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse } from '../connection.ts'
import type { HostUser } from '../host/credentials.ts'
import { type ClickHouseHost, type HostOptions, startClickHouseHost } from '../host/start-host.ts'
import { migrate } from '../schema/migrate.ts'

export interface TestDatabase {
  readonly name: string
  address(user: HostUser): ClickHouseAddress
  /** A connection as `user`, closed when the file is done. */
  connect(user: HostUser): ClickHouseConnection
}

export interface TestClickHouse {
  readonly host: ClickHouseHost
  /** A new database with all tables. `empty`: without them. */
  database(options?: { readonly empty?: boolean }): Promise<TestDatabase>
}

/** Call it at the top of a test file: the engine starts before its first test and ends after its last. */
export function withClickHouse(options: Partial<HostOptions> = {}): TestClickHouse {
  const connections: ClickHouseConnection[] = []
  let dir = ''
  let host: ClickHouseHost | undefined

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'orrery-clickhouse-'))
    host = await startClickHouseHost({ dir, ...options })
  })
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()))
    await host?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const running = (): ClickHouseHost => {
    if (host === undefined) throw new Error('The engine runs while tests run: ask for it inside of a test or a hook.')
    return host
  }
  return {
    get host() {
      return running()
    },
    async database({ empty = false } = {}) {
      const name = `orrery_${randomBytes(6).toString('hex')}`
      const address = (user: HostUser): ClickHouseAddress => ({ ...running().address(user), database: name })
      if (!empty) await migrate(address('admin'))
      const connect = (user: HostUser): ClickHouseConnection => {
        const connection = openClickHouse(address(user))
        connections.push(connection)
        return connection
      }
      return { name, address, connect }
    },
  }
}
