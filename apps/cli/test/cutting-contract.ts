// The same ledgers, indexed with any size of batch and any coalescing of slices, fill every view with the same bytes, whatever the log.
// A lake that grows file by file makes ingest cover quiet ledgers in other pieces: it ends a slice wherever its source ends.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdapter, startControlFollower } from '@orrery/adapter'
import { openLog } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import { loadNetwork } from '@orrery/protocols'
import { openClickHouse, openStore } from '@orrery/read-model'
import { type TestDatabase, withClickHouse } from '@orrery/read-model/testing'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const PARTITIONS = [0, 1, 2, 3]
const logger = createLogger({ name: 'cutting', level: 'silent', json: true })
const metrics = createMetrics()

let networks = 0

interface Cutting {
  /** Numbers of files at which the lake ends for a while. */
  readonly lakes: readonly number[]
  readonly maxWeight: number
}

interface Place {
  /** Files of the whole lake. */
  readonly files: number
  readonly dir: string
  readonly logUrl: string
  readonly database: TestDatabase
}

/** Indexes the first files with one cutting, into a log and a database of their own, and reads every view. */
async function contentsOf({ lakes, maxWeight }: Cutting, { files: all, dir, logUrl, database }: Place): Promise<Record<string, string>> {
  await using log = await openLog(logUrl)
  const name = `cutting-${process.pid}-${networks++}` // and so topics of its own
  await using store = await openStore(openClickHouse(database.address('writer')))
  let tip = 0
  for (const files of [...lakes, all]) {
    const lake = shortLake(join(dir, 'lake'), files)
    const network = { ...(await loadNetwork(lake.registry)), name }
    const ingest = await startIngest({
      network,
      routings: [soroswap.routing],
      source: lakeSource(lake.directory),
      log,
      logger,
      metrics,
    })
    await ingest.finished
    tip = ingest.tip
    expect(tip).toBe(lake.lastLedger)
  }
  const network = { ...(await loadNetwork(shortLake(join(dir, 'lake'), all).registry)), name }
  const limits = { maxWeight, maxAgeMs: 60_000, quietMs: 20 }
  const control = await startControlFollower({ network, protocols: ['soroswap'], log, store, limits, signal: new AbortController().signal })
  const adapter = await startAdapter({ protocol: soroswap, network, partitions: PARTITIONS, control, log, store, logger, metrics, limits })
  await adapter.reached(tip)
  await adapter.stop()
  await control.stop()
  const { url, user, password } = database.address('analyst')
  const contents = await viewContents(url.replace('//', `//${user}:${password}@`), database.name)
  // The registry that ingest records has the name of its network.
  return Object.fromEntries(Object.entries(contents).map(([view, rows]) => [view, rows.replaceAll(name, 'cutting')]))
}

export interface CuttingOptions {
  /** As in the name of the test. */
  readonly driver: string
  /** The log of one run; `dir` is a folder of its own. */
  readonly logUrl: (dir: string) => string
  /** Files of the lake, each of 64 ledgers. */
  readonly files: number
  /** Cuttings to compare with the whole. */
  readonly runs: number
}

/** Registers the suite. */
export function cuttingContract({ driver, logUrl, files, runs }: CuttingOptions): void {
  const clickhouse = withClickHouse()
  const folder = mkdtempSync(join(tmpdir(), 'orrery-cutting-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function indexed(cutting: Cutting, logOf: (dir: string) => string): Promise<Record<string, string>> {
    const dir = mkdtempSync(join(folder, 'one-'))
    return contentsOf(cutting, { files, dir, logUrl: logOf(dir), database: await clickhouse.database() })
  }

  it(`the views have the same bytes over ${driver} however ledgers are coalesced and rows are batched`, {
    timeout: 1_800_000,
  }, async () => {
    const whole = await indexed({ lakes: [], maxWeight: 1_000_000 }, (dir) => `lmdb:${join(dir, 'log')}`)
    expect(whole.state?.length).toBeGreaterThan(files * 5_000)
    const cuttings = fc.record({
      lakes: fc.uniqueArray(fc.integer({ min: 1, max: files - 1 }), { maxLength: 5 }).map((lakes) => lakes.sort((a, b) => a - b)),
      maxWeight: fc.integer({ min: 50, max: 5_000 }),
    })
    await fc.assert(
      fc.asyncProperty(cuttings, async (cutting) => {
        const contents = await indexed(cutting, logUrl)
        expect(Object.keys(contents)).toEqual(Object.keys(whole))
        for (const [view, rows] of Object.entries(whole)) expect(contents[view] === rows, `${view} differs`).toBe(true)
      }),
      { numRuns: runs, seed: 20_261_121, endOnFailure: true },
    )
  })
}
