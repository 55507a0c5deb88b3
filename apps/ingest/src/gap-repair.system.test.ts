import { decodeSlice, type EventLog, type LogPartition } from '@orrery/event-log'
import type { Network, Slice } from '@orrery/protocol-kit'
import { createLogger, createMetrics } from '@orrery/service-kit'
import type { FakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { FaultyLog, LogOver } from '../test/log-over.ts'
import { aNode, entriesOf, timesAsked } from '../test/rpc.ts'
import { readToldLog, storedSlices } from '../test/told.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import type { Gap } from './gap-repair.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
const PARTITION = 1
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

/** Drops the n-th slice with records (from 1) of a partition, as a log that lost it. */
function losing(log: EventLog, nth: number): EventLog {
  let seen = 0
  const isLost = (to: LogPartition, value: Uint8Array): boolean => {
    if (to.topic !== world.slices(PARTITION).topic || to.partition !== PARTITION) return false
    return decodeSlice(value).records.length > 0 && ++seen === nth
  }
  return new LogOver(log, (to, values) =>
    log.append(
      to,
      values.filter((value) => !isLost(to, value)),
    ),
  )
}

/** What an adapter would say: it sets aside what does not fit, until it fits again. */
async function holeOf(log: EventLog): Promise<Gap | null> {
  const slices = await storedSlices(log, world.slices(PARTITION))
  let covered = slices[0]?.after ?? 0
  let before: number | null = null
  for (const { after, ledger } of slices) {
    if (after > covered) {
      before ??= after
    } else if (ledger > covered) {
      covered = ledger
      before = null
    }
  }
  return before === null ? null : { protocol: 'soroswap', partition: PARTITION, after: covered, before }
}

/** Starts again after every failure, as a supervisor does, until there is no hole. */
async function repairUntilItWorks(log: EventLog, options: () => IngestOptions): Promise<void> {
  for (let attempts = 0; attempts < 10; attempts++) {
    const isWhole = Promise.withResolvers<void>()
    const gaps = async () => {
      const hole = await holeOf(log)
      if (hole === null) isWhole.resolve()
      return hole === null ? [] : [hole]
    }
    try {
      const ingest = await startIngest({ ...options(), gaps, gapsEveryMs: 2 })
      await Promise.race([isWhole.promise, ingest.finished])
      return await ingest.stop()
    } catch (error) {
      expect(error).toMatchObject({ code: 'log_unreachable' })
    }
  }
  expect.unreachable('the hole was never filled')
}

const asAdaptersRead = (log: EventLog) => readToldLog(log, world.network.name, 'soroswap', PARTITIONS, true)

describe('a partition whose log lost a slice', () => {
  it.each([1, 2, 5])('is told again from the hole on after the source has ended: slice %i', async (nth) => {
    await using log = await world.log()
    await world.ingest(losing(log, nth))
    expect(await holeOf(log)).not.toBeNull()
    const isWhole = Promise.withResolvers<void>()
    const metrics = createMetrics()
    const gaps = async () => {
      const hole = await holeOf(log)
      if (hole === null) isWhole.resolve()
      return hole === null ? [] : [hole]
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5, metrics }))
    await ingest.ended
    await isWhole.promise
    await ingest.stop()
    const { partitions, tracked, last } = await asAdaptersRead(log)
    expect(partitions).toEqual(world.expected.partitions)
    expect([tracked, last]).toEqual([world.expected.tracked, world.expected.last])
    expect(await metrics.registry.metrics()).toContain('orrery_ingest_retold_total{protocol="soroswap"} 1')
  })

  it('is told again while reading goes on, and the other partitions are told nothing twice', async () => {
    await using log = await world.log()
    const isRepaired = Promise.withResolvers<void>()
    let wasSeen = false
    const lossy = losing(log, 1)
    const source = memorySource(world.ledgers, {
      last: null,
      before: async (sequence) => {
        // The front waits at this ledger, so that the hole is found and filled before the source ends; the second reader passes.
        if (sequence === 1_000_150) await isRepaired.promise
      },
    })
    const gaps = async () => {
      const hole = await holeOf(log)
      wasSeen ||= hole !== null
      if (wasSeen && hole === null) isRepaired.resolve()
      return hole === null ? [] : [hole]
    }
    const ingest = await startIngest(world.optionsFor(lossy, { source, gaps, gapsEveryMs: 5 }))
    await ingest.ended
    await ingest.stop()
    expect((await asAdaptersRead(log)).partitions).toEqual(world.expected.partitions)
    for (const other of [0, 2, 3]) {
      const ledgers = (await storedSlices(log, world.slices(other))).map(({ ledger }) => ledger)
      expect(ledgers).toEqual([...new Set(ledgers)].sort((a, b) => a - b))
    }
  })

  it('is whole in the end whichever call to the log fails while it is told again, before or after it took effect', async () => {
    const source = () => memorySource(world.ledgers.slice(0, 40))
    await using clean = await world.log()
    await world.ingest(clean, { source: source() })
    const { partitions } = await world.told(clean)
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; ; call++) {
        await using log = await world.log()
        await world.ingest(losing(log, 1), { source: source() })
        const fault = new FaultyLog(log, call, when)
        await repairUntilItWorks(log, () => world.optionsFor(fault, { source: source() }))
        expect((await asAdaptersRead(log)).partitions, `call ${call} failed ${when} it took effect`).toEqual(partitions)
        if (!fault.happened) break
      }
    }
  })

  it('is told again from its first ledger on when retention has taken what lay before the hole', async () => {
    await using log = await world.log()
    await world.ingest(log, { retention: { seconds: null, bytes: 1 } })
    const [kept] = await storedSlices(log, world.slices(PARTITION))
    const expected = world.expected.partitions[PARTITION]
    const hole: Gap = { protocol: 'soroswap', partition: PARTITION, after: 1_000_100, before: kept?.after ?? 0 }
    expect(hole.before).toBeGreaterThan(hole.after)
    const isWhole = Promise.withResolvers<void>()
    const gaps = async () => {
      const isFilled = (await storedSlices(log, world.slices(PARTITION))).slice(1).some(({ ledger }) => ledger >= (kept?.ledger ?? 0))
      if (isFilled) isWhole.resolve()
      return isFilled ? [] : [hole]
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5 }))
    await isWhole.promise
    await ingest.stop()
    const [, ...again] = await storedSlices(log, world.slices(PARTITION))
    expect(again.map(({ after }) => after)).toEqual([expected?.firstAfter, ...again.slice(0, -1).map(({ ledger }) => ledger)])
    expect(again.at(-1)).toMatchObject({ ledger: expected?.covered, rollingHash: expected?.rollingHash })
  })

  describe('whose registry has grown', () => {
    /** First ledger that the additions count for, which has records of the partition: entries of the added oracles were read for it. */
    const FROM = 1_000_100
    let node: FakeRpc
    let smaller: Network
    beforeAll(async () => {
      node = await aNode()
      const { oracles, pricePools } = world.network
      smaller = {
        ...world.network,
        // Feeds write rounds before the addition too: those ledgers must not get them.
        oracles: oracles.filter(({ kind }) => kind === 'fxdao_currencies'),
        pricePools: pricePools.filter(({ protocol }) => protocol !== 'soroswap'),
      }
    })
    afterAll(() => node[Symbol.asyncDispose]())

    /** Indexes 100 ledgers with the smaller registry, and the rest with the whole one. */
    async function grow(log: EventLog): Promise<void> {
      const entries = entriesOf(node)
      await world.ingest(log, { network: smaller, source: memorySource(world.ledgers.slice(0, 100)), entries })
      await world.ingest(log, { entries })
    }

    it.each<[string, (slice: Slice) => boolean]>([
      ['before the addition', ({ ledger }) => ledger > FROM - 95 && ledger < FROM],
      ['with the addition', ({ ledger }) => ledger === FROM],
      ['on both sides of the addition', ({ ledger }) => ledger > FROM - 95 && ledger <= FROM + 30],
      ['behind the addition', ({ ledger }) => ledger > FROM && ledger <= FROM + 30],
    ])('gets every ledger again as the registry of that ledger routes it: lost %s', async (_, isLost) => {
      await using clean = await world.log()
      await grow(clean)
      const expected = await world.told(clean)
      const slices = await storedSlices(clean, world.slices(PARTITION))
      expect(slices.filter((slice) => isLost(slice) && slice.records.length > 0)).not.toEqual([])

      await using log = await world.log()
      const lossy = new LogOver(log, (to, values) => {
        const ofPartition = to.topic === world.slices(PARTITION).topic && to.partition === PARTITION
        return log.append(to, ofPartition ? values.filter((value) => !isLost(decodeSlice(value))) : values)
      })
      await grow(lossy)
      expect(await holeOf(log)).not.toBeNull()
      // A later process repairs: what it knows of the registry and of entries that were read is what the control topic says.
      const asked = timesAsked(node)
      await repairUntilItWorks(log, () => world.optionsFor(log, { entries: entriesOf(node) }))
      const { partitions, tracked, adopted } = await asAdaptersRead(log)
      expect(partitions).toEqual(expected.partitions)
      expect([tracked, adopted]).toEqual([expected.tracked, expected.adopted])
      expect(timesAsked(node)).toBe(asked)
    })
  })

  it('stays where it is when the source does not have those ledgers any more, and the range is named', async () => {
    await using log = await world.log()
    await world.ingest(losing(log, 2))
    const hole = await holeOf(log)
    const lines: string[] = []
    const said = Promise.withResolvers<void>()
    const to = {
      write: (line: string) => {
        lines.push(line)
        said.resolve()
      },
    }
    const source = memorySource(world.ledgers.slice(150))
    const logger = createLogger({ name: 'test', level: 'error', json: true, to })
    const ingest = await startIngest(
      world.optionsFor(log, { source, logger, gaps: async () => (hole === null ? [] : [hole]), gapsEveryMs: 5 }),
    )
    await said.promise
    await ingest.stop()
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'log_gap', after: hole?.after, before: hole?.before })
    expect(lines[0]).toContain(`Cannot tell ledgers ${(hole?.after ?? 0) + 1} to ${hole?.before} again`)
    expect(lines).toHaveLength(1)
    expect(await holeOf(log)).toEqual(hole)
  })

  it('goes on when nobody can say where the holes are', async () => {
    await using log = await world.log()
    const asked = Promise.withResolvers<void>()
    const gaps = async () => {
      asked.resolve()
      throw new Error('the read model is away')
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5 }))
    await ingest.ended
    await asked.promise
    await ingest.stop()
    expect(await world.told(log)).toEqual(world.expected)
  })
})
