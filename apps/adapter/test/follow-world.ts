// What the tests of the loop for one partition share: the story in a log and a set of tables of its own for each run, and the rows of a run
// without any fault.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventLog } from '@orrery/event-log'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { followUntil, openStoryLog } from './counted-world.ts'
import { counter } from './counter.ts'
import { encoded, lastLedgerOf, STORY, tell } from './story.ts'
import { type Tables, withTables } from './tables.ts'

/** The last ledger of the story. */
export const LAST = lastLedgerOf(STORY)
/** The story as ingest sends it. */
export const WHOLE = tell(STORY)
/** A batch for each slice: as many calls as there can be. */
export const ONE_BY_ONE = { maxWeight: 1, maxAgeMs: 60_000, quietMs: 5 }

export interface FollowWorld {
  readonly tables: Tables
  /** What a run without any fault has stored. */
  readonly expected: unknown
  /** A log of these values, closed after the test. */
  logOf(values: readonly Uint8Array[]): Promise<EventLog>
  /** What a run over these values needs, under an adapter version of its own. */
  world(values: readonly Uint8Array[], limits?: typeof ONE_BY_ONE): Promise<FollowRun>
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
    const log = await openStoryLog(mkdtempSync(join(folder, 'log-')), values)
    open.push(log)
    return log
  }
  const world = async (values: readonly Uint8Array[], limits = ONE_BY_ONE): Promise<FollowRun> => {
    const version = tables.nextVersion()
    return { version, adapter: counter(version), log: await logOf(values), store: tables.store, limits }
  }

  beforeAll(async () => {
    tables = await engine.open()
  })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orrery-follow-'))
    if (expected !== undefined) return
    const straight = await world(encoded(WHOLE))
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
    world,
  }
}
