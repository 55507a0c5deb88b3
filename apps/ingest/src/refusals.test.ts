import { type EventLog, sliceTopic } from '@orrery/event-log'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedValues } from '../test/log-content.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('the checks of ingest at start and for each ledger', () => {
  const refused = (log: EventLog, more: Partial<IngestOptions>) => expect(startIngest(world.optionsFor(log, more))).rejects

  it('a source of another network is refused', async () => {
    await using log = await world.log()
    await refused(log, {
      source: memorySource(world.ledgers, { passphrase: 'Public Global Stellar Network ; September 2015' }),
    }).toMatchObject({
      kind: 'invalid',
      code: 'wrong_network',
    })
  })

  it('an existing log refuses another network, passphrase, number of partitions or first ledger', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 10)) })
    await refused(log, { network: { ...world.network, passphrase: 'another' } }).toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    await refused(log, { partitions: { soroswap: 8 } }).toMatchObject({ kind: 'invalid', code: 'topic_mismatch' })
    await refused(log, { fromLedger: 1_000_003 }).toMatchObject({ kind: 'invalid', code: 'first_ledger_mismatch' })
    const running = await startIngest(world.optionsFor(log, { fromLedger: 1_000_000 }))
    await running.finished
  })

  it('a source that begins after or ends before the next ledger of the log is refused with the missing ledgers', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 20)) })
    await refused(log, { source: memorySource(world.ledgers.slice(30)) }).toMatchObject({
      kind: 'invalid',
      code: 'ledgers_out_of_range',
      message: expect.stringContaining('ledgers 1000020 to 1000029 would be missing'),
    })
    await refused(log, { source: memorySource(world.ledgers.slice(0, 10)) }).toMatchObject({ code: 'ledgers_out_of_range' })
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('a first ledger that the source does not have is refused', async () => {
    await using log = await world.log()
    await refused(log, { fromLedger: 999_990 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await refused(log, { fromLedger: 1_000_192 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
  })

  it('a break of the hash chain stops ingest, and everything before it is stored', async () => {
    await using log = await world.log()
    const broken = [
      ...world.ledgers.slice(0, 40),
      ...world.ledgers.slice(41, 60).map(({ bytes }, n) => ({ sequence: 1_000_040 + n, bytes })),
    ]
    const running = await startIngest(world.optionsFor(log, { source: memorySource(broken) }))
    await expect(running.ended).rejects.toMatchObject({ kind: 'corrupt', code: 'ledger_chain_broken', context: { ledger: 1_000_040 } })
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_chain_broken' })
    expect((await world.contentOf(log)).partitions.map(({ covered }) => covered)).toEqual([1_000_039, 1_000_039, 1_000_039, 1_000_039])
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('a ledger that cannot be decoded stops ingest with its number, and everything before it is stored', async () => {
    await using log = await world.log()
    const cut = world.ledgers
      .slice(0, 30)
      .map((ledger) => (ledger.sequence === 1_000_029 ? { ...ledger, bytes: ledger.bytes.subarray(0, 900) } : ledger))
    const running = await startIngest(world.optionsFor(log, { source: memorySource(cut) }))
    await expect(running.ended).rejects.toMatchObject({ kind: 'corrupt', context: { ledger: 1_000_029 } })
    expect((await world.contentOf(log)).partitions.map(({ covered }) => covered)).toEqual([1_000_028, 1_000_028, 1_000_028, 1_000_028])
  })

  it('slices without a control topic are refused', async () => {
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
