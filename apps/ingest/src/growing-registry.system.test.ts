// A log whose registry grows: what ingest records, from which ledger, and which bootstrap entries it reads.

import { controlTopic, decodeControl, type EventLog, type RegistryControl } from '@orrery/event-log'
import type { Network } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedValues } from '../test/log-content.ts'
import { FaultyLog } from '../test/log-over.ts'
import { smallerRegistry } from '../test/smaller-registry.ts'
import { aWorld, type World } from '../test/world.ts'

const aFolder = temporaryFolders()
let world: World
let smaller: Network
beforeAll(async () => {
  world = await aWorld(aFolder)
  ;({ smaller } = smallerRegistry(world.network))
})

const before = () => memorySource(world.ledgers.slice(0, 100))

const controlOf = async (log: EventLog) =>
  (await storedValues(log, { topic: controlTopic(smaller.name), partition: 0 })).flatMap(decodeControl)
const registriesOf = async (log: EventLog) =>
  (await controlOf(log)).filter((record): record is RegistryControl => record.kind === 'registry')

describe('the control topic of a log whose registry grows', () => {
  it('the control topic of a log whose registry grows holds the same records after a failure of any call around the start with the larger registry, before or after it took effect', async () => {
    const rest = () => memorySource(world.ledgers.slice(100, 106), { last: null })
    const meaning = async (log: EventLog) => ({ content: await world.contentOf(log), registries: await registriesOf(log) })
    await using clean = await world.log()
    await world.ingest(clean, { network: smaller, source: before() })
    await world.ingest(clean, { source: rest() })
    const expected = await meaning(clean)
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; call <= 20; call++) {
        await using log = await world.log()
        await world.ingest(log, { network: smaller, source: before() })
        const fault = new FaultyLog(log, call, when)
        for (let attempt = 0; attempt < 5; attempt++) {
          const failed = await world.ingest(fault, { source: rest() }).then(
            () => false,
            () => true,
          )
          if (!failed) break
        }
        expect(await meaning(log), `call ${call} failed ${when} it took effect`).toEqual(expected)
      }
    }
  })
})
