import { setImmediate as turn } from 'node:timers/promises'
import { controlTopic } from '@orrery/event-log'
import type { ProtocolRouting } from '@orrery/protocol-kit'
import { createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { LogOver } from '../test/log-over.ts'
import { readToldLog, storedSlices, storedValues } from '../test/told.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('what is told', () => {
  it('starts with what the index is about, and ends with the end of the source', () => {
    expect(world.expected.start).toEqual({
      kind: 'start',
      network: 'forge-a',
      passphrase: world.network.passphrase,
      firstLedger: 1_000_000,
      partitions: { soroswap: 4 },
    })
    expect(world.expected.last).toEqual({ kind: 'source_end', ledger: 1_000_191 })
    expect(world.expected.ledgers[0]).toMatchObject({ ledger: 1_000_000, closeTimeSeconds: 1_788_220_800, hourStart: true, dayStart: true })
  })

  it('means the same wherever ledgers stop to be coalesced', async () => {
    const tips = fc.integer({ min: 1_000_000, max: 1_000_191 })
    await fc.assert(
      fc.asyncProperty(tips, async (last) => {
        await using log = await world.log()
        await world.ingest(log, { source: memorySource(world.ledgers, { last }) })
        expect(await world.told(log)).toEqual(world.expected)
      }),
      { numRuns: 5 },
    )
  })

  it('has a slice for every ledger in every partition at the tip', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers, { last: null }) })
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const slices = await storedSlices(log, world.slices(partition))
      expect(slices.map(({ after, ledger }) => [after, ledger])).toEqual(world.ledgers.map(({ sequence }) => [sequence - 1, sequence]))
    }
    expect(await world.told(log)).toEqual(world.expected)
  })

  it('coalesces quiet ledgers in catch-up, but never past the first ledger of an hour', async () => {
    const quiet: ProtocolRouting = {
      protocol: 'soroswap',
      roots: () => [],
      discover: () => [],
      bootstrap: () => [],
      route: () => ({ owned: false, shared: false }),
    }
    await using log = await world.log()
    await world.ingest(log, { routings: [quiet] })
    const hours = world.expected.ledgers.flatMap((record) => (record.kind === 'ledger' && record.hourStart ? [record.ledger] : []))
    const ends = (await storedSlices(log, world.slices(0))).map(({ ledger }) => ledger)
    expect(ends).toEqual([...new Set([...hours, 1_000_191])])
    expect(ends.length).toBeLessThan(world.ledgers.length / 2)
  })

  it('reaches the control topic before the slices', async () => {
    await using log = await world.log()
    const order: string[] = []
    const spy = new LogOver(log, async (to, values) => {
      order.push(to.topic === controlTopic(world.network.name) ? 'control' : 'slices')
      await log.append(to, values)
    })
    await world.ingest(spy, { source: memorySource(world.ledgers.slice(0, 20), { last: null }) })
    // Of each of the 20 ledgers: what it says of itself, then its four slices; at last the end of the source.
    expect(order.join(' ')).toBe([...Array.from({ length: 20 }, () => 'control slices slices slices slices'), 'control'].join(' '))
  })

  it('is covered to the last ledger when it is stopped', async () => {
    await using log = await world.log()
    const stopAt = Promise.withResolvers<void>()
    const source = memorySource(world.ledgers, {
      before: async (sequence) => {
        if (sequence !== 1_000_100) return
        stopAt.resolve()
        await turn() // so that the stop is heard before this ledger is given
      },
    })
    const running = await startIngest(world.optionsFor(log, { source }))
    await stopAt.promise
    await running.stop()
    const { partitions, last } = await world.told(log)
    expect(running.tip).toBeGreaterThanOrEqual(1_000_099)
    expect(partitions.map(({ covered }) => covered)).toEqual(Array.from({ length: PARTITIONS }, () => running.tip))
    expect(last?.kind).toBe('ledger')
    await world.ingest(log)
    expect(await world.told(log)).toEqual(world.expected)
  })
})

describe('an index that begins in the middle of history', () => {
  it('begins where it was asked to, as the first ledger of an hour and a day', async () => {
    await using log = await world.log()
    await world.ingest(log, { fromLedger: 1_000_050 })
    const { start, ledgers: facts, partitions } = await world.told(log)
    expect(start).toMatchObject({ firstLedger: 1_000_050 })
    expect(facts[0]).toMatchObject({ ledger: 1_000_050, hourStart: true, dayStart: true })
    expect(partitions.map(({ firstAfter }) => firstAfter)).toEqual([1_000_049, 1_000_049, 1_000_049, 1_000_049])
  })

  it("begins with the source's oldest ledger when that is younger than the network and nothing was asked", async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(100)) })
    expect((await world.told(log)).start).toMatchObject({ firstLedger: 1_000_100 })
  })
})

describe('a protocol that is added later', () => {
  it('is told from the first ledger, while the others are told nothing again', async () => {
    const blend: ProtocolRouting = {
      protocol: 'blend',
      roots: ({ oracles }) =>
        oracles.map(({ contract }) => ({ protocol: 'blend', contract, role: 'oracle', home: null, balances: [], fromLedger: 1 })),
      discover: () => [],
      bootstrap: () => [],
      route: () => ({ owned: false, shared: true }),
    }
    await using log = await world.log()
    await world.ingest(log)
    const before = await storedValues(log, world.slices(0))
    await world.ingest(log, { routings: [soroswap.routing, blend], partitions: { blend: 2 } })
    expect(await storedValues(log, world.slices(0))).toEqual(before)
    const told = await readToldLog(log, world.network.name, 'blend', 2)
    expect(told.partitions.map(({ firstAfter, covered }) => [firstAfter, covered])).toEqual([
      [999_999, 1_000_191],
      [999_999, 1_000_191],
    ])
    expect(told.partitions[0]?.slices.length).toBeGreaterThan(100)
    await world.ingest(log, { routings: [soroswap.routing, blend], partitions: { blend: 2 } })
  })
})

describe('a network without a protocol that we know', () => {
  it('is read for its ledgers alone', async () => {
    await using log = await world.log()
    await world.ingest(log, { routings: [], source: memorySource(world.ledgers.slice(0, 20)) })
    await world.ingest(log, { routings: [] })
    const { ledgers, tracked, last } = await readToldLog(log, world.network.name, 'soroswap', 0)
    expect(ledgers).toEqual(world.expected.ledgers)
    expect(tracked).toEqual([])
    expect(last).toEqual({ kind: 'source_end', ledger: 1_000_191 })
  })
})

describe('progress and metrics', () => {
  it('say how far the log is and how far the source goes', async () => {
    await using log = await world.log()
    const metrics = createMetrics()
    const running = await startIngest(world.optionsFor(log, { metrics }))
    await running.finished
    expect(running.progress()).toMatchObject({ ledger: 1_000_191, tip: 1_000_191, firstLedger: 1_000_000 })
    expect(running.progress().records).toBeGreaterThan(1_000)
    const text = await metrics.registry.metrics()
    expect(text).toContain('orrery_fetch_ledgers_total 192')
    expect(text).toContain('orrery_ingest_ledger_number 1000191')
    expect(text).toContain('orrery_ingest_lag_ledgers 0')
    expect(text).toContain('orrery_ingest_lag_seconds 0')
  })
})
