// The whole road of a few ledgers, from the source to the views, with every call of every port failing once, before or after its effect.
// Loops do not try again what a port gives up: they end, and the process is started again. This test is its supervisor.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdapter, startControlFollower } from '@orrery/adapter'
import { type EventLog, openLog } from '@orrery/event-log'
import { type LedgerSource, lakeSource, startIngest } from '@orrery/ingest'
import { openClickHouse, openStore, type Store } from '@orrery/read-model'
import { type TestDatabase, withClickHouse } from '@orrery/read-model/testing'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { CallFault, type FaultyMethods } from '@orrery/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const SOURCE_CALLS: FaultyMethods<LedgerSource> = { answers: ['passphrase', 'range'], streams: ['read'] }
const LOG_CALLS: FaultyMethods<EventLog> = {
  answers: ['ensureTopic', 'append', 'last', 'end', 'commit', 'committed'],
  streams: ['read', 'shares'],
}
const STORE_CALLS: FaultyMethods<Store> = {
  answers: [
    ...(['activateIfNone', 'checkpoint', 'ledgersCheckpoint'] as const),
    ...(['write', 'moveCheckpoint', 'writeLedgers', 'reportHealth'] as const),
  ],
  streams: ['loadState'],
}
/** Few calls, but several batches: each is a place to fail. */
const LIMITS = { maxWeight: 3_000, maxAgeMs: 60_000, quietMs: 20 }
const PARTITIONS = { soroswap: 1 }

const folder = mkdtempSync(join(tmpdir(), 'orrery-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()
const logger = createLogger({ name: 'faults', level: 'silent', json: true })
const lake = shortLake(join(folder, 'lake'), 1)

let database: TestDatabase
beforeAll(async () => {
  database = await clickhouse.database()
})

/** Runs everything until the source's end is stored. Started again after the one failure. */
async function viewsAfter(fault: CallFault): Promise<Record<string, string>> {
  await forgetEverything()
  await using log = await openLog(`lmdb:${mkdtempSync(join(folder, 'log-'))}`)
  await using store = openStore(openClickHouse(database.address('writer')))
  const source = lakeSource(lake.directory)
  for (;;) {
    const hasFailed = fault.happened
    try {
      await run(fault.on(source, SOURCE_CALLS), fault.on(log, LOG_CALLS), fault.on(store, STORE_CALLS))
      const { url, user, password } = database.address('analyst')
      return await viewContents(url.replace('//', `//${user}:${password}@`), database.name)
    } catch (error) {
      if (hasFailed || !fault.happened) throw error
    }
  }
}

async function run(source: LedgerSource, log: EventLog, at: Store): Promise<void> {
  const network = await loadNetwork(lake.registry)
  const metrics = createMetrics()
  const stopping = new AbortController()
  try {
    const ingest = await startIngest({ network, routings: [soroswap.routing], partitions: PARTITIONS, source, log, logger, metrics })
    await ingest.finished
    const control = await startControlFollower({
      network,
      protocols: ['soroswap'],
      log,
      store: at,
      limits: LIMITS,
      signal: stopping.signal,
    })
    for await (const { partitions } of log.shares('orrery.forge-a.soroswap.slices.v1', 'soroswap-v1', stopping.signal)) {
      const adapter = await startAdapter({
        protocol: soroswap,
        network,
        partitions,
        control,
        log,
        store: at,
        logger,
        metrics,
        limits: LIMITS,
      })
      await Promise.race([adapter.reached(ingest.tip), control.finished])
      await adapter.stop()
      await control.stop()
    }
  } finally {
    stopping.abort()
  }
}

/** As new, without the second that new tables would cost. */
async function forgetEverything(): Promise<void> {
  const { client } = database.connect('admin')
  const query = `SELECT name FROM system.tables WHERE database = '${database.name}' AND match(name, '_v[0-9]+$') AND engine LIKE '%MergeTree'`
  const tables = await (await client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>()
  for (const { name } of tables) await client.command({ query: `TRUNCATE TABLE ${name}` })
}

it('fills the views with the same bytes whichever call fails, before or after it took effect', async () => {
  const whole = await viewsAfter(new CallFault(0, 'before')) // there is no call 0
  expect(whole.state?.length).toBeGreaterThan(10_000)
  const failed = new Set<string>()
  for (const when of ['before', 'after'] as const) {
    for (let call = 1; ; call++) {
      const fault = new CallFault(call, when)
      const views = await viewsAfter(fault)
      if (fault.failedCall === null) break
      failed.add(fault.failedCall)
      for (const [view, rows] of Object.entries(whole)) {
        expect(views[view] === rows, `${view} differs: call ${call}, ${fault.failedCall}, failed ${when} it took effect`).toBe(true)
      }
    }
  }
  const all = [SOURCE_CALLS, LOG_CALLS, STORE_CALLS].flatMap(({ answers, streams }) => [...answers, ...streams]).map(String)
  // Nobody asks where a group stood: that mark is for the operator's eyes.
  expect([...failed].sort()).toEqual([...new Set(all)].filter((name) => name !== 'committed').sort())
})
