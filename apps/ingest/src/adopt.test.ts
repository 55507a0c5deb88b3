// An index of the shipped recording that begins at ledger 1,000,100, when nine contracts and five pairs are there, up to 1,000,191.

import type { AdoptedControl, EventLog } from '@orrery/event-log'
import { extractLedger, TrackedSet } from '@orrery/ledger'
import { entryText, instanceName, type Network } from '@orrery/protocol-kit'
import type { FakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { LogOver } from '../test/log-over.ts'
import { aNode, entriesOf, timesAsked } from '../test/rpc.ts'
import { storedSlices } from '../test/told.ts'
import { aWorld, type World } from '../test/world.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

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
const adoptedBy = async (log: EventLog): Promise<AdoptedControl[]> => (await world.told(log)).adopted as AdoptedControl[]

/** Records of the first slice of every partition. */
async function firstRecords(log: EventLog) {
  const slices = await Promise.all([0, 1, 2, 3].map((partition) => storedSlices(log, world.slices(partition))))
  return slices.map(([first]) => first?.records ?? [])
}

describe('an index that begins in the middle of history', () => {
  it('follows the pairs that their factory lists, with their tokens', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart())
    const followed = async (of: EventLog) =>
      new Map(
        (await world.told(of)).tracked.flatMap((it) =>
          it.kind === 'tracked' ? [[it.contract.contract, [...it.contract.balances].sort()]] : [],
        ),
      )
    await using whole = await world.log()
    await world.ingest(whole)
    expect(await followed(log)).toEqual(await followed(whole))
  })

  it('asks for an entry once, whoever names it', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart())
    const names = (await adoptedBy(log)).map(entryText)
    expect(names.length).toBeGreaterThan(20)
    expect(new Set(names).size).toBe(names.length)
  })

  it('takes a value for that of the ledger before only where no ledger since wrote the entry', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart())
    const written = new Set<string>()
    for (const { sequence, bytes } of world.ledgers) {
      if (sequence < FIRST) continue
      const { records } = extractLedger(bytes, TrackedSet.everything(world.network.passphrase))
      for (const record of records) if (record.kind === 'entry') written.add(entryText(record))
    }
    const records = (await firstRecords(log))
      .flat()
      .flatMap(({ record }) => (record.kind === 'entry' && record.change === 'adopted' ? [record] : []))
    const isState = (name: string) => records.some((record) => entryText(record) === name && record.before !== null)
    const names = [...new Set(records.map(entryText))]
    expect(names.filter((name) => !isState(name))).toEqual(names.filter((name) => written.has(name)))
    expect(names.some(isState)).toBe(true)
    expect(names.every(isState)).toBe(false)
  })

  it('takes no value from a node that is behind the ledger', async () => {
    await using behind = await aNode(FIRST - 2)
    await using log = await world.log()
    await world.ingest(log, lateStart({ entries: entriesOf(behind) }))
    const adopted = (await firstRecords(log))
      .flat()
      .flatMap(({ record }) => (record.kind === 'entry' && record.change === 'adopted' ? [record] : []))
    expect(adopted.length).toBeGreaterThan(0)
    expect(adopted.filter(({ before }) => before !== null)).toEqual([])
  })

  it('knows without a node only what the registry and its ledgers name', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart({ entries: undefined }))
    const { adopted, tracked } = await world.told(log)
    expect(adopted).toEqual([])
    expect(tracked.length).toBeGreaterThan(0)
  })

  it('is told again without asking: a stop anywhere leads to the same log, also when the node has gone on', async () => {
    await using clean = await world.log()
    await world.ingest(clean, lateStart())
    await using later = await aNode(LAST + 500)
    for (const cut of [FIRST, FIRST + 1, FIRST + 40]) {
      await using log = await world.log()
      await world.ingest(
        log,
        lateStart({ source: memorySource(world.ledgers.filter(({ sequence }) => sequence >= FIRST && sequence <= cut)) }),
      )
      await world.ingest(log, lateStart({ entries: entriesOf(later) }))
      expect(await world.told(log)).toEqual(await world.told(clean))
    }
    expect(timesAsked(later)).toBe(0)
  })

  it('is told again with what was read, without asking, when the log lost its first slice', async () => {
    await using clean = await world.log()
    await world.ingest(clean, lateStart())
    const [, partition] = await firstRecords(clean)
    expect(partition?.some(({ record }) => record.kind === 'entry' && record.change === 'adopted')).toBe(true)

    await using log = await world.log()
    let isLost = false
    const losing = new LogOver(log, (to, values) => {
      const loses = !isLost && to.topic === world.slices(1).topic && to.partition === 1
      isLost ||= loses
      return log.append(to, loses ? values.slice(1) : values)
    })
    const isWhole = Promise.withResolvers<void>()
    const gaps = async () => {
      const ranges = await storedSlices(log, world.slices(1))
      const [{ after: before } = { after: 0 }] = ranges
      if (ranges.some(({ after }) => after === FIRST - 1)) isWhole.resolve()
      return before < FIRST ? [] : [{ protocol: 'soroswap' as const, partition: 1, after: FIRST - 1, before }]
    }
    const ingest = await startIngest(world.optionsFor(losing, lateStart({ gaps, gapsEveryMs: 2 })))
    const asked = timesAsked(node)
    await ingest.ended
    await Promise.race([isWhole.promise, ingest.finished])
    await ingest.stop()
    expect(timesAsked(node) - asked).toBeLessThanOrEqual(4) // what the beginning itself asks
    const again = (await storedSlices(log, world.slices(1))).find(({ after }) => after === FIRST - 1)
    expect(again).toEqual((await storedSlices(clean, world.slices(1)))[0])
  })

  it('stops with what the node said when it does not answer, and goes on when it does', async () => {
    await using clean = await world.log()
    await world.ingest(clean, lateStart())
    await using log = await world.log()
    node.misbehave({ kind: 'error', code: -32_602, message: 'no entries today' }, { method: 'getLedgerEntries' })
    await expect(world.ingest(log, lateStart())).rejects.toMatchObject({ code: 'rpc_refused' })
    await world.ingest(log, lateStart())
    expect(await world.told(log)).toEqual(await world.told(clean))
  })
})

describe('a token that the registry does not describe', () => {
  const bare = (): Network => ({ ...world.network, assets: {} })

  it('is read when a pair names it, and told to every partition', async () => {
    await using log = await world.log()
    await world.ingest(log, { network: bare(), entries: entriesOf(node) })
    const adopted = await adoptedBy(log)
    const pairs = (await world.told(log)).tracked.flatMap((it) => (it.kind === 'tracked' && it.contract.role === 'pair' ? [it] : []))
    const tokens = new Set(pairs.flatMap(({ contract }) => contract.balances))
    expect(new Set(adopted.map(entryText))).toEqual(new Set([...tokens].map((token) => entryText(instanceName(token)))))
    expect([...new Set(adopted.map(({ ledger }) => ledger))]).toEqual([1_000_005]) // when the factory makes all five
    for (const partition of [0, 1, 2, 3]) {
      const records = (await storedSlices(log, world.slices(partition))).flatMap((slice) => slice.records)
      const shared = records.filter(({ record }) => record.kind === 'entry' && record.change === 'adopted')
      expect(new Set(shared.map((it) => it.class))).toEqual(new Set(['shared']))
      expect(shared.length).toBe(tokens.size)
    }
  })

  it('is not asked for where the registry describes it', async () => {
    const before = timesAsked(node)
    await using log = await world.log()
    await world.ingest(log, { entries: entriesOf(node) })
    expect(timesAsked(node)).toBe(before)
    expect(await world.told(log)).toEqual(world.expected)
  })
})
