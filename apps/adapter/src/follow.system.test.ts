import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventLog } from '@orrery/event-log'
import { CallFault } from '@orrery/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { followUntil, openStoryLog } from '../test/counted-world.ts'
import { counter } from '../test/counter.ts'
import { encoded, lastLedgerOf, STORY, tell } from '../test/story.ts'
import { type Tables, withTables } from '../test/tables.ts'

const LAST = lastLedgerOf(STORY)
const WHOLE = tell(STORY)
/** A batch for each slice: as many calls as there can be. */
const ONE_BY_ONE = { maxWeight: 1, maxAgeMs: 60_000, quietMs: 5 }

const engine = withTables()

describe('following a partition', () => {
  let tables: Tables
  let expected: unknown
  let folder: string
  const open: EventLog[] = []

  const logOf = async (values: readonly Uint8Array[]): Promise<EventLog> => {
    const log = await openStoryLog(mkdtempSync(join(folder, 'log-')), values)
    open.push(log)
    return log
  }
  const world = async (values: readonly Uint8Array[], limits = ONE_BY_ONE) => {
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

  it.each(['before', 'after'] as const)('an adapter writes the same rows whichever call fails %s it took effect', async (when) => {
    for (let call = 1; ; call++) {
      const one = await world(encoded(WHOLE), { ...ONE_BY_ONE, maxWeight: 12 })
      const fault = new CallFault(call, when)
      await followUntil(LAST, one, fault)
      expect(await tables.rowsOf(one.version), `call ${call}`).toEqual(expected)
      if (!fault.happened) break
    }
  })
})
