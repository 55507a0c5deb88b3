import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { type ControlRecord, controlTopic, type EventLog, encodeControl, openLog, sliceTopic } from '@orrery/event-log'
import type { Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { type HealthReport, openStore, type Store } from '@orrery/read-model'
import { type TestDatabase, withDatabases } from '@orrery/read-model/testing'
import { registryText } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Counts, counter } from '../test/counter.ts'
import {
  controlRecordsOf,
  EMPTY_REGISTRY,
  encoded,
  FIRST_LEDGER,
  lastLedgerOf,
  NETWORK,
  REGISTRY,
  START,
  slicesOf,
  TEST_LEDGERS,
} from '../test/test-ledgers.ts'
import { type ControlFollower, hasStartRecords, startControlFollower } from './control-follower.ts'
import type { RunningAdapter } from './running-adapter.ts'
import { startAdapter } from './start-adapter.ts'

const LAST = lastLedgerOf(TEST_LEDGERS)
const AT_ONCE = { maxWeight: 1, maxAgeMs: 60_000, quietMs: 5 }
const network = EMPTY_REGISTRY
const logger = createLogger({ name: 'test', level: 'silent', json: true })

function counting(fails?: (ledger: number) => boolean): Protocol<Counts> {
  const routing = {
    protocol: 'soroswap' as const,
    roots: () => [],
    discover: () => [],
    bootstrap: () => [],
    route: () => ({ owned: true, shared: false }),
  }
  const accountEntries = { listings: () => [], poolKeys: [], predatingPools: () => [], poolOf: () => '', names: () => [] }
  const [any] = PROTOCOLS as readonly [Protocol<unknown>]
  return { ...any, id: 'soroswap', displayName: 'Counter', routing, accountEntries, adapter: () => counter(1, fails) }
}

const databases = withDatabases()

describe('an adapter', () => {
  let folder: string
  let database: TestDatabase
  let store: Store
  let log: EventLog
  let running: { readonly control: ControlFollower; readonly adapter: RunningAdapter } | null

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orrery-adapter-'))
    database = await databases.databaseOfTest()
    store = openStore(database.connect('writer'))
    await openNewLog()
    running = null
  })
  afterEach(async () => {
    await stop().catch(() => undefined) // a test that expects a failure has checked it
    await log.close()
    rmSync(folder, { recursive: true })
  })

  const openNewLog = async (): Promise<void> => {
    log = await openLog(`lmdb:${mkdtempSync(join(folder, 'log-'))}`)
    const keepAll = { retentionSeconds: null, retentionBytes: null }
    await log.ensureTopic(controlTopic(NETWORK.name), { partitions: 1, ...keepAll })
    await log.ensureTopic(sliceTopic(NETWORK.name, 'soroswap'), { partitions: 2, ...keepAll })
  }
  const appendControl = (...records: ControlRecord[]): Promise<void> =>
    log.append({ topic: controlTopic(NETWORK.name), partition: 0 }, [encodeControl(records)])
  const appendSlices = (partition: number, slices: Parameters<typeof encoded>[0]): Promise<void> =>
    log.append({ topic: sliceTopic(NETWORK.name, 'soroswap'), partition }, encoded(slices))
  const start = async (protocol = counting(), partitions = [0, 1], ownLogger = logger, own = network, quarantines = false) => {
    const signal = new AbortController().signal
    const control = await startControlFollower({ network: own, protocols: ['soroswap'], log, store, limits: AT_ONCE, signal })
    const adapter = await startAdapter({
      protocol,
      network: own,
      partitions,
      control,
      log,
      store,
      logger: ownLogger,
      metrics: createMetrics(),
      limits: AT_ONCE,
      healthEveryMs: 10,
      quarantines,
    }).catch(async (error: unknown) => {
      await control.stop() // it stores what the records say, also where the adapter is refused
      throw error
    })
    running = { control, adapter }
    return running
  }
  const stop = async (): Promise<void> => {
    await running?.adapter.stop()
    await running?.control.stop()
  }
  const rows = async <Row>(query: string): Promise<Row[]> =>
    (await database.connect('admin').client.query({ query, format: 'JSONEachRow' })).json<Row>()
  /** Reads health rows until one matches. */
  const healthThat = async (fits: (row: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = (await rows<Record<string, unknown>>('SELECT * FROM adapter_health_v1')).find(fits)
      if (found !== undefined) return found
    }
  }

  it('a worker has reached a ledger when every partition and the ledgers themselves are stored', async () => {
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS), { kind: 'source_end', ledger: LAST })
    await appendSlices(0, slicesOf(TEST_LEDGERS, { partition: 0 }))
    const { adapter } = await start()
    let hasReached = false
    const reached = adapter.reached(LAST).then(() => {
      hasReached = true
    })
    await healthThat((row) => row.partition === 0 && row.checkpoint_ledger === LAST)
    expect(hasReached).toBe(false)
    expect(adapter.readiness()).toMatchObject({ ok: false, why: expect.stringContaining(`${FIRST_LEDGER - 1} of ${LAST}`) })

    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1 }))
    await reached
    expect(await rows('SELECT checkpoint_ledger FROM adapter_health_v1 FINAL ORDER BY partition')).toEqual([
      { checkpoint_ledger: LAST },
      { checkpoint_ledger: LAST },
    ])
    expect(adapter.readiness()).toEqual({ ok: true, why: '' })
    expect(adapter.status().map(({ checkpointLedger }) => checkpointLedger)).toEqual([LAST, LAST])
    expect(await rows('SELECT count() AS n, max(ledger) AS newest FROM ledgers_v1 FINAL')).toEqual([
      { n: String(TEST_LEDGERS.length), newest: LAST },
    ])
    expect(await rows('SELECT protocol, adapter_version, partitions FROM active_versions_v1 FINAL')).toEqual([
      { protocol: 'soroswap', adapter_version: 1, partitions: 2 },
    ])
    expect(await healthThat((row) => row.partition === 1 && row.checkpoint_ledger === LAST)).toMatchObject({
      state: 'running',
      seen_ledger: LAST,
      source_ended: true,
      contracts_tracked: 3,
    })
  })

  it('a worker reports a gap in its health row, and removes it when the ledgers were resent', async () => {
    const [first, second, ...rest] = slicesOf(TEST_LEDGERS)
    if (first === undefined || second === undefined) throw new Error('there are more test ledgers')
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    await appendSlices(0, [first, ...rest])
    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1 }))
    const { adapter } = await start()
    expect(await healthThat((row) => row.state === 'failing')).toMatchObject({
      partition: 0,
      gap_after: first.ledger,
      gap_before: second.ledger,
    })
    expect(adapter.readiness()).toMatchObject({ ok: false, why: expect.stringContaining(`after ${first.ledger} up to ${second.ledger}`) })
    await appendSlices(0, [second, ...rest])
    await adapter.reached(LAST)
    expect(await healthThat((row) => row.partition === 0 && row.checkpoint_ledger === LAST && row.state === 'running')).toMatchObject({
      gap_after: null,
    })
  })

  it('a worker stops all partitions when one fails, and writes the reason to its health row', async () => {
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1 }))
    const { adapter } = await start(counting((ledger) => ledger === LAST))
    await expect(adapter.reached(LAST)).rejects.toMatchObject({ code: 'fold_failed', context: { partition: 1, ledger: LAST } })
    await expect(adapter.finished).rejects.toMatchObject({ code: 'fold_failed' })
    expect(await healthThat((row) => row.partition === 1 && row.state === 'failing')).toMatchObject({
      error: expect.stringContaining(`failed at ledger ${LAST}`),
      errors_last_hour: 1,
    })
  })

  it('a partition whose fold fails is quarantined at its checkpoint, the others go on, and it comes back with the ledgers that it lacks', async () => {
    const slices = slicesOf(TEST_LEDGERS, { partition: 1 })
    const [kept = 0, failing = 0, half = 0] = slices.slice(2).map(({ ledger }) => ledger)
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    let isBroken = true
    const protocol = counting((ledger) => isBroken && ledger === failing)
    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1, last: half }))
    const begin = () => start(protocol, [0, 1], logger, network, true)
    const before = await begin()
    const lastReport: HealthReport = {
      ...{ protocol: 'soroswap', partition: 1, indexVersion: 1, reportedAtMs: 1, state: 'quarantined', checkpointLedger: kept },
      ...{
        checkpointCloseTimeSeconds: 0,
        seenLedger: 0,
        seenCloseTimeSeconds: 0,
        sourceEnded: false,
        sourceHeardAtMs: 0,
        progressedAtMs: 0,
      },
      ...{ gap: null, error: '', errorsLastHour: 77, contractsTracked: 0 },
    }
    const quarantined = { state: 'quarantined', error: `Quarantined after ledger ${kept}: ` }
    const isQuarantined = (row: Record<string, unknown>): boolean =>
      row.partition === 1 && row.checkpoint_ledger === kept && row.state === 'quarantined'
    expect(await healthThat(isQuarantined)).toMatchObject({ ...quarantined, error: expect.stringContaining(quarantined.error) })
    expect(before.adapter.status().map(({ quarantined: is }) => is)).toEqual([false, true])
    expect(before.adapter.readiness()).toMatchObject({ ok: false, why: expect.stringContaining('soroswap/1 failed') })

    // A process that starts again reports it as quarantined from its first report on.
    await stop()
    await database.connect('admin').client.command({ query: 'TRUNCATE TABLE adapter_health_v1' })
    await store.reportHealth([lastReport])
    const { adapter } = await begin()
    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1, after: half }))
    await healthThat((row) => isQuarantined(row) && row.errors_last_hour !== 77)
    expect(await rows('SELECT DISTINCT state FROM adapter_health_v1 WHERE partition = 1')).toEqual([{ state: 'quarantined' }])

    isBroken = false
    await appendSlices(0, slicesOf(TEST_LEDGERS, { partition: 0 }))
    await adapter.reached(LAST)
    expect(await healthThat((row) => row.partition === 1 && row.checkpoint_ledger === LAST && row.state === 'running')).toMatchObject({
      error: '',
    })
    expect(adapter.status().map(({ checkpointLedger, quarantined: is, error }) => [checkpointLedger, is, error])).toEqual([
      [LAST, false, ''],
      [LAST, false, ''],
    ])
  })

  it('a partition whose stored state cannot be loaded is quarantined at its checkpoint, and comes back without another slice', async () => {
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition }))
    await (await start()).adapter.reached(LAST)
    await stop()
    await database.connect('admin').client.command({ query: 'TRUNCATE TABLE adapter_health_v1' })

    let isDamaged = true
    const protocol = counting()
    const damaged: typeof protocol = {
      ...protocol,
      adapter: (own) => {
        const adapter = protocol.adapter(own)
        const load: typeof adapter.load = (given, ledger) => {
          const state = [...given]
          if (isDamaged && state.some(({ scope }) => scope === 1)) throw new Error('A row of state is damaged.')
          return adapter.load(state, ledger)
        }
        return { ...adapter, load }
      },
    }
    const { adapter } = await start(damaged, [0, 1], logger, network, true)
    const error = expect.stringContaining('A row of state is damaged.')
    expect(await healthThat(({ partition, state }) => partition === 1 && state === 'quarantined')).toMatchObject({
      checkpoint_ledger: LAST,
      error,
    })
    expect(adapter.status().map(({ quarantined: is }) => is)).toEqual([false, true])
    isDamaged = false
    expect(await healthThat(({ partition, state }) => partition === 1 && state === 'running')).toMatchObject({ error: '' })
  })

  it('an error of the store ends the worker also where partitions may be quarantined', async () => {
    await appendControl(START, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    const own = store
    store = new Proxy(own, {
      get: (target, member) =>
        member === 'moveCheckpoint'
          ? () => Promise.reject(new OrreryError('unavailable', 'read_model_unreachable', 'The store of a test is away.'))
          : Reflect.get(target, member, target).bind?.(target),
    })
    await appendSlices(1, slicesOf(TEST_LEDGERS, { partition: 1 }))
    const { adapter } = await start(counting(), [0, 1], logger, network, true)
    await expect(adapter.finished).rejects.toMatchObject({ code: 'read_model_unreachable' })
    store = own
  })

  it('a worker has the end of the source after a restart, and drops it when the source continues', async () => {
    const half = FIRST_LEDGER + 9
    await appendControl(START, REGISTRY)
    await appendControl(...controlRecordsOf(TEST_LEDGERS).filter((record) => record.kind === 'ledger' && record.ledger <= half), {
      kind: 'source_end',
      ledger: half,
    })
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition, last: half }))
    await (await start()).adapter.reached(half)
    await stop()

    const { adapter, control } = await start()
    await control.atTip(half)
    await healthThat((row) => row.source_ended === true && row.seen_ledger === half)
    expect(control).toMatchObject({ sourceEnd: half, seen: { ledger: half } })
    await appendControl(...controlRecordsOf(TEST_LEDGERS, half + 1))
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition, after: half }))
    await adapter.reached(LAST)
    expect(control).toMatchObject({ sourceEnd: null, seen: { ledger: LAST } })
  })

  it('health has the tip of a live source, and when ingest read it', async () => {
    const [half, closed, heardAtMs] = [FIRST_LEDGER + 9, 1_999_999_999, Date.now()]
    await appendControl(
      START,
      REGISTRY,
      ...controlRecordsOf(TEST_LEDGERS).filter((record) => record.kind === 'ledger' && record.ledger <= half),
    )
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition, last: half }))
    await appendControl({ kind: 'source_tip', ledger: LAST, closeTimeSeconds: closed, heardAtMs })
    const { adapter, control } = await start()
    await adapter.reached(half)
    expect(await healthThat((row) => row.seen_ledger === LAST && row.checkpoint_ledger === half)).toMatchObject({ source_ended: false })
    expect(adapter.readiness()).toMatchObject({ ok: false })

    await appendControl(...controlRecordsOf(TEST_LEDGERS, half + 1))
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition, after: half }))
    await adapter.reached(LAST)
    await control.atTip(LAST)
    expect(adapter.readiness()).toEqual({ ok: true, why: '' })
    expect(control).toMatchObject({ sourceEnd: null, sourceTip: { ledger: LAST, closeTimeSeconds: closed, heardAtMs } })
  })

  /** The adapter's place is offset 2 of a log that is gone then. Returns the ledger. */
  const reachHalfThenOpenNewLog = async (): Promise<number> => {
    const half = FIRST_LEDGER + 9
    await appendControl(START, REGISTRY)
    await appendControl(...controlRecordsOf(TEST_LEDGERS).slice(0, 3))
    await appendControl(...controlRecordsOf(TEST_LEDGERS).slice(3, 10))
    await (await start()).control.reached(half)
    await stop()
    await log.close()
    await openNewLog()
    return half
  }
  it.each([
    ['ends before', [controlRecordsOf(TEST_LEDGERS)]],
    [
      'holds later ledgers at',
      [controlRecordsOf(TEST_LEDGERS).slice(0, 4), controlRecordsOf(TEST_LEDGERS).slice(4, 16), controlRecordsOf(TEST_LEDGERS).slice(16)],
    ],
  ])('a worker stores every ledger of another log, which %s the offset that it had reached', async (_, batches) => {
    await reachHalfThenOpenNewLog()
    await appendControl(START, REGISTRY, ...(batches[0] ?? []))
    for (const batch of batches.slice(1)) await appendControl(...batch)
    await (await start()).control.reached(LAST)
    const stored = await rows<{ ledger: number }>('SELECT ledger FROM ledgers_v1 FINAL ORDER BY ledger')
    expect(stored.map(({ ledger }) => ledger)).toEqual(TEST_LEDGERS.map((_, n) => FIRST_LEDGER + n))
  })

  it('a worker knows the newest ledger of another log that has the end of its source at the offset that it had reached', async () => {
    const half = await reachHalfThenOpenNewLog()
    await appendControl(START, REGISTRY)
    await appendControl(...controlRecordsOf(TEST_LEDGERS).slice(0, 10))
    await appendControl({ kind: 'source_end', ledger: half })
    const { control } = await start()
    await control.atTip(half)
    expect(control).toMatchObject({ sourceEnd: half, seen: { ledger: half } })
  })

  it('a worker waits for the start record of its protocol, which may be added to a running index', async () => {
    await appendControl({ ...START, partitions: { fxdao: 1 } } as ControlRecord, REGISTRY, ...controlRecordsOf(TEST_LEDGERS))
    const starting = start()
    await appendControl(START, REGISTRY)
    expect((await starting).control.start.partitions).toEqual({ soroswap: 2 })
  })

  it('a worker folds nothing while the log records no registry, logs that, and continues when a newer ingest has recorded one', async () => {
    await appendControl(START, ...controlRecordsOf(TEST_LEDGERS))
    for (const partition of [0, 1]) await appendSlices(partition, slicesOf(TEST_LEDGERS, { partition }))
    const waits = Promise.withResolvers<void>()
    const following = { network, protocols: ['soroswap' as const], log, store, limits: AT_ONCE, signal: new AbortController().signal }
    const control = startControlFollower({ ...following, onUnrecorded: waits.resolve })
    await waits.promise
    expect(await hasStartRecords(following)).toBe(false)

    // As a newer ingest records them: the first registry of the log, and one with an asset hint from the middle on.
    const hint = { code: 'XLM', issuer: null, decimals: 7, tags: [] }
    const larger = { ...network, assets: { CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA: hint } }
    const middle = FIRST_LEDGER + 10
    await appendControl(REGISTRY, { kind: 'registry', ledger: middle, document: registryText(larger) })
    const { registry } = await control
    expect(await hasStartRecords(following)).toBe(true)
    expect([registry.at(middle - 1), registry.at(middle)]).toEqual([network, larger])
    await (await control).stop()

    // The worker's own file is neither of the two: no ledger is folded with it.
    const pegged = { asset: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA', why: 'a test' }
    const own: typeof network = { ...network, usdPegs: [pegged] }
    const folded = new Set<typeof network>()
    const protocol = counting()
    const noting: Protocol<Counts> = {
      ...protocol,
      adapter: (of) => {
        folded.add(of)
        return protocol.adapter(of)
      },
    }
    const { adapter } = await start(noting, [0, 1], logger, own)
    await adapter.reached(LAST)
    expect([...folded].filter((of) => of !== own)).toEqual([network, larger])
  })

  it('a registry that applies from an older ledger than one recorded before it is ignored, by readers as by folds', async () => {
    const hint = { code: 'XLM', issuer: null, decimals: 7, tags: [] }
    const larger = { ...network, assets: { CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA: hint } }
    // Two ingests with larger registries start at once: the second one had read less of the log.
    const record = (ledger: number): ControlRecord => ({ kind: 'registry', ledger, document: registryText(larger) })
    await appendControl(START, REGISTRY, record(FIRST_LEDGER + 10), record(FIRST_LEDGER + 8), ...controlRecordsOf(TEST_LEDGERS))
    const { control } = await start()
    await control.reached(LAST)
    expect(control.registry.versions.map(({ fromLedger }) => fromLedger)).toEqual([FIRST_LEDGER, FIRST_LEDGER + 10])
    expect(await rows('SELECT ledger FROM control_facts_v1 FINAL ORDER BY ledger')).toEqual([
      { ledger: FIRST_LEDGER },
      { ledger: FIRST_LEDGER + 10 },
    ])
  })

  it('a registry of a newer ingest that this build cannot read ends the worker with its unknown members', async () => {
    const document = JSON.stringify({ ...JSON.parse(registryText(network)), bridges: [] })
    await appendControl(START, { kind: 'registry', ledger: FIRST_LEDGER, document })
    await expect(start()).rejects.toMatchObject({
      kind: 'invalid',
      code: 'registry_newer_than_build',
      message: expect.stringMatching(/from ledger 101 on: .*\n {2}unknown member "bridges"\n.*rows are intact\. Update this process/),
    })
  })

  it('a worker warns when readers see another adapter version', async () => {
    const warnings: object[] = []
    const listening = Object.assign(Object.create(logger), { warn: (fields: object) => void warnings.push(fields) })
    await store.activateIfNone('soroswap', 7, 2)
    await appendControl(START, REGISTRY)
    await start(counting(), [0, 1], listening)
    expect(warnings).toEqual([
      { code: 'version_not_active', protocol: 'soroswap', version: 1, indexVersion: 8, activeVersion: 7, activeIndexVersion: 7 },
    ])
  })

  it('a worker refuses the log of another network', async () => {
    await appendControl({ ...START, passphrase: 'Another ; network' } as ControlRecord)
    await expect(start()).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    await expect(start()).rejects.toThrow(/"Another ; network"/)
  })
  it('a worker refuses partitions that the log does not have', async () => {
    await appendControl(START, REGISTRY)
    await expect(start(counting(), [0, 2])).rejects.toMatchObject({
      code: 'unknown_partition',
      message: expect.stringContaining('from 0 to 1'),
    })
  })
})
