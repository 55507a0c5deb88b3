// An index of the shipped recording that begins at ledger 1,000,100, when nine contracts and five pairs are there, up to 1,000,191.

import type { BootstrapControl, EventLog } from '@orrery/event-log'
import { extractLedger, TrackedSet } from '@orrery/ledger'
import { entryText, instanceName, type Network } from '@orrery/protocol-kit'
import type { FakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedSlices } from '../test/log-content.ts'
import { LogOver } from '../test/log-over.ts'
import { aNode, entriesOf, entryRequests } from '../test/rpc.ts'
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
const bootstrappedBy = async (log: EventLog): Promise<BootstrapControl[]> => (await world.contentOf(log)).bootstrapped as BootstrapControl[]

/** Records of the first slice of every partition. */
async function firstRecords(log: EventLog) {
  const slices = await Promise.all([0, 1, 2, 3].map((partition) => storedSlices(log, world.slices(partition))))
  return slices.map(([first]) => first?.records ?? [])
}

describe('an index that begins in the middle of history', () => {
  it('an index that begins in the middle tracks the pairs that their factory lists, with their tokens', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart())
    const followed = async (of: EventLog) =>
      new Map(
        (await world.contentOf(of)).tracked.flatMap((it) =>
          it.kind === 'tracked' ? [[it.contract.contract, [...it.contract.balances].sort()]] : [],
        ),
      )
    await using whole = await world.log()
    await world.ingest(whole)
    expect(await followed(log)).toEqual(await followed(whole))
  })

  it('an entry that several contracts name is requested once', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart())
    const names = (await bootstrappedBy(log)).map(entryText)
    expect(names.length).toBeGreaterThan(20)
    expect(new Set(names).size).toBe(names.length)
  })

  it('a bootstrap entry is a pre-image only where no ledger since wrote the entry', async () => {
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
      .flatMap(({ record }) => (record.kind === 'entry' && record.change === 'bootstrap' ? [record] : []))
    const isState = (name: string) => records.some((record) => entryText(record) === name && record.before !== null)
    const names = [...new Set(records.map(entryText))]
    expect(names.filter((name) => !isState(name))).toEqual(names.filter((name) => written.has(name)))
    expect(names.some(isState)).toBe(true)
    expect(names.every(isState)).toBe(false)
  })

  it('an entry from a node that is behind the ledger is no pre-image', async () => {
    await using behind = await aNode(FIRST - 2)
    await using log = await world.log()
    await world.ingest(log, lateStart({ entries: entriesOf(behind) }))
    const bootstrapped = (await firstRecords(log))
      .flat()
      .flatMap(({ record }) => (record.kind === 'entry' && record.change === 'bootstrap' ? [record] : []))
    expect(bootstrapped.length).toBeGreaterThan(0)
    expect(bootstrapped.filter(({ before }) => before !== null)).toEqual([])
  })

  it('without an RPC only contracts that the registry and the ledgers name are tracked', async () => {
    await using log = await world.log()
    await world.ingest(log, lateStart({ entries: undefined }))
    const { bootstrapped, tracked } = await world.contentOf(log)
    expect(bootstrapped).toEqual([])
    expect(tracked.length).toBeGreaterThan(0)
  })

  it('a restart after a stop at any ledger leads to the same log without another request, also when the node has advanced', async () => {
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
      expect(await world.contentOf(log)).toEqual(await world.contentOf(clean))
    }
    expect(entryRequests(later)).toBe(0)
  })

  it('a resend of the first slice repeats its bootstrap entries without another request', async () => {
    await using clean = await world.log()
    await world.ingest(clean, lateStart())
    const [, partition] = await firstRecords(clean)
    expect(partition?.some(({ record }) => record.kind === 'entry' && record.change === 'bootstrap')).toBe(true)

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
    const requestsBefore = entryRequests(node)
    await ingest.ended
    await Promise.race([isWhole.promise, ingest.finished])
    await ingest.stop()
    expect(entryRequests(node) - requestsBefore).toBeLessThanOrEqual(4) // requests of the first ledger
    const again = (await storedSlices(log, world.slices(1))).find(({ after }) => after === FIRST - 1)
    expect(again).toEqual((await storedSlices(clean, world.slices(1)))[0])
  })

  it('ingest stops with the error of the node when entries cannot be read, and continues at the next start when they can', async () => {
    await using clean = await world.log()
    await world.ingest(clean, lateStart())
    await using log = await world.log()
    node.misbehave({ kind: 'error', code: -32_602, message: 'no entries today' }, { method: 'getLedgerEntries' })
    await expect(world.ingest(log, lateStart())).rejects.toMatchObject({ code: 'rpc_refused' })
    await world.ingest(log, lateStart())
    expect(await world.contentOf(log)).toEqual(await world.contentOf(clean))
  })
})

describe('a token that the registry does not describe', () => {
  const bare = (): Network => ({ ...world.network, assets: {} })

  it('a token that the registry does not describe is read when a pair names it, and goes to every partition', async () => {
    await using log = await world.log()
    await world.ingest(log, { network: bare(), entries: entriesOf(node) })
    const bootstrapped = await bootstrappedBy(log)
    const pairs = (await world.contentOf(log)).tracked.flatMap((it) => (it.kind === 'tracked' && it.contract.role === 'pair' ? [it] : []))
    const tokens = new Set(pairs.flatMap(({ contract }) => contract.balances))
    expect(new Set(bootstrapped.map(entryText))).toEqual(new Set([...tokens].map((token) => entryText(instanceName(token)))))
    expect([...new Set(bootstrapped.map(({ ledger }) => ledger))]).toEqual([1_000_005]) // when the factory makes all five
    for (const partition of [0, 1, 2, 3]) {
      const records = (await storedSlices(log, world.slices(partition))).flatMap((slice) => slice.records)
      const shared = records.filter(({ record }) => record.kind === 'entry' && record.change === 'bootstrap')
      expect(new Set(shared.map((it) => it.class))).toEqual(new Set(['shared']))
      expect(shared.length).toBe(tokens.size)
    }
  })

  it('a token that the registry describes is not requested', async () => {
    const before = entryRequests(node)
    await using log = await world.log()
    await world.ingest(log, { entries: entriesOf(node) })
    expect(entryRequests(node)).toBe(before)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })
})
