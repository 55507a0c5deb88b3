import { setImmediate as turn } from 'node:timers/promises'
import { controlTopic } from '@orrery/event-log'
import type { ProtocolRouting } from '@orrery/protocol-kit'
import { createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { readLogContent, storedSlices, storedValues } from '../test/log-content.ts'
import { LogOver } from '../test/log-over.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('the content of the log', () => {
  it('the control topic starts with the start record and ends with the end of the source', () => {
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

  it('the content of the log does not depend on which quiet ledgers are coalesced', async () => {
    const tips = fc.integer({ min: 1_000_000, max: 1_000_191 })
    await fc.assert(
      fc.asyncProperty(tips, async (last) => {
        await using log = await world.log()
        await world.ingest(log, { source: memorySource(world.ledgers, { last }) })
        expect(await world.contentOf(log)).toEqual(world.expected)
      }),
      { numRuns: 5 },
    )
  })

  it('every partition has a slice of every ledger at the tip', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers, { last: null }) })
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const slices = await storedSlices(log, world.slices(partition))
      expect(slices.map(({ after, ledger }) => [after, ledger])).toEqual(world.ledgers.map(({ sequence }) => [sequence - 1, sequence]))
    }
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('quiet ledgers are coalesced during catch-up, but never past the first ledger of an hour', async () => {
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

  it('control records of a ledger are appended before its slices', async () => {
    await using log = await world.log()
    const order: string[] = []
    const spy = new LogOver(log, async (to, values) => {
      order.push(to.topic === controlTopic(world.network.name) ? 'control' : 'slices')
      await log.append(to, values)
    })
    await world.ingest(spy, { source: memorySource(world.ledgers.slice(0, 20), { last: null }) })
    // Each of the 20 ledgers: its facts, then its four slices; at last the end of the source.
    expect(order.join(' ')).toBe([...Array.from({ length: 20 }, () => 'control slices slices slices slices'), 'control'].join(' '))
  })

  it('a stop leaves slices that cover everything to the last ledger', async () => {
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
    const { partitions, last } = await world.contentOf(log)
    expect(running.tip).toBeGreaterThanOrEqual(1_000_099)
    expect(partitions.map(({ covered }) => covered)).toEqual(Array.from({ length: PARTITIONS }, () => running.tip))
    expect(last?.kind).toBe('ledger')
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })
})

describe('an index that begins in the middle of history', () => {
  it('an index begins with the requested ledger, as the first of an hour and a day', async () => {
    await using log = await world.log()
    await world.ingest(log, { fromLedger: 1_000_050 })
    const { start, ledgers: facts, partitions } = await world.contentOf(log)
    expect(start).toMatchObject({ firstLedger: 1_000_050 })
    expect(facts[0]).toMatchObject({ ledger: 1_000_050, hourStart: true, dayStart: true })
    expect(partitions.map(({ firstAfter }) => firstAfter)).toEqual([1_000_049, 1_000_049, 1_000_049, 1_000_049])
  })

  it("an index without a requested first ledger begins with the source's oldest when that is later than the network's first", async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(100)) })
    expect((await world.contentOf(log)).start).toMatchObject({ firstLedger: 1_000_100 })
  })
})

describe('a protocol that is added later', () => {
  it('a protocol that is added later is appended from the first ledger, and nothing is appended again for the others', async () => {
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
    const content = await readLogContent(log, world.network.name, 'blend', 2)
    expect(content.partitions.map(({ firstAfter, covered }) => [firstAfter, covered])).toEqual([
      [999_999, 1_000_191],
      [999_999, 1_000_191],
    ])
    expect(content.partitions[0]?.slices.length).toBeGreaterThan(100)
    await world.ingest(log, { routings: [soroswap.routing, blend], partitions: { blend: 2 } })
  })
})

describe('a network without a protocol that we know', () => {
  it('a network without known protocols is read for its ledgers alone', async () => {
    await using log = await world.log()
    await world.ingest(log, { routings: [], source: memorySource(world.ledgers.slice(0, 20)) })
    await world.ingest(log, { routings: [] })
    const { ledgers, tracked, last } = await readLogContent(log, world.network.name, 'soroswap', 0)
    expect(ledgers).toEqual(world.expected.ledgers)
    expect(tracked).toEqual([])
    expect(last).toEqual({ kind: 'source_end', ledger: 1_000_191 })
  })
})

describe('progress and metrics', () => {
  it('progress and metrics have the newest ledgers of the log and of the source', async () => {
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
