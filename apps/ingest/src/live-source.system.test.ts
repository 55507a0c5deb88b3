import { setTimeout as sleep } from 'node:timers/promises'
import { openRpc } from '@orrery/stellar-rpc'
import { type FakeLake, type FakeRpc, startFakeLake, startFakeRpc, type UpstreamFault } from '@orrery/testkit'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { type LogContent, readLogContent, storedSlices } from '../test/log-content.ts'
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

/** Random pauses take their shortest value. */
const time = { nowMs: () => Date.now(), sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }), random: () => 0.1 }
const ofNode = (...nodes: readonly FakeRpc[]): LedgerSource => rpcSource(openRpc({ urls: nodes.map(({ url }) => url), time }))
const ofLake = ({ url }: FakeLake, follows: boolean): LedgerSource => lakeSource(lakeHttp(url, { near: 1_000_000 }), { follows })

/** The log's ledgers and contracts, without its records about the source. */
const meaning = ({ last: _last, ...rest }: LogContent): Omit<LogContent, 'last'> => rest

/** A log with the source's ledgers up to 1,000,191, the last one of the test's ledgers. */
async function contentFrom(
  source: LedgerSource,
  whileRunning: (running: RunningIngest) => Promise<unknown> = async () => undefined,
): Promise<LogContent> {
  await using log = await world.log()
  const running = await startIngest(world.optionsFor(log, { source }))
  await running.caughtUp
  await whileRunning(running)
  await reached(running, 1_000_191)
  await running.stop()
  return await world.contentOf(log)
}

/** Waits by reading the log, as its readers do. */
async function reached(running: RunningIngest, ledger: number): Promise<void> {
  while (running.tip < ledger) await Promise.race([running.finished, sleep(20)])
}

describe('the content of the log', () => {
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

  it('the log is the same from an RPC as from the files of a lake', async () => {
    expect(meaning(await contentFrom(ofNode(await aNode())))).toEqual(meaning(world.expected))
  })

  it.each(faults)('the log is the same after a temporary fault of the RPC: $kind $status', async (fault) => {
    const node = await aNode()
    for (const method of ['getNetwork', 'getHealth', 'getLedgers']) node.misbehave(fault, { method, times: fault.kind === 'busy' ? 1 : 2 })
    expect(meaning(await contentFrom(ofNode(node)))).toEqual(meaning(world.expected))
  })

  it.each(faults.filter(({ kind }) => kind !== 'error'))(
    'the log is the same after a temporary fault of a lake behind http: $kind $status',
    async (fault) => {
      const lake = await aLake(1_000_191)
      for (const path of ['.config.json', '--1000064-1000127']) lake.misbehave(fault, { path })
      expect(meaning(await contentFrom(ofLake(lake, true)))).toEqual(meaning(world.expected))
    },
  )

  it('the log is the same from two nodes of which one at a time is down', async () => {
    const [one, two] = [await aNode(1_000_150), await aNode(1_000_150)]
    const content = await contentFrom(ofNode(one, two), async (running) => {
      await one.goAway()
      two.advance(20)
      await reached(running, 1_000_170)
      await one.comeBack()
      await two.goAway()
      one.advance(41)
    })
    expect(meaning(content)).toEqual(meaning(world.expected))
  })

  it('the log is the same from a lake that an RPC continues', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_180, 90)]
    const content = await contentFrom(backfilledSource(ofLake(lake, false), ofNode(node)), async () => node.advance(11))
    expect(meaning(content)).toEqual(meaning(world.expected))
  })

  it('the log is the same when ingest stops and continues from another source', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 100)]
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofLake(lake, true) }))
    expect(await first.caughtUp).toBe(1_000_127)
    await first.stop()
    const second = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await second.caughtUp).toBe(1_000_191)
    await second.stop()
    expect(meaning(await world.contentOf(log))).toEqual(meaning(world.expected))
  })
})

describe('a live source', () => {
  it('ingest has caught up with a live source at the ledger that it had at the start, and then follows it ledger by ledger', async () => {
    const node = await aNode(1_000_150)
    await using log = await world.log()
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await running.caughtUp).toBe(1_000_150)
    expect(running.readiness()).toEqual({ ok: true, why: '' })
    expect((await world.contentOf(log)).last).toEqual({
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

  it('ingest has caught up at once when the log has everything already', async () => {
    const node = await aNode()
    await using log = await world.log()
    await world.ingest(log)
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node) }))
    expect(await running.caughtUp).toBe(1_000_191)
    await running.stop()
    expect((await world.contentOf(log)).last).toMatchObject({ kind: 'source_tip', ledger: 1_000_191 })
  })

  it('a new index from a node that keeps only newer ledgers begins with the oldest kept one, and ingest logs what is missing', async () => {
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

describe('a gap that an adapter reports', () => {
  /** Partition 1 lacks its slices from 1,000,060 to 1,000,080. */
  const gap: Gap = { protocol: 'soroswap', partition: 1, after: 1_000_059, before: 1_000_080 }

  /** A log with everything up to 1,000,150. */
  async function aLogWithGap() {
    const log = await world.log()
    started.push(log)
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_150)) }))
    await first.caughtUp
    await first.stop()
    return log
  }

  it('a gap is closed from an RPC while ingest continues', async () => {
    const [log, node] = [await aLogWithGap(), await aNode(1_000_160)]
    const before = await storedSlices(log, world.slices(1))
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node), gaps: async () => [gap], gapsEveryMs: 5 }))
    await running.caughtUp
    // The resend begins with the last slice before the gap and ends at the main loop, which has continued.
    let again = before
    while (again.filter(({ ledger }) => ledger === 1_000_160).length === 0) again = await storedSlices(log, world.slices(1))
    node.advance(31)
    await reached(running, 1_000_191)
    await running.stop()
    const resent = (await storedSlices(log, world.slices(1))).slice(before.length)
    expect(resent.some(({ after, ledger }) => after <= gap.after && ledger > gap.after)).toBe(true)
    expect((await readLogContent(log, world.network.name, 'soroswap', PARTITIONS, true)).partitions).toEqual(world.expected.partitions)
  })

  it('a gap that an RPC no longer keeps stays, its range is logged, and ingest continues', async () => {
    const [log, node] = [await aLogWithGap(), await aNode(1_000_160, 60)]
    const errors: object[] = []
    const { logger: silent } = world.optionsFor(log)
    const logger = Object.assign(Object.create(silent), { error: (fields: object) => void errors.push(fields) })
    const running = await startIngest(world.optionsFor(log, { source: ofNode(node), logger, gaps: async () => [gap], gapsEveryMs: 5 }))
    while (errors.length === 0) await sleep(5)
    node.advance(31)
    await reached(running, 1_000_191)
    await running.stop()
    expect(errors).toEqual([{ ...gap, code: 'log_gap', sourceFirst: expect.any(Number), neededFrom: expect.any(Number) }])
    expect(meaning(await world.contentOf(log))).toEqual(meaning(world.expected))
  })
})

describe('an error that stops ingest', () => {
  const startedOn = async (source: LedgerSource, more: Partial<IngestOptions> = {}) => {
    const log = await world.log()
    started.push(log)
    return startIngest(world.optionsFor(log, { source, ...more }))
  }

  it('an RPC of another network is refused', async () => {
    const node = await aNode()
    node.passphrase = 'Another Network ; October 2026'
    await expect(startedOn(ofNode(node))).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
  })

  it('a lake and an RPC of two networks are refused', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode()]
    lake.passphrase = 'Another Network ; October 2026'
    await expect(startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))).rejects.toMatchObject({ code: 'wrong_network' })
  })

  it('a node of another network that is used after the first one failed stops ingest', async () => {
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

  it('another chain at the node that is used after the first one failed stops ingest with both hashes', async () => {
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

  it.each(['an RPC', 'a lake'])('another chain at %s stops ingest with both hashes', async (which) => {
    const [lake, node] = [await aLake(1_000_191), await aNode()]
    for (const upstream of [lake, node]) upstream.forkFrom(1_000_100)
    const running = await startedOn(which === 'a lake' ? ofLake(lake, true) : ofNode(node))
    await expect(running.finished).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledger_chain_broken',
      context: { ledger: 1_000_100, expected: expect.stringMatching(/^[0-9a-f]{64}$/), found: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    await expect(running.finished).rejects.toThrow(/Everything up to ledger 1000099 is complete and stored/)
    expect(running.tip).toBe(1_000_099)
  })

  it('another chain where an RPC continues a lake stops ingest', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 100)]
    node.forkFrom(1_000_000)
    const running = await startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_chain_broken', context: { ledger: 1_000_128 } })
  })

  it('a gap inside the window of an RPC stops ingest', async () => {
    const node = await aNode()
    for (const ledger of [1_000_100, 1_000_101]) node.lose(ledger)
    const running = await startedOn(ofNode(node))
    await expect(running.finished).rejects.toMatchObject({ code: 'ledgers_missing', context: { first: 1_000_100, last: 1_000_101 } })
    expect(running.tip).toBe(1_000_099)
  })

  it('a log whose next ledger an RPC no longer keeps is refused', async () => {
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_050)) }))
    await first.caughtUp
    await first.stop()
    const late = startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 100)) }))
    await expect(late).rejects.toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await expect(late).rejects.toThrow(/ledgers 1000051 to 1000091 would be missing.*--lake.*--rpc.*--from-ledger 1000092/)
  })

  it('a first ledger that an RPC does not have is refused', async () => {
    const node = await aNode(1_000_191, 50)
    const early = startedOn(ofNode(node), { fromLedger: 1_000_000 })
    await expect(early).rejects.toThrow(/ledgers 1000000 to 1000141 would be missing/)
    await expect(early).rejects.toThrow(/answered "start ledger \(1000000\) must be between the oldest ledger: 1000142/)
    await expect(startedOn(ofNode(node), { fromLedger: 1_000_192 })).rejects.toMatchObject({ code: 'ledgers_out_of_range' })
  })

  it('a gap between a lake and an RPC is refused', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 50)]
    const starting = startedOn(backfilledSource(ofLake(lake, false), ofNode(node)))
    await expect(starting).rejects.toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await expect(starting).rejects.toThrow(/not ledgers 1000128 to 1000141/)
  })
})

describe('a node whose datastore has older ledgers than it names', () => {
  it('a datastore with older ledgers than its node names gives a complete index from the requested ledger', async () => {
    await using log = await world.log()
    const running = await startIngest(
      world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)), fromLedger: 1_000_000 }),
    )
    await running.caughtUp
    await reached(running, 1_000_191)
    await running.stop()
    expect(running.firstLedger).toBe(1_000_000)
    expect(meaning(await world.contentOf(log))).toEqual(meaning(world.expected))
  })

  it('a log behind the window of the node continues from the datastore', async () => {
    await using log = await world.log()
    const first = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_050)) }))
    await first.caughtUp
    await first.stop()
    const second = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)) }))
    await second.caughtUp
    await reached(second, 1_000_191)
    await second.stop()
    expect(meaning(await world.contentOf(log))).toEqual(meaning(world.expected))
  })

  it('the datastore has the ledgers between the end of a lake and the window of the node', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode(1_000_191, 50, 1_000_100)]
    expect(meaning(await contentFrom(backfilledSource(ofLake(lake, false), ofNode(node))))).toEqual(meaning(world.expected))
  })

  it('an index without a requested first ledger begins with the oldest that the node names', async () => {
    await using log = await world.log()
    const running = await startIngest(world.optionsFor(log, { source: ofNode(await aNode(1_000_191, 50, 1_000_000)) }))
    expect(running.firstLedger).toBe(1_000_142)
    await running.stop()
  })
})
