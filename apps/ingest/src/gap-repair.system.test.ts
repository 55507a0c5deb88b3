import { decodeSlice, type EventLog, type LogPartition } from '@orrery/event-log'
import type { Network, Slice } from '@orrery/protocol-kit'
import { createLogger, createMetrics } from '@orrery/service-kit'
import type { FakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { readLogContent, storedSlices } from '../test/log-content.ts'
import { FaultyLog, LogOver } from '../test/log-over.ts'
import { aNode, entriesOf, entryRequests } from '../test/rpc.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import type { Gap } from './gap-repair.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
const PARTITION = 1
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

/** A log that has lost the n-th slice with records (from 1) of a partition. */
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

/** The gap that an adapter would report: it skips slices after a gap until one closes it. */
async function gapOf(log: EventLog): Promise<Gap | null> {
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

/** Restarts ingest after every failure, as a supervisor does, until there is no gap. */
async function repairUntilItWorks(log: EventLog, options: () => IngestOptions): Promise<void> {
  for (let attempts = 0; attempts < 10; attempts++) {
    const isWhole = Promise.withResolvers<void>()
    const gaps = async () => {
      const gap = await gapOf(log)
      if (gap === null) isWhole.resolve()
      return gap === null ? [] : [gap]
    }
    try {
      const ingest = await startIngest({ ...options(), gaps, gapsEveryMs: 2 })
      await Promise.race([isWhole.promise, ingest.finished])
      return await ingest.stop()
    } catch (error) {
      expect(error).toMatchObject({ code: 'log_unreachable' })
    }
  }
  expect.unreachable('The gap was never closed.')
}

const asAdaptersRead = (log: EventLog) => readLogContent(log, world.network.name, 'soroswap', PARTITIONS, true)

describe('a partition whose log lost a slice', () => {
  it.each([1, 2, 5])('a partition that lost slice %i is resent from the gap on after the source has ended', async (nth) => {
    await using log = await world.log()
    await world.ingest(losing(log, nth))
    expect(await gapOf(log)).not.toBeNull()
    const isWhole = Promise.withResolvers<void>()
    const metrics = createMetrics()
    const gaps = async () => {
      const gap = await gapOf(log)
      if (gap === null) isWhole.resolve()
      return gap === null ? [] : [gap]
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5, metrics }))
    await ingest.ended
    await isWhole.promise
    await ingest.stop()
    const { partitions, tracked, last } = await asAdaptersRead(log)
    expect(partitions).toEqual(world.expected.partitions)
    expect([tracked, last]).toEqual([world.expected.tracked, world.expected.last])
    expect(await metrics.registry.metrics()).toContain('orrery_ingest_gap_repairs_total{protocol="soroswap"} 1')
  })

  it('a partition with a gap is resent while ingest continues, and other partitions get nothing twice', async () => {
    await using log = await world.log()
    const isRepaired = Promise.withResolvers<void>()
    let wasSeen = false
    const lossy = losing(log, 1)
    const source = memorySource(world.ledgers, {
      last: null,
      before: async (sequence) => {
        // The main loop waits at this ledger, so that the gap is found and closed before the source ends; the repair's reader passes.
        if (sequence === 1_000_150) await isRepaired.promise
      },
    })
    const gaps = async () => {
      const gap = await gapOf(log)
      wasSeen ||= gap !== null
      if (wasSeen && gap === null) isRepaired.resolve()
      return gap === null ? [] : [gap]
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

  it('a partition with a gap is complete in the end whichever call to the log fails during the repair, before or after it took effect', async () => {
    const source = () => memorySource(world.ledgers.slice(0, 40))
    await using clean = await world.log()
    await world.ingest(clean, { source: source() })
    const { partitions } = await world.contentOf(clean)
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

  it('a partition whose slices before the gap were removed by retention is resent from its first ledger', async () => {
    await using log = await world.log()
    await world.ingest(log, { retention: { seconds: null, bytes: 1 } })
    const [kept] = await storedSlices(log, world.slices(PARTITION))
    const expected = world.expected.partitions[PARTITION]
    const gap: Gap = { protocol: 'soroswap', partition: PARTITION, after: 1_000_100, before: kept?.after ?? 0 }
    expect(gap.before).toBeGreaterThan(gap.after)
    const isWhole = Promise.withResolvers<void>()
    const gaps = async () => {
      const isFilled = (await storedSlices(log, world.slices(PARTITION))).slice(1).some(({ ledger }) => ledger >= (kept?.ledger ?? 0))
      if (isFilled) isWhole.resolve()
      return isFilled ? [] : [gap]
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5 }))
    await isWhole.promise
    await ingest.stop()
    const [, ...again] = await storedSlices(log, world.slices(PARTITION))
    expect(again.map(({ after }) => after)).toEqual([expected?.firstAfter, ...again.slice(0, -1).map(({ ledger }) => ledger)])
    expect(again.at(-1)).toMatchObject({ ledger: expected?.covered, rollingHash: expected?.rollingHash })
  })

  describe('a partition with a gap whose registry has grown', () => {
    /** First ledger that the additions apply to. It has records of the partition: bootstrap entries of the added oracles. */
    const FROM = 1_000_100
    let node: FakeRpc
    let smaller: Network
    beforeAll(async () => {
      node = await aNode()
      const { oracles, pricePools } = world.network
      smaller = {
        ...world.network,
        // Feeds write rounds before the addition too: those ledgers must not get these records.
        oracles: oracles.filter(({ kind }) => kind === 'fxdao_currencies'),
        pricePools: pricePools.filter(({ protocol }) => protocol !== 'soroswap'),
      }
    })
    afterAll(() => node[Symbol.asyncDispose]())

    /** Indexes 100 ledgers with the smaller registry, and the rest with the complete one. */
    async function grow(log: EventLog): Promise<void> {
      const entries = entriesOf(node)
      await world.ingest(log, { network: smaller, source: memorySource(world.ledgers.slice(0, 100)), entries })
      await world.ingest(log, { entries })
    }

    it.each<[string, (slice: Slice) => boolean]>([
      ['before the addition', ({ ledger }) => ledger > FROM - 95 && ledger < FROM],
      ['with the addition', ({ ledger }) => ledger === FROM],
      ['on both sides of the addition', ({ ledger }) => ledger > FROM - 95 && ledger <= FROM + 30],
      ['after the addition', ({ ledger }) => ledger > FROM && ledger <= FROM + 30],
    ])('a resend of slices lost %s routes each ledger with the registry of that ledger', async (_, isLost) => {
      await using clean = await world.log()
      await grow(clean)
      const expected = await world.contentOf(clean)
      const slices = await storedSlices(clean, world.slices(PARTITION))
      expect(slices.filter((slice) => isLost(slice) && slice.records.length > 0)).not.toEqual([])

      await using log = await world.log()
      const lossy = new LogOver(log, (to, values) => {
        const ofPartition = to.topic === world.slices(PARTITION).topic && to.partition === PARTITION
        return log.append(to, ofPartition ? values.filter((value) => !isLost(decodeSlice(value))) : values)
      })
      await grow(lossy)
      expect(await gapOf(log)).not.toBeNull()
      // A later process repairs: it reads the registries and bootstrap entries from the control topic.
      const requestsBefore = entryRequests(node)
      await repairUntilItWorks(log, () => world.optionsFor(log, { entries: entriesOf(node) }))
      const { partitions, tracked, bootstrapped } = await asAdaptersRead(log)
      expect(partitions).toEqual(expected.partitions)
      expect([tracked, bootstrapped]).toEqual([expected.tracked, expected.bootstrapped])
      expect(entryRequests(node)).toBe(requestsBefore)
    })
  })

  it('a partition does not advance when the source no longer has the missing ledgers, and an error is logged with the range', async () => {
    await using log = await world.log()
    await world.ingest(losing(log, 2))
    const gap = await gapOf(log)
    const lines: string[] = []
    const logged = Promise.withResolvers<void>()
    const to = {
      write: (line: string) => {
        lines.push(line)
        logged.resolve()
      },
    }
    const source = memorySource(world.ledgers.slice(150))
    const logger = createLogger({ name: 'test', level: 'error', json: true, to })
    const ingest = await startIngest(
      world.optionsFor(log, { source, logger, gaps: async () => (gap === null ? [] : [gap]), gapsEveryMs: 5 }),
    )
    await logged.promise
    await ingest.stop()
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'log_gap', after: gap?.after, before: gap?.before })
    expect(lines[0]).toContain(`Cannot resend ledgers ${(gap?.after ?? 0) + 1} to ${gap?.before}`)
    expect(lines).toHaveLength(1)
    expect(await gapOf(log)).toEqual(gap)
  })

  it('ingest continues when the reported gaps cannot be read', async () => {
    await using log = await world.log()
    const wasRead = Promise.withResolvers<void>()
    const gaps = async () => {
      wasRead.resolve()
      throw new Error('the read model is down')
    }
    const ingest = await startIngest(world.optionsFor(log, { gaps, gapsEveryMs: 5 }))
    await ingest.ended
    await wasRead.promise
    await ingest.stop()
    expect(await world.contentOf(log)).toEqual(world.expected)
  })
})
