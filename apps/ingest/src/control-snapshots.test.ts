import { controlSnapshotTopic, controlTopic, type EventLog, type LogRecord, readControlSnapshot } from '@orrery/event-log'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedValues } from '../test/log-content.ts'
import { LogOver } from '../test/log-over.ts'
import { aWorld, type World } from '../test/world.ts'
import { ControlHistoryBuilder } from './control-history.ts'
import { readControl } from './control-snapshots.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

/** Notes from which offset of the control topic each read began, and the ledgers that it returned. */
class WatchedLog extends LogOver {
  readonly reads: bigint[] = []
  readonly #control: string

  constructor(log: EventLog, network: string) {
    super(log)
    this.#control = controlTopic(network)
  }

  override read(...args: Parameters<EventLog['read']>): AsyncIterable<readonly LogRecord[]> {
    const [{ topic }, offset] = args
    if (topic === this.#control) this.reads.push(offset)
    return super.read(...args)
  }
}

/** Ingest of all ledgers in several runs, each of which goes on until it has written a snapshot of its last ledger. */
async function aLogWithSnapshots(): Promise<EventLog> {
  const log = await world.log()
  for (const end of [20, 60, 61, 140, world.ledgers.length]) {
    const ledgers = world.ledgers.slice(0, end)
    const isLast = end === world.ledgers.length
    const source = memorySource(ledgers, isLast ? {} : { last: null })
    const running = await startIngest(world.optionsFor(log, { source, snapshotAfterBytes: 1, gaps: async () => [] }))
    await running.ended
    await expect.poll(() => readControlSnapshot(log, world.network.name)).toMatchObject({ ledger: ledgers.at(-1)?.sequence })
    await running.stop()
  }
  return log
}

describe('snapshots of the control topic', () => {
  it('a start from any snapshot knows what a start from the beginning of the topic knows', async () => {
    await using log = await aLogWithSnapshots()
    const { name } = world.network
    const values = await storedValues(log, world.control)
    const last = world.ledgers.at(-1)?.sequence ?? 0
    const used = new Set<number>()
    for (let fromLedger = (world.ledgers[0]?.sequence ?? 0) - 1; fromLedger <= last + 1; fromLedger++) {
      const whole = new ControlHistoryBuilder(fromLedger)
      for (const value of values) whole.add(value)
      expect((await readControl(log, name, { fromLedger })).history).toEqual(whole.history())
      used.add((await readControlSnapshot(log, name, fromLedger))?.ledger ?? 0)
    }
    expect(used.size).toBeGreaterThan(4)
  })

  it('ingest that writes snapshots, and starts from them, writes the same log', async () => {
    await using log = await aLogWithSnapshots()
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('a restart reads the control topic from its newest snapshot on', async () => {
    await using log = await aLogWithSnapshots()
    const newest = await readControlSnapshot(log, world.network.name)
    const watched = new WatchedLog(log, world.network.name)
    await world.ingest(watched)
    expect(watched.reads.length).toBeGreaterThan(1)
    expect(watched.reads.every((offset) => offset >= (newest?.offset ?? 0n))).toBe(true)
    expect(newest?.offset).toBeGreaterThan(1n)
  })

  it('a snapshot is written after as many bytes of the control topic as are set, and a short topic has none', async () => {
    await using log = await world.log()
    await world.ingest(log)
    expect(await storedValues(log, { topic: controlSnapshotTopic(world.network.name), partition: 0 })).toEqual([])
  })
})
