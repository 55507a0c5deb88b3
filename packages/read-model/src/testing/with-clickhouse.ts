// A real embedded ClickHouse for a test file, and a separate database for each test that needs one.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { ClickHouseHost, HostOptions } from '../host/start-host.ts'
import { leaseDatabase } from './engine-lease.ts'
import { type TestDatabase, TestEngine } from './test-engine.ts'

export type { TestDatabase }

export interface TestDatabases {
  /** A database that no other test has, with all tables and without rows. `empty`: without the tables. */
  database(options?: { readonly empty?: boolean }): Promise<TestDatabase>
  /** The same, until the running test is finished. */
  databaseOfTest(options?: { readonly empty?: boolean }): Promise<TestDatabase>
}

export interface TestClickHouse extends TestDatabases {
  /** The engine, with addresses by user and password, as of a ClickHouse server. */
  readonly host: ClickHouseHost
  /** The engine, with addresses by secret. */
  readonly engine: ClickHouseHost
}

/**
 * An engine of the file's own, for tests that stop it, configure it, or look at everything that it does. Call it at the top of a test file:
 * the engine starts before its first test and ends after its last.
 */
export function withClickHouse(options: Partial<HostOptions> = {}): TestClickHouse {
  let started: TestEngine | undefined
  const running = (): TestEngine => {
    if (started === undefined) throw new Error('The engine runs while tests run: use it only inside a test or a hook.')
    return started
  }
  beforeAll(async () => {
    started = await TestEngine.start(options)
  })
  afterAll(() => started?.stop())
  return {
    get host() {
      return running().host
    },
    get engine() {
      return running().engine
    },
    database: (given) => running().database(given),
    databaseOfTest: async (given) => untilTestFinished(await running().database(given)),
  }
}

/**
 * Databases on the engine of this process, which other files use after it; it keeps a query log. Call it at the top of a test file: what the file
 * still has of them is given back after its last test.
 */
export function withDatabases(): TestDatabases {
  const taken: TestDatabase[] = []
  afterAll(async () => {
    for (const database of taken.splice(0)) await database.release()
  })
  return {
    async database(given) {
      const database = await leaseDatabase(given)
      taken.push(database)
      return database
    },
    databaseOfTest: async (given) => untilTestFinished(await leaseDatabase(given)),
  }
}

function untilTestFinished(database: TestDatabase): TestDatabase {
  onTestFinished(() => database.release())
  return database
}
