// The set-up of the tests of the loop for one partition: a log and a set of tables for each run, and the rows of a run without faults.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventLog } from '@orrery/event-log'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { followUntil, openTestLog } from './counted-world.ts'
import { counter } from './counter.ts'
import { type Tables, withTables } from './tables.ts'
import { encoded, lastLedgerOf, slicesOf, TEST_LEDGERS } from './test-ledgers.ts'

/** The last of the test ledgers. */
export const LAST = lastLedgerOf(TEST_LEDGERS)
/** The slices of the test ledgers, as ingest appends them. */
export const ALL_SLICES = slicesOf(TEST_LEDGERS)
/** A batch for each slice: the largest number of calls. */
export const ONE_BY_ONE = { maxWeight: 1, maxAgeMs: 60_000, quietMs: 5 }

export interface FollowWorld {
  readonly tables: Tables
  /** The rows of a run without faults. */
  readonly expected: unknown
  /** A log of these values, closed after the test. */
  logOf(values: readonly Uint8Array[]): Promise<EventLog>
  /** The parts of a run over these values, with an adapter version of its own. */
  run(values: readonly Uint8Array[], limits?: typeof ONE_BY_ONE): Promise<FollowRun>
}

interface FollowRun {
  readonly version: number
  readonly adapter: ReturnType<typeof counter>
  readonly log: EventLog
  readonly store: Tables['store']
  readonly limits: typeof ONE_BY_ONE
}

/** Call it once, inside of a test file's `describe`. The members can be read in tests and hooks. */
export function followWorld(): FollowWorld {
  const engine = withTables()
  let tables: Tables
  let expected: unknown
  let folder: string
  const open: EventLog[] = []

  const logOf = async (values: readonly Uint8Array[]): Promise<EventLog> => {
    const log = await openTestLog(mkdtempSync(join(folder, 'log-')), values)
    open.push(log)
    return log
  }
  const run = async (values: readonly Uint8Array[], limits = ONE_BY_ONE): Promise<FollowRun> => {
    const version = tables.nextVersion()
    return { version, adapter: counter(version), log: await logOf(values), store: tables.store, limits }
  }

  beforeAll(async () => {
    tables = await engine.open()
  })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orrery-follow-'))
    if (expected !== undefined) return
    const straight = await run(encoded(ALL_SLICES))
    await followUntil(LAST, straight)
    expected = await tables.rowsOf(straight.version)
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((log) => log.close()))
    rmSync(folder, { recursive: true })
  })
  return {
    get tables() {
      return tables
    },
    get expected() {
      return expected
    },
    logOf,
    run,
  }
}
