import type { EventLog } from '@orrery/event-log'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { FaultyLog } from '../test/log-over.ts'
import { aWorld, type World } from '../test/world.ts'
import type { IngestOptions } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

/** Restarts ingest after every failure, as a supervisor does. */
async function ingestUntilItWorks(log: EventLog, more: Partial<IngestOptions>): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts++) {
    try {
      // Each control record may be followed by a snapshot, whose calls fail as well.
      return await world.ingest(log, { ...more, snapshotAfterBytes: 1 })
    } catch (error) {
      expect(error).toMatchObject({ code: 'log_unreachable' })
    }
  }
  expect.unreachable('Ingest never finished.')
}

describe('a restart', () => {
  it('a restart after a failure of any call to the log, before or after it took effect, leads to the same log', async () => {
    // A few ledgers, appended one by one: pairs are created in the middle.
    const few = world.ledgers.slice(0, 9)
    const source = () => memorySource(few, { last: null })
    await using clean = await world.log()
    await world.ingest(clean, { source: source() })
    const meaning = await world.contentOf(clean)
    let faults = 0
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; ; call++) {
        await using log = await world.log()
        const fault = new FaultyLog(log, call, when)
        await ingestUntilItWorks(fault, { source: source() })
        expect(await world.contentOf(log), `call ${call} failed ${when} it took effect`).toEqual(meaning)
        if (!fault.happened) break
        faults++
      }
    }
    expect(faults).toBeGreaterThan(60)
  })
})
