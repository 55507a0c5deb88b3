// The parts as separate processes over a real broker, with faults. Each test ends with the same tables as one process.
// Every fault comes while there is work: the lake grows during it. A process that ends with 75 is started again, as a supervisor would.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { withKafka } from '@orrery/testkit/kafka'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentsAfter, upArguments } from '../orrery.ts'
import { shortLake } from '../short-lake.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { Parts, soroswapAlone, TOGETHER } from './parts.ts'
import { doubleTurns } from './turns.ts'

/** It only ends what hangs. */
const TIMEOUT = { timeout: 1_800_000 }

/** A few, so that a failure can be read. */
function rowsThatDiffer(found: string, expected: string): string[] {
  if (found === expected) return []
  const [has, should] = [new Set(found.split('\n')), new Set(expected.split('\n'))]
  const more = [...has].filter((row) => !should.has(row)).map((row) => `+ ${row}`)
  const less = [...should].filter((row) => !has.has(row)).map((row) => `- ${row}`)
  return ['differs', ...more.slice(0, 5), ...less.slice(0, 5)]
}

export interface ApartOptions {
  /** Files of the lake. */
  readonly files: number
  /** How long a worker whose partitions others have stays suspended beyond its session, before what it wrote arrives. */
  readonly lateByMs: number
  /** How long ClickHouse refuses. Beyond the retry time of the workers, they end and are started again until it is back. */
  readonly refusedMs: number
}

/** Registers the suite, over a broker and an engine of its own. */
export function apartContract({ files, lateByMs, refusedMs }: ApartOptions): void {
  const half = files / 2
  const folder = mkdtempSync(join(tmpdir(), 'orrery-apart-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const clickhouse = withClickHouse()
  const kafka = withKafka()

  let whole: Record<string, string>
  beforeAll(async () => {
    const lake = shortLake(join(folder, 'lake'), files)
    const registry = soroswapAlone(lake.registry, join(folder, 'registry.json'), TOGETHER)
    whole = await contentsAfter([...upArguments({ ...lake, registry }, join(folder, 'up')), '--log-level', 'silent'])
    expect(whole.state?.length).toBeGreaterThan(100_000)
  })

  const parts = (more: { readonly clickhouseUrl?: string } = {}): Promise<Parts> =>
    Parts.on({ folder, broker: kafka.broker.address, clickhouse, files: half, ...more })

  async function expectWhole(apart: Parts): Promise<void> {
    const views = await apart.views()
    expect(Object.keys(views)).toEqual(Object.keys(whole))
    for (const [view, rows] of Object.entries(whole)) expect(rowsThatDiffer(views[view] ?? '', rows), view).toEqual([])
  }

  it(
    'two workers share the partitions, with either of two ingests writing, and the API is ready when both have caught up',
    TIMEOUT,
    async () => {
      await using apart = await parts()
      const first = apart.worker()
      const api = apart.api(`sqlite:${join(folder, 'identity.sqlite')}`)
      await Promise.all([apart.ingestAll(), apart.ingestAll()])
      await apart.begun()
      const second = apart.worker()
      apart.grow(files)
      await Promise.all([apart.ingestAll(), apart.ingestAll()])
      await apart.indexed()
      await expectWhole(apart)
      const probes = await api.waitForStderr(/"internalUrl":"([^"]+)"/)
      for (;;) {
        const { status } = await fetch(`${probes}/readyz`, { headers: { connection: 'close' } })
        if (status === 200) break
      }
      for (const worker of [first, second]) expect(await worker.waitForStderr(/"partitions":(\[\d,\d\])/)).toMatch(/^\[(0,1|2,3)\]$/)
      for (const part of [first, second, api]) {
        await part.stop()
        expect(part.restarts).toBe(0)
      }
      const logs = [first.stderr, second.stderr]
      for (const text of logs) expect(text).toMatch(/"msg":"Took partitions"[\s\S]*"msg":"Handed over partitions/)
      expect(doubleTurns(logs)).toEqual([])
    },
  )

  it('a worker killed at work leaves its partitions to the other, and gets some back when it is started again', TIMEOUT, async () => {
    await using apart = await parts()
    await apart.ingestAll()
    const [killed, other] = [apart.worker(), apart.worker()]
    await apart.begun()
    killed.signal('SIGKILL')
    apart.grow(files)
    await apart.ingestAll()
    await apart.indexed()
    await expectWhole(apart)
    await killed.restarted()
    await killed.waitForStderr(/(Took partitions)/)
    expect(killed.restarts).toBe(1)
    await Promise.all([killed.stop(), other.stop()])
  })

  it(
    'a worker that slept past its session learns that it has lost its partitions, and what it wrote late changes nothing',
    TIMEOUT,
    async () => {
      await using proxy = await FaultyProxy.to(clickhouse.host.address('writer').url)
      await using apart = await parts()
      await apart.ingestAll()
      const zombie = apart.worker(proxy.url)
      await apart.begun()
      const other = apart.worker()
      await Promise.all([zombie, other].map((worker) => worker.waitForStderr(/"partitions":(\[\d,\d\])/)))
      apart.grow(files)
      const holding = proxy.hold()
      await Promise.race([Promise.all([apart.ingestAll(), holding]), apart.failure])
      zombie.signal('SIGSTOP')
      const heard = zombie.stderr.length
      await apart.indexed() // by the other one, which has all partitions now
      await expectWhole(apart)
      await delay(lateByMs)
      proxy.release()
      zombie.signal('SIGCONT')
      await zombie.waitForStderr(/(Lost partitions)/, heard) // with that, what was on its way is stored
      await expectWhole(apart)
      await zombie.waitForStderr(/Lost partitions[\s\S]*(Took partitions)/, heard)
      await Promise.all([zombie.stop(), other.stop()])
      await expectWhole(apart)
      expect(zombie.restarts + other.restarts).toBe(0)
    },
  )

  it('all processes wait for a broker that is killed at work', TIMEOUT, async () => {
    await using apart = await parts()
    const workers = [apart.worker(), apart.worker()]
    await apart.ingestAll()
    await apart.begun()
    apart.grow(files)
    const ingest = apart.ingest()
    await kafka.broker.kill()
    await kafka.broker.restart()
    await ingest.done()
    await apart.indexed()
    await expectWhole(apart)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  it('all processes wait for a ClickHouse that refuses for a while', TIMEOUT, async () => {
    await using proxy = await FaultyProxy.to(clickhouse.host.address('writer').url)
    await using apart = await parts({ clickhouseUrl: proxy.url })
    await apart.ingestAll()
    const workers = [apart.worker(), apart.worker()]
    await apart.begun()
    await proxy.refuse()
    apart.grow(files)
    await apart.ingestAll()
    await delay(refusedMs) // being refused is what is tested
    await proxy.open()
    await apart.indexed()
    await expectWhole(apart)
    await Promise.all(workers.map((worker) => worker.stop()))
  })
}
