// A few ledgers from the source to the views, with every call of every port failing once, before or after its effect.
// Loops do not retry a failed port: they end, and the process is started again. This test is its supervisor.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdapter, startControlFollower } from '@orrery/adapter'
import { type EventLog, openLog } from '@orrery/event-log'
import { type LedgerSource, lakeSource, startIngest } from '@orrery/ingest'
import { loadNetwork } from '@orrery/protocols'
import { openClickHouse, openStore, type Store } from '@orrery/read-model'
import { type TestDatabase, withClickHouse } from '@orrery/read-model/testing'
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
    ...(['indexVersions', 'findOrCreateIndexVersion', 'activateIfNone', 'checkpoint', 'ledgersCheckpoint'] as const),
    ...(['writeEncoded', 'moveCheckpoint', 'writeLedgers', 'writeControlFacts', 'reportHealth'] as const),
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
      await run(fault.on(source, SOURCE_CALLS, 'source'), fault.on(log, LOG_CALLS, 'log'), fault.on(store, STORE_CALLS, 'store'))
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
      try {
        await Promise.race([adapter.reached(ingest.tip), control.finished])
      } catch (error) {
        // A process would end here.
        await adapter.stop().catch(() => undefined)
        throw error
      }
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
  await Promise.all(tables.map(({ name }) => client.command({ query: `TRUNCATE TABLE ${name}` })))
}

it('fills the views with the same bytes whichever call fails, before or after it took effect', { timeout: 1_800_000 }, async () => {
  const unbroken = new CallFault(0, 'before') // there is no call 0
  const whole = await viewsAfter(unbroken)
  expect(whole.state?.length).toBeGreaterThan(10_000)
  const calls = new Map(unbroken.counts)
  for (const [name, count] of calls) {
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; call <= count; call++) {
        const fault = new CallFault(call, when, name)
        const views = await viewsAfter(fault)
        for (const [view, rows] of Object.entries(whole))
          expect(views[view] === rows, `${view} differs: call ${call} of ${name} failed ${when} it took effect`).toBe(true)
        // How many batches there are depends on the machine: a later call may not be made. The first one always is.
        if (call === 1) expect(fault.failedCall, `${name} was not called`).toBe(name)
      }
    }
  }
  const every = (port: string, { answers, streams }: FaultyMethods<never>) =>
    [...answers, ...streams].map((method) => `${port} ${String(method)}`)
  const all = [every('source', SOURCE_CALLS), every('log', LOG_CALLS), every('store', STORE_CALLS)].flat()
  // No code reads the committed offset of a group: it is for operators.
  expect([...calls.keys()].sort()).toEqual(all.filter((name) => name !== 'log committed').sort())
})
