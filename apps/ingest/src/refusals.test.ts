import { type EventLog, sliceTopic } from '@orrery/event-log'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedValues } from '../test/told.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('what is refused', () => {
  const refused = (log: EventLog, more: Partial<IngestOptions>) => expect(startIngest(world.optionsFor(log, more))).rejects

  it('is a source of another network', async () => {
    await using log = await world.log()
    await refused(log, {
      source: memorySource(world.ledgers, { passphrase: 'Public Global Stellar Network ; September 2015' }),
    }).toMatchObject({
      kind: 'invalid',
      code: 'wrong_network',
    })
  })

  it('is another network, passphrase, number of partitions or first ledger in a log that has begun', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 10)) })
    await refused(log, { network: { ...world.network, passphrase: 'another' } }).toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    await refused(log, { partitions: { soroswap: 8 } }).toMatchObject({ kind: 'invalid', code: 'topic_mismatch' })
    await refused(log, { fromLedger: 1_000_003 }).toMatchObject({ kind: 'invalid', code: 'first_ledger_mismatch' })
    const running = await startIngest(world.optionsFor(log, { fromLedger: 1_000_000 }))
    await running.finished
  })

  it('is a source that begins after, or ends before, where the log goes on: what is missing is named', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 20)) })
    await refused(log, { source: memorySource(world.ledgers.slice(30)) }).toMatchObject({
      kind: 'invalid',
      code: 'ledgers_out_of_range',
      message: expect.stringContaining('ledgers 1000020 to 1000029 would be missing'),
    })
    await refused(log, { source: memorySource(world.ledgers.slice(0, 10)) }).toMatchObject({ code: 'ledgers_out_of_range' })
    await world.ingest(log)
    expect(await world.told(log)).toEqual(world.expected)
  })

  it('is a first ledger that the source does not have', async () => {
    await using log = await world.log()
    await refused(log, { fromLedger: 999_990 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await refused(log, { fromLedger: 1_000_192 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
  })

  it('is a chain that breaks: everything before is kept', async () => {
    await using log = await world.log()
    const broken = [
      ...world.ledgers.slice(0, 40),
      ...world.ledgers.slice(41, 60).map(({ bytes }, n) => ({ sequence: 1_000_040 + n, bytes })),
    ]
    const running = await startIngest(world.optionsFor(log, { source: memorySource(broken) }))
    await expect(running.ended).rejects.toMatchObject({ kind: 'corrupt', code: 'ledger_chain_broken', context: { ledger: 1_000_040 } })
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_chain_broken' })
    expect((await world.told(log)).partitions.map(({ covered }) => covered)).toEqual([1_000_039, 1_000_039, 1_000_039, 1_000_039])
    await world.ingest(log)
    expect(await world.told(log)).toEqual(world.expected)
  })

  it('is a ledger that cannot be read: it is named, and everything before is kept', async () => {
    await using log = await world.log()
    const cut = world.ledgers
      .slice(0, 30)
      .map((ledger) => (ledger.sequence === 1_000_029 ? { ...ledger, bytes: ledger.bytes.subarray(0, 900) } : ledger))
    const running = await startIngest(world.optionsFor(log, { source: memorySource(cut) }))
    await expect(running.ended).rejects.toMatchObject({ kind: 'corrupt', context: { ledger: 1_000_029 } })
    expect((await world.told(log)).partitions.map(({ covered }) => covered)).toEqual([1_000_028, 1_000_028, 1_000_028, 1_000_028])
  })

  it('are slices whose control topic is gone', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 20)) })
    await using other = await world.log()
    await other.ensureTopic(sliceTopic(world.network.name, 'soroswap'), {
      partitions: PARTITIONS,
      retentionSeconds: null,
      retentionBytes: null,
    })
    for (let partition = 0; partition < PARTITIONS; partition++)
      await other.append(world.slices(partition), await storedValues(log, world.slices(partition)))
    await refused(other, {}).toMatchObject({ kind: 'corrupt', code: 'control_topic_lost' })
  })
})
