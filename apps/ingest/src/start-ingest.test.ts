import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { controlTopic, type EventLog, encodeSlice, openLog, sliceTopic } from '@orrery/event-log'
import { readScVals } from '@orrery/ledger'
import type { Network, ProtocolRouting, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { recording } from '@orrery/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { ledgersOf, memorySource } from '../test/ledgers.ts'
import { FaultyLog, LogOver } from '../test/log-over.ts'
import { readToldLog, storedSlices, storedValues, type ToldLog } from '../test/told.ts'
import { lakeSource } from './lake-source.ts'
import type { SourceLedger } from './ledger-source.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
const logger = createLogger({ name: 'test', level: 'silent', json: true })
const { lakeDir, registryFile, networkFile } = recording()
const PARTITIONS = 4

let network: Network
/** The first 192 ledgers of the recording: the factory makes five pairs in ledger 1,000,005. */
let ledgers: readonly SourceLedger[]
/** What they mean, read in one go. */
let expected: ToldLog

beforeAll(async () => {
  network = await loadNetwork(registryFile)
  ledgers = await ledgersOf(lakeSource(lakeWith(aFolder(), [0, 1, 2])))
  await using log = await aLog()
  await ingest(log)
  expected = await toldIn(log)
})

const aLog = (): Promise<EventLog> => openLog(`lmdb:${aFolder()}`)
const toldIn = (log: EventLog): Promise<ToldLog> => readToldLog(log, network.name, 'soroswap', PARTITIONS)
const sliceTopicOf = (partition: number) => ({ topic: sliceTopic(network.name, 'soroswap'), partition })

function optionsFor(log: EventLog, more: Partial<IngestOptions> = {}): IngestOptions {
  return { network, routings: [soroswap.routing], source: memorySource(ledgers), log, logger, metrics: createMetrics(), ...more }
}

/** Reads a source that ends to its end. */
async function ingest(log: EventLog, more: Partial<IngestOptions> = {}): Promise<void> {
  const running = await startIngest(optionsFor(log, more))
  await running.ended
  await running.finished
}

/** Starts again after every failure, as a supervisor does. */
async function ingestUntilItWorks(log: EventLog, more: Partial<IngestOptions> = {}): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts++) {
    try {
      return await ingest(log, more)
    } catch (error) {
      expect(error).toMatchObject({ code: 'log_unreachable' })
    }
  }
  expect.unreachable('ingest never came through')
}

describe('the recorded network', () => {
  it('makes its seven Soroswap pairs known, each in the ledger that creates it and with its two tokens', async () => {
    await using log = await aLog()
    await ingest(log, { source: lakeSource(lakeDir) })
    const { tracked, partitions, ledgers: facts, last } = await toldIn(log)
    const truth: { factory: string; pairs: Record<string, { from_ledger: number; token_0: string; token_1: string }> } = JSON.parse(
      readFileSync(networkFile, 'utf8'),
    ).soroswap
    const pairs = tracked.flatMap((record) => (record.kind === 'tracked' && record.contract.balances.length > 0 ? [record] : []))
    expect(
      Object.fromEntries(
        pairs.map(({ ledger, contract }) => [contract.contract, { ledger, home: contract.home, balances: contract.balances }]),
      ),
    ).toEqual(
      Object.fromEntries(
        Object.entries(truth.pairs).map(([pair, { from_ledger, token_0, token_1 }]) => [
          pair,
          { ledger: from_ledger, home: pair, balances: [token_0, token_1] },
        ]),
      ),
    )
    expect(pairs).toHaveLength(7)
    expect(facts).toHaveLength(6_528)
    expect(last).toEqual({ kind: 'source_end', ledger: 1_006_527 })
    expect(partitions.map(({ firstAfter, covered }) => [firstAfter, covered])).toEqual(
      Array.from({ length: PARTITIONS }, () => [999_999, 1_006_527]),
    )

    // The counts of the recording's own README: no event of a pair is lost or doubled.
    const slices = (await Promise.all([0, 1, 2, 3].map((partition) => storedSlices(log, sliceTopicOf(partition))))).flat()
    const counts: Record<string, number> = {}
    for (const { records } of slices) {
      for (const { class: recordClass, record } of records) {
        if (recordClass !== 'owned' || record.kind !== 'event' || !((record.contract ?? '') in truth.pairs)) continue
        const [first, second] = readScVals(record.topics)
        if (first?.type === 'string' && second?.type === 'symbol') counts[second.value] = (counts[second.value] ?? 0) + 1
      }
    }
    expect(counts).toEqual({ deposit: 362, skim: 12, swap: 589, sync: 1_074, withdraw: 115 })

    // At least every hour every partition tells where it is, at the same ledgers.
    const [first, ...others] = partitions.map(({ hours }) => hours)
    for (const hours of others) expect(hours).toEqual(first)
  })
})

describe('what is told', () => {
  it('starts with what the index is about, and ends with the end of the source', () => {
    expect(expected.start).toEqual({
      kind: 'start',
      network: 'forge-a',
      passphrase: network.passphrase,
      firstLedger: 1_000_000,
      partitions: { soroswap: 4 },
    })
    expect(expected.last).toEqual({ kind: 'source_end', ledger: 1_000_191 })
    expect(expected.ledgers[0]).toMatchObject({ ledger: 1_000_000, closeTimeSeconds: 1_788_220_800, hourStart: true, dayStart: true })
  })

  it('means the same wherever ledgers stop to be coalesced', async () => {
    const tips = fc.integer({ min: 1_000_000, max: 1_000_191 })
    await fc.assert(
      fc.asyncProperty(tips, async (last) => {
        await using log = await aLog()
        await ingest(log, { source: memorySource(ledgers, { last }) })
        expect(await toldIn(log)).toEqual(expected)
      }),
      { numRuns: 5 },
    )
  })

  it('has a slice for every ledger in every partition at the tip', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers, { last: null }) })
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const slices = await storedSlices(log, sliceTopicOf(partition))
      expect(slices.map(({ after, ledger }) => [after, ledger])).toEqual(ledgers.map(({ sequence }) => [sequence - 1, sequence]))
    }
    expect(await toldIn(log)).toEqual(expected)
  })

  it('coalesces quiet ledgers in catch-up, but never past the first ledger of an hour', async () => {
    const quiet: ProtocolRouting = {
      protocol: 'soroswap',
      roots: () => [],
      discover: () => [],
      route: () => ({ owned: false, shared: false }),
    }
    await using log = await aLog()
    await ingest(log, { routings: [quiet] })
    const hours = expected.ledgers.flatMap((record) => (record.kind === 'ledger' && record.hourStart ? [record.ledger] : []))
    const ends = (await storedSlices(log, sliceTopicOf(0))).map(({ ledger }) => ledger)
    expect(ends).toEqual([...new Set([...hours, 1_000_191])])
    expect(ends.length).toBeLessThan(ledgers.length / 2)
  })

  it('reaches the control topic before the slices', async () => {
    await using log = await aLog()
    const order: string[] = []
    const spy = new LogOver(log, async (to, values) => {
      order.push(to.topic === controlTopic(network.name) ? 'control' : 'slices')
      await log.append(to, values)
    })
    await ingest(spy, { source: memorySource(ledgers.slice(0, 20), { last: null }) })
    // Of each of the 20 ledgers: what it says of itself, then its four slices; at last the end of the source.
    expect(order.join(' ')).toBe([...Array.from({ length: 20 }, () => 'control slices slices slices slices'), 'control'].join(' '))
  })

  it('is covered to the last ledger when it is stopped', async () => {
    await using log = await aLog()
    const stopAt = Promise.withResolvers<void>()
    const source = memorySource(ledgers, {
      before: async (sequence) => {
        if (sequence !== 1_000_100) return
        stopAt.resolve()
        await turn() // so that the stop is heard before this ledger is given
      },
    })
    const running = await startIngest(optionsFor(log, { source }))
    await stopAt.promise
    await running.stop()
    const { partitions, last } = await toldIn(log)
    expect(running.tip).toBeGreaterThanOrEqual(1_000_099)
    expect(partitions.map(({ covered }) => covered)).toEqual(Array.from({ length: PARTITIONS }, () => running.tip))
    expect(last?.kind).toBe('ledger')
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })
})

describe('a restart', () => {
  it('with an unchanged source appends nothing and ends at once', async () => {
    await using log = await aLog()
    await ingest(log)
    const ends = async (): Promise<bigint[]> =>
      Promise.all([{ topic: controlTopic(network.name), partition: 0 }, ...[0, 1, 2, 3].map(sliceTopicOf)].map((at) => log.end(at)))
    const before = await ends()
    await ingest(log)
    expect(await ends()).toEqual(before)
  })

  it('with a source that has grown goes on after the end', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(0, 70)) })
    expect((await toldIn(log)).last).toEqual({ kind: 'source_end', ledger: 1_000_069 })
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })

  it('after a failure of any call to the log, before or after it took effect, leads to the same log', async () => {
    // Few ledgers, told one by one: pairs are created in the middle.
    const few = ledgers.slice(0, 9)
    const source = () => memorySource(few, { last: null })
    await using clean = await aLog()
    await ingest(clean, { source: source() })
    const meaning = await toldIn(clean)
    let faults = 0
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; ; call++) {
        await using log = await aLog()
        const fault = new FaultyLog(log, call, when)
        await ingestUntilItWorks(fault, { source: source() })
        expect(await toldIn(log), `call ${call} failed ${when} it took effect`).toEqual(meaning)
        if (!fault.happened) break
        faults++
      }
    }
    expect(faults).toBeGreaterThan(60)
  })

  it('tells again only where a partition is behind, and nobody twice', async () => {
    await using log = await aLog()
    const slow = sliceTopicOf(2)
    // Partition 2 loses its writer in the middle of every batch but the first.
    let appends = 0
    const losing = new LogOver(log, async (to, values) => {
      if (to.topic === slow.topic && to.partition === slow.partition && ++appends > 5) throw new Error('gone')
      await log.append(to, values)
    })
    await expect(ingest(losing, { source: memorySource(ledgers.slice(0, 30), { last: null }) })).rejects.toThrow('gone')
    const before = await storedValues(log, sliceTopicOf(1))
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
    for (const partition of [0, 1, 3]) {
      const slices = await storedSlices(log, sliceTopicOf(partition))
      expect(slices.every((slice, n) => n === 0 || slice.after === slices[n - 1]?.ledger)).toBe(true)
    }
    expect((await storedValues(log, sliceTopicOf(1))).slice(0, before.length)).toEqual(before)
  })

  it('goes on behind a giant slice whose writer died between its parts', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(0, 60)) })
    const [whole] = (await storedSlices(log, sliceTopicOf(0))).filter(({ records }) => records.length > 0)
    const parts = encodeSlice({ ...(whole as Slice), after: 1_000_059, ledger: 1_000_060 }, { maxPartBytes: 100 })
    expect(parts.length).toBeGreaterThan(2)
    await log.append(sliceTopicOf(0), parts.slice(0, -1))
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })

  it('follows contracts from the ledger that made them known, also when it tells earlier ledgers again', async () => {
    // Everything but partition 3 is told to the end; partition 3 must not learn of pairs before they are announced.
    await using log = await aLog()
    const losing = new LogOver(log, async (to, values) => {
      if (to.topic === sliceTopicOf(3).topic && to.partition === 3) throw new Error('gone')
      await log.append(to, values)
    })
    await expect(ingest(losing)).rejects.toThrow('gone')
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })
})

describe('what is refused', () => {
  const refused = (log: EventLog, more: Partial<IngestOptions>) => expect(startIngest(optionsFor(log, more))).rejects

  it('is a source of another network', async () => {
    await using log = await aLog()
    await refused(log, { source: memorySource(ledgers, { passphrase: 'Public Global Stellar Network ; September 2015' }) }).toMatchObject({
      kind: 'invalid',
      code: 'wrong_network',
    })
  })

  it('is another network, passphrase, number of partitions or first ledger in a log that has begun', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(0, 10)) })
    await refused(log, { network: { ...network, passphrase: 'another' } }).toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    await refused(log, { partitions: { soroswap: 8 } }).toMatchObject({ kind: 'invalid', code: 'topic_mismatch' })
    await refused(log, { fromLedger: 1_000_003 }).toMatchObject({ kind: 'invalid', code: 'first_ledger_mismatch' })
    const running = await startIngest(optionsFor(log, { fromLedger: 1_000_000 }))
    await running.finished
  })

  it('is a source that begins after, or ends before, where the log goes on: what is missing is named', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(0, 20)) })
    await refused(log, { source: memorySource(ledgers.slice(30)) }).toMatchObject({
      kind: 'invalid',
      code: 'ledgers_out_of_range',
      message: expect.stringContaining('ledgers 1000020 to 1000029 would be missing'),
    })
    await refused(log, { source: memorySource(ledgers.slice(0, 10)) }).toMatchObject({ code: 'ledgers_out_of_range' })
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })

  it('is a first ledger that the source does not have', async () => {
    await using log = await aLog()
    await refused(log, { fromLedger: 999_990 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await refused(log, { fromLedger: 1_000_192 }).toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
  })

  it('is a chain that breaks: everything before is kept', async () => {
    await using log = await aLog()
    const broken = [...ledgers.slice(0, 40), ...ledgers.slice(41, 60).map(({ bytes }, n) => ({ sequence: 1_000_040 + n, bytes }))]
    const running = await startIngest(optionsFor(log, { source: memorySource(broken) }))
    await expect(running.ended).rejects.toMatchObject({ kind: 'corrupt', code: 'ledger_chain_broken', context: { ledger: 1_000_040 } })
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_chain_broken' })
    expect((await toldIn(log)).partitions.map(({ covered }) => covered)).toEqual([1_000_039, 1_000_039, 1_000_039, 1_000_039])
    await ingest(log)
    expect(await toldIn(log)).toEqual(expected)
  })

  it('are slices whose control topic is gone', async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(0, 20)) })
    await using other = await aLog()
    await other.ensureTopic(sliceTopic(network.name, 'soroswap'), { partitions: PARTITIONS, retentionSeconds: null, retentionBytes: null })
    for (let partition = 0; partition < PARTITIONS; partition++)
      await other.append(sliceTopicOf(partition), await storedValues(log, sliceTopicOf(partition)))
    await refused(other, {}).toMatchObject({ kind: 'corrupt', code: 'control_topic_lost' })
  })
})

describe('an index that begins in the middle of history', () => {
  it('begins where it was asked to, as the first ledger of an hour and a day', async () => {
    await using log = await aLog()
    await ingest(log, { fromLedger: 1_000_050 })
    const { start, ledgers: facts, partitions } = await toldIn(log)
    expect(start).toMatchObject({ firstLedger: 1_000_050 })
    expect(facts[0]).toMatchObject({ ledger: 1_000_050, hourStart: true, dayStart: true })
    expect(partitions.map(({ firstAfter }) => firstAfter)).toEqual([1_000_049, 1_000_049, 1_000_049, 1_000_049])
  })

  it("begins with the source's oldest ledger when that is younger than the network and nothing was asked", async () => {
    await using log = await aLog()
    await ingest(log, { source: memorySource(ledgers.slice(100)) })
    expect((await toldIn(log)).start).toMatchObject({ firstLedger: 1_000_100 })
  })
})

describe('a protocol that is added later', () => {
  it('is told from the first ledger, while the others are told nothing again', async () => {
    const blend: ProtocolRouting = {
      protocol: 'blend',
      roots: ({ oracles }) =>
        oracles.map(({ contract }) => ({ protocol: 'blend', contract, role: 'oracle', home: null, balances: [], fromLedger: 1 })),
      discover: () => [],
      route: () => ({ owned: false, shared: true }),
    }
    await using log = await aLog()
    await ingest(log)
    const before = await storedValues(log, sliceTopicOf(0))
    await ingest(log, { routings: [soroswap.routing, blend], partitions: { blend: 2 } })
    expect(await storedValues(log, sliceTopicOf(0))).toEqual(before)
    const told = await readToldLog(log, network.name, 'blend', 2)
    expect(told.partitions.map(({ firstAfter, covered }) => [firstAfter, covered])).toEqual([
      [999_999, 1_000_191],
      [999_999, 1_000_191],
    ])
    expect(told.partitions[0]?.slices.length).toBeGreaterThan(100)
    await ingest(log, { routings: [soroswap.routing, blend], partitions: { blend: 2 } })
  })
})

describe('progress and metrics', () => {
  it('say how far the log is and how far the source goes', async () => {
    await using log = await aLog()
    const metrics = createMetrics()
    const running = await startIngest(optionsFor(log, { metrics }))
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
