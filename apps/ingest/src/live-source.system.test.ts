import { setTimeout as sleep } from 'node:timers/promises'
import { openRpc } from '@orrery/stellar-rpc'
import { type FakeLake, type FakeRpc, startFakeLake, startFakeRpc, type UpstreamFault } from '@orrery/testkit'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { readToldLog, storedSlices, type ToldLog } from '../test/told.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { backfilledSource } from './backfilled-source.ts'
import type { Gap } from './gap-repair.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'
import { rpcSource } from './rpc-source.ts'
import type { RunningIngest } from './running-ingest.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

const bytes = () => world.ledgers.map((ledger) => ledger.bytes)

async function aNode(latest = 1_000_191, retention?: number, datastoreFrom?: number): Promise<FakeRpc> {
  const { passphrase } = world.network
  const node = await startFakeRpc({
    ...{ ledgers: bytes(), passphrase, latest },
    ...(retention !== undefined && { retention }),
    ...(datastoreFrom !== undefined && { datastoreFrom }),
  })
  started.push(node)
  return node
}

async function aLake(latest: number): Promise<FakeLake> {
  const lake = await startFakeLake({ ledgers: bytes(), passphrase: world.network.passphrase, latest })
  started.push(lake)
  return lake
}

/** Pauses are as short as chance may make them. */
const time = { nowMs: () => Date.now(), sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }), random: () => 0.1 }
const ofNode = (...nodes: readonly FakeRpc[]): LedgerSource => rpcSource(openRpc({ urls: nodes.map(({ url }) => url), time }))
const ofLake = ({ url }: FakeLake, follows: boolean): LedgerSource => lakeSource(lakeHttp(url, { near: 1_000_000 }), { follows })

/** What the log says of ledgers and contracts, without what it says of the source. */
const meaning = ({ last: _last, ...rest }: ToldLog): Omit<ToldLog, 'last'> => rest

/** A log that is told the source up to 1,000,191, the last ledger of the world. */
async function toldBy(
  source: LedgerSource,
  meanwhile: (running: RunningIngest) => Promise<unknown> = async () => undefined,
): Promise<ToldLog> {
  await using log = await world.log()
  const running = await startIngest(world.optionsFor(log, { source }))
  await running.caughtUp
  await meanwhile(running)
  await reached(running, 1_000_191)
  await running.stop()
  return await world.told(log)
}

/** Nothing calls us when a ledger is told: the log itself is what others wait for. */
async function reached(running: RunningIngest, ledger: number): Promise<void> {
  while (running.tip < ledger) await Promise.race([running.finished, sleep(20)])
}

describe('what is told', () => {
  const faults: UpstreamFault[] = [
    { kind: 'busy' },
    { kind: 'busy', retryAfterSeconds: 1 },
    { kind: 'status', status: 500 },
    { kind: 'slow', ms: 100 },
    { kind: 'cut' },
    { kind: 'garbage' },
    { kind: 'reset' },
    { kind: 'error', code: -32603, message: 'DB is empty' },
  ]

  it('is the same from an RPC as from the files of a lake', async () => {
    expect(meaning(await toldBy(ofNode(await aNode())))).toEqual(meaning(world.expected))
  })

  it.each(faults)('is the same whatever goes wrong for a while at the RPC: $kind $status', async (fault) => {
    const node = await aNode()
    for (const method of ['getNetwork', 'getHealth', 'getLedgers']) node.misbehave(fault, { method, times: fault.kind === 'busy' ? 1 : 2 })
    expect(meaning(await toldBy(ofNode(node)))).toEqual(meaning(world.expected))
  })

  it.each(faults.filter(({ kind }) => kind !== 'error'))(
    'is the same whatever goes wrong for a while at a lake behind http: $kind $status',
    async (fault) => {
      const lake = await aLake(1_000_191)
      for (const path of ['.config.json', '--1000064-1000127']) lake.misbehave(fault, { path })
      expect(meaning(await toldBy(ofLake(lake, true)))).toEqual(meaning(world.expected))
    },
  )

  it('is the same from two nodes that take turns being away', async () => {
    const [one, two] = [await aNode(1_000_150), await aNode(1_000_150)]
    const told = await toldBy(ofNode(one, two), async (running) => {
      await one.goAway()
      two.advance(20)
      await reached(running, 1_000_170)
      await one.comeBack()
      await two.goAway()
      one.advance(41)
    })
    expect(meaning(told)).toEqual(meaning(world.expected))
  })

  it('is the same from a lake that an RPC goes on from', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_180, 90)]
    const told = await toldBy(backfilledSource(ofLake(lake, false), ofNode(node)), async () => node.advance(11))
    expect(meaning(told)).toEqual(meaning(world.expected))
  })

  it('is the same when it is stopped and goes on from another source', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 100)]
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofLake(lake, true) }))
    expect(await first.caughtUp).toBe(1_000_127)
    await first.stop()
    const second = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await second.caughtUp).toBe(1_000_191)
    await second.stop()
    expect(meaning(await world.told(log))).toEqual(meaning(world.expected))
  })
})

describe('a source that goes on', () => {
  it('is caught up with at the ledger that it had at the start, and then followed ledger by ledger', async () => {
    const node = await aNode(1_000_150)
    await using log = await world.log()
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await running.caughtUp).toBe(1_000_150)
    expect(running.readiness()).toEqual({ ok: true, why: '' })
    expect((await world.told(log)).last).toEqual({
      kind: 'source_tip',
      ledger: 1_000_150,
      closeTimeSeconds: expect.any(Number),
      heardAtMs: expect.any(Number),
    })
    for (let ledger = 1_000_151; ledger <= 1_000_160; ledger += 3) {
      node.advance(3)
      await reached(running, ledger + 2)
    }
    await running.stop()
    // A slice for each of them in every partition, though three close at a time.
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const slices = await storedSlices(log, world.slices(partition))
      const followed = slices.filter(({ ledger }) => ledger > 1_000_150).map(({ after, ledger }) => [after, ledger])
      expect(followed).toEqual(Array.from({ length: 12 }, (_, n) => [1_000_150 + n, 1_000_151 + n]))
    }
  })

  it('is caught up with at once when the log has everything already', async () => {
    const node = await aNode()
    await using log = await world.log()
    await world.ingest(log)
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await running.caughtUp).toBe(1_000_191)
    await running.stop()
    expect((await world.told(log)).last).toMatchObject({ kind: 'source_tip', ledger: 1_000_191 })
  })

  it('of which a node keeps only the newest begins a new index with the oldest that is kept, and says what is missing', async () => {
    const lines: string[] = []
    const logger = world.optionsFor(await world.log()).logger.child({}, { level: 'info' })
    logger.warn = (_fields: unknown, text?: string) => void lines.push(`${text}`)
    logger.info = (_fields: unknown, text?: string) => void lines.push(`${text}`)
    await using log = await world.log()
    const running = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50)), logger }))
    expect(running.firstLedger).toBe(1_000_142)
    expect(lines[0]).toMatch(/begins at ledger 1000142, the oldest that .* has.*does not cover ledgers 1000000 to 1000141.*--lake/)
    await running.stop()
  })
})

describe('a hole that an adapter finds', () => {
  /** Partition 1 has not got its slices from 1,000,060 to 1,000,080. */
  const hole: Gap = { protocol: 'soroswap', partition: 1, after: 1_000_059, before: 1_000_080 }

  /** A log that was told everything up to 1,000,150. */
  async function aToldLog() {
    const log = await world.log()
    started.push(log)
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_150)) }))
    await first.caughtUp
    await first.stop()
    return log
  }

  it('is filled from an RPC, while reading goes on', async () => {
    const [log, node] = [await aToldLog(), await aNode(1_000_160)]
    const before = await storedSlices(log, world.slices(1))
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node), gaps: async () => [hole], gapsEveryMs: 5 }))
    await running.caughtUp
    // It is told again from the last slice before the hole on, and meets the front, which has gone on meanwhile.
    let again = before
    while (again.filter(({ ledger }) => ledger === 1_000_160).length === 0) again = await storedSlices(log, world.slices(1))
    node.advance(31)
    await reached(running, 1_000_191)
    await running.stop()
    const told = (await storedSlices(log, world.slices(1))).slice(before.length)
    expect(told.some(({ after, ledger }) => after <= hole.after && ledger > hole.after)).toBe(true)
    expect((await readToldLog(log, world.network.name, 'soroswap', PARTITIONS, true)).partitions).toEqual(world.expected.partitions)
  })

  it('stays, with its range named, when an RPC no longer keeps it, and reading goes on', async () => {
    const [log, node] = [await aToldLog(), await aNode(1_000_160, 60)]
    const errors: object[] = []
    const { logger: silent } = world.optionsFor(log)
    const logger = Object.assign(Object.create(silent), { error: (fields: object) => void errors.push(fields) })
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node), logger, gaps: async () => [hole], gapsEveryMs: 5 }))
    while (errors.length === 0) await sleep(5)
    node.advance(31)
    await reached(running, 1_000_191)
    await running.stop()
    expect(errors).toEqual([{ ...hole, code: 'log_gap', sourceFirst: expect.any(Number), neededFrom: expect.any(Number) }])
    expect(meaning(await world.told(log))).toEqual(meaning(world.expected))
  })
})

describe('what stops it, with what is safe and what to do', () => {
  const startedOn = async (source: LedgerSource, more: Partial<IngestOptions> = {}) => {
    const log = await world.log()
    started.push(log)
    return startIngest(world.optionsFor(log, { source, ...more }))
  }

  it('is an RPC of another network', async () => {
    const node = await aNode()
    node.passphrase = 'Another Network ; October 2026'
    await expect(startedOn(ofNode(node))).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
  })

  it('is a lake and an RPC of two networks', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode()]
    lake.passphrase = 'Another Network ; October 2026'
    await expect(startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))).rejects.toMatchObject({ code: 'wrong_network' })
  })

  it('is a node of another network that is asked when the first one is away', async () => {
    const [one, two] = [await aNode(1_000_150), await aNode()]
    await two.goAway()
    two.passphrase = 'Another Network ; October 2026'
    const running = await startedOn(ofNode(one, two))
    await running.caughtUp
    await two.comeBack()
    await one.goAway()
    await expect(running.finished).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    expect(running.tip).toBe(1_000_150)
  })

  it('is another chain at the node that goes on when the first one is away: both hashes are named', async () => {
    const [one, two] = [await aNode(1_000_150), await aNode(1_000_150)]
    two.forkFrom(1_000_140)
    const running = await startedOn(ofNode(one, two))
    await running.caughtUp
    await one.goAway()
    two.advance()
    await expect(running.finished).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledger_chain_broken',
      context: { ledger: 1_000_151, expected: expect.stringMatching(/^[0-9a-f]{64}$/), found: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(running.tip).toBe(1_000_150)
  })

  it.each(['an RPC', 'a lake'])('is another chain at %s: both hashes are named', async (which) => {
    const [lake, node] = [await aLake(1_000_191), await aNode()]
    for (const upstream of [lake, node]) upstream.forkFrom(1_000_100)
    const running = await startedOn(which === 'a lake' ? ofLake(lake, true) : ofNode(node))
    await expect(running.finished).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledger_chain_broken',
      context: { ledger: 1_000_100, expected: expect.stringMatching(/^[0-9a-f]{64}$/), found: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    await expect(running.finished).rejects.toThrow(/Everything up to ledger 1000099 is whole and kept/)
    expect(running.tip).toBe(1_000_099)
  })

  it('is another chain where a lake hands over to an RPC', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 100)]
    node.forkFrom(1_000_000)
    const running = await startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_chain_broken', context: { ledger: 1_000_128 } })
  })

  it('is a hole inside of what an RPC keeps', async () => {
    const node = await aNode()
    for (const ledger of [1_000_100, 1_000_101]) node.lose(ledger)
    const running = await startedOn(ofNode(node))
    await expect(running.finished).rejects.toMatchObject({ code: 'ledgers_missing', context: { first: 1_000_100, last: 1_000_101 } })
    expect(running.tip).toBe(1_000_099)
  })

  it('is a log whose next ledger an RPC no longer keeps', async () => {
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_050)) }))
    await first.caughtUp
    await first.stop()
    const late = startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 100)) }))
    await expect(late).rejects.toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await expect(late).rejects.toThrow(/ledgers 1000051 to 1000091 would be missing.*--lake.*--rpc.*--from-ledger 1000092/)
  })

  it('is a first ledger that an RPC does not have', async () => {
    const node = await aNode(1_000_191, 50)
    const early = startedOn(ofNode(node), { fromLedger: 1_000_000 })
    await expect(early).rejects.toThrow(/ledgers 1000000 to 1000141 would be missing/)
    await expect(early).rejects.toThrow(/answered "start ledger \(1000000\) must be between the oldest ledger: 1000142/)
    await expect(startedOn(ofNode(node), { fromLedger: 1_000_192 })).rejects.toMatchObject({ code: 'ledgers_out_of_range' })
  })

  it('is a hole between a lake and an RPC', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 50)]
    const starting = startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))
    await expect(starting).rejects.toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await expect(starting).rejects.toThrow(/not ledgers 1000128 to 1000141/)
  })
})

describe('a node whose datastore has older ledgers than it says', () => {
  it('gives a whole index from the ledger that was asked for', async () => {
    await using log = await world.log()
    const running = await startIngest(
      world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)), fromLedger: 1_000_000 }),
    )
    await running.caughtUp
    await reached(running, 1_000_191)
    await running.stop()
    expect(running.firstLedger).toBe(1_000_000)
    expect(meaning(await world.told(log))).toEqual(meaning(world.expected))
  })

  it('lets a log go on that is behind the window of the node', async () => {
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_050)) }))
    await first.caughtUp
    await first.stop()
    const second = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)) }))
    await second.caughtUp
    await reached(second, 1_000_191)
    await second.stop()
    expect(meaning(await world.told(log))).toEqual(meaning(world.expected))
  })

  it('fills what is between the end of a lake and its window', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 50, 1_000_100)]
    expect(meaning(await toldBy(backfilledSource(ofLake(lake, false), ofNode(node))))).toEqual(meaning(world.expected))
  })

  it('begins with the oldest ledger that the node names where none was asked for', async () => {
    await using log = await world.log()
    const running = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)) }))
    expect(running.firstLedger).toBe(1_000_142)
    await running.stop()
  })
})
