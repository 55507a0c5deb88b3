// An index of the shipped recording that begins at ledger 1,000,100, when nine contracts and five pairs are there, up to 1,000,191.

import type { FakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { FaultyLog } from '../test/log-over.ts'
import { aNode, entriesOf } from '../test/rpc.ts'
import { aWorld, type World } from '../test/world.ts'
import type { IngestOptions } from './start-ingest.ts'

const FIRST = 1_000_100
const LAST = 1_000_191
const aFolder = temporaryFolders()
let world: World
let node: FakeRpc
beforeAll(async () => {
  world = await aWorld(aFolder)
  node = await aNode(LAST)
})
afterAll(() => node[Symbol.asyncDispose]())

const younger = (): IngestOptions['source'] => memorySource(world.ledgers.filter(({ sequence }) => sequence >= FIRST))
const lateStart = (more: Partial<IngestOptions> = {}): Partial<IngestOptions> => ({ source: younger(), entries: entriesOf(node), ...more })

describe('an index that begins in the middle of history', () => {
  it('an index that begins in the middle of history has the same log whichever call to the log fails, before or after it took effect', async () => {
    const few = () =>
      memorySource(
        world.ledgers.filter(({ sequence }) => sequence >= FIRST && sequence < FIRST + 8),
        { last: null },
      )
    await using clean = await world.log()
    await world.ingest(clean, lateStart({ source: few() }))
    const meaning = await world.contentOf(clean)
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; ; call++) {
        await using log = await world.log()
        const fault = new FaultyLog(log, call, when)
        for (let attempts = 0; attempts < 3; attempts++) {
          try {
            await world.ingest(fault, lateStart({ source: few() }))
            break
          } catch (error) {
            expect(error).toMatchObject({ code: 'log_unreachable' })
          }
        }
        expect(await world.contentOf(log), `call ${call} failed ${when} it took effect`).toEqual(meaning)
        if (!fault.happened) break
      }
    }
  })
})
