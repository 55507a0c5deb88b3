import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EventLog, openLog } from '@orrery/event-log'
import { type LedgerSource, lakeSource } from '@orrery/ingest'
import { loadNetwork } from '@orrery/protocols'
import { openClickHouse, type RowDifference } from '@orrery/read-model'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verification } from '../src/verify/verification.ts'
import { verifyIndex } from '../src/verify/verify-index.ts'
import { IndexedNetwork } from './indexed-network.ts'
import { appendAllButOneSlice } from './lossy-log.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-verify-'))
const lake = shortLake(join(folder, 'lake'), 6)
let index: IndexedNetwork
let log: EventLog

beforeAll(async () => {
  const registry = JSON.parse(readFileSync(lake.registry, 'utf8'))
  index = await IndexedNetwork.of({ registry, lake: lake.directory, data: join(folder, 'data') })
  log = await openLog(`lmdb:${join(folder, 'data', 'log')}`)
})
afterAll(async () => {
  await log?.close()
  await index?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

interface Options {
  readonly log?: EventLog
  readonly source?: LedgerSource | null
  readonly from?: number
  readonly to?: number
}

async function verify({ log: verified = log, source = null, from, to }: Options = {}): Promise<Verification> {
  const clickhouse = index.system.clickhouse.address('admin')
  const logger = createLogger({ name: 'test', level: 'silent', json: true })
  const onProgress = () => undefined
  const range = { from, to, sample: 0, source, nowMs: Date.now }
  return verifyIndex(
    { network: await loadNetwork(lake.registry), log: verified, clickhouse },
    { ...range, onProgress, logger, metrics: createMetrics() },
  )
}

/** Runs a statement as an operator with all rights could. */
async function damage(query: string): Promise<void> {
  await using connection = openClickHouse(index.system.clickhouse.address('admin'))
  await connection.client.command({ query, clickhouse_settings: { mutations_sync: '1' } })
}

async function first<Row>(query: string): Promise<Row> {
  await using connection = openClickHouse(index.system.clickhouse.address('admin'))
  const [row] = await (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>()
  if (row === undefined) throw new Error(`no row: ${query}`)
  return row
}

const differencesOf = (found: Verification, table: string) => found.tables.find((one) => one.table === table)
const examplesOf = (found: Verification, table: string): readonly RowDifference[] => differencesOf(found, table)?.examples ?? []

describe('orrery verify', () => {
  it('an undamaged index is equal, in the log, the source and every row', async () => {
    const found = await verify({ source: lakeSource(lake.directory) })
    expect(found).toMatchObject({ verdict: 'equal', toLedger: lake.lastLedger, findings: [], tables: [], repairs: [] })
    expect(found.checks.map(({ check, status }) => [check, status])).toEqual([
      ['log', 'equal'],
      ['checkpoints', 'equal'],
      ['source', 'equal'],
      ['rows', 'equal'],
      ['invariants', 'equal'],
      ['entries', 'not_checked'],
    ])
    expect(found.checks.find(({ check }) => check === 'source')?.compared).toBeGreaterThan(100)
    expect(found.checks.find(({ check }) => check === 'rows')?.compared).toBeGreaterThan(1_000)
  })

  it('a part of it is equal, folded from the state before it', async () => {
    const [from, to] = [lake.lastLedger - 150, lake.lastLedger - 20]
    expect(await verify({ from, to, source: lakeSource(lake.directory) })).toMatchObject({
      ...{ fromLedger: from, toLedger: to, verdict: 'equal', tables: [], findings: [] },
    })
  })

  it('a slice that the log lacks is named, with its partition and ledgers', async () => {
    await using lossy = await openLog(`lmdb:${join(folder, 'lossy')}`)
    await appendAllButOneSlice(lossy, await loadNetwork(lake.registry), lake.directory)
    const found = await verify({ log: lossy })
    expect(found.verdict).toBe('different')
    expect(found.findings.filter(({ check }) => check === 'log')).toMatchObject([
      { where: expect.stringMatching(/soroswap\.slices\.v1\/\d$/) },
    ])
  })

  it('a row that was removed, changed or added in any table is named, with its key, its ledger and both values', async () => {
    type Activity = { address: string; ledger: number; tx_order: number; op_index: number; event_index: number; row: number }
    const activity = await first<Activity>('SELECT * FROM activities_v1 ORDER BY ledger DESC LIMIT 1')
    const { address, ledger, tx_order, op_index, event_index, row } = activity
    await damage(
      `ALTER TABLE activities_v1 DELETE WHERE (address, ledger, tx_order, op_index, event_index, row) = ('${address}', ${ledger}, ${tx_order}, ${op_index}, ${event_index}, ${row})`,
    )
    type State = { protocol: string; contract: string; key: string; ledger: number; value: string; live_until: number }
    const state = await first<State>(
      "SELECT * FROM state_v1 FINAL WHERE protocol = 'blend' AND value LIKE '{%' ORDER BY ledger DESC, key LIMIT 1",
    )
    const ofState = `(contract, key) = ('${state.contract}', '${state.key}')`
    await damage(`ALTER TABLE state_v1 UPDATE value = '{}' WHERE protocol = 'blend' AND ${ofState} AND ledger = ${state.ledger}`)
    await damage(`ALTER TABLE state_latest_v1 UPDATE live_until = live_until + 1 WHERE protocol = 'blend' AND ${ofState}`)
    type Hour = { protocol: string; pool: string; ledger: number; tvl_usd: string }
    const hour = await first<Hour>("SELECT * FROM pool_hourly_v1 FINAL WHERE protocol = 'aquarius' ORDER BY ledger LIMIT 1")
    await damage(`ALTER TABLE pool_hourly_v1 UPDATE tvl_usd = tvl_usd + 1 WHERE pool = '${hour.pool}' AND ledger = ${hour.ledger}`)
    type Lookup = { tx64: string; ledger: number }
    const lookup = await first<Lookup>('SELECT * FROM tx_lookup_v1 ORDER BY ledger LIMIT 1')
    await damage(`ALTER TABLE tx_lookup_v1 DELETE WHERE tx64 = ${lookup.tx64}`)
    await damage(`ALTER TABLE ledgers_v1 UPDATE hash = repeat('0', 64) WHERE ledger = ${lake.lastLedger - 5}`)
    await damage(
      `INSERT INTO notices_v1 (protocol, contract, kind, reason, ledger, partition, adapter_version)
       SELECT 'blend', 'C', 'event', 'invented', ${ledger}, 0, adapter_version FROM active_versions_v1 FINAL WHERE protocol = 'blend'`,
    )
    const price = await first<{ ledger: number; count: string }>(
      'SELECT ledger, count() AS count FROM prices_v1 FINAL GROUP BY ledger ORDER BY ledger DESC LIMIT 1',
    )
    await damage(`ALTER TABLE prices_v1 DELETE WHERE ledger = ${price.ledger}`)

    const found = await verify()
    expect(found.verdict).toBe('different')
    expect(examplesOf(found, 'activities_v1')).toMatchObject([
      { kind: 'missing', ledger, key: { address, ledger: String(ledger), row: String(row) } },
    ])
    expect(examplesOf(found, 'state_v1')).toEqual([
      {
        ...{ kind: 'changed', ledger: state.ledger },
        key: expect.objectContaining({ protocol: 'blend', contract: state.contract, key: state.key, ledger: String(state.ledger) }),
        columns: [{ column: 'value', stored: '{}', expected: state.value }],
      },
    ])
    expect(examplesOf(found, 'state_latest_v1')).toMatchObject([
      { kind: 'changed', key: { key: state.key }, columns: [{ column: 'live_until' }] },
    ])
    expect(examplesOf(found, 'pool_hourly_v1')).toMatchObject([
      { kind: 'changed', ledger: hour.ledger, key: { pool: hour.pool }, columns: [{ column: 'tvl_usd', expected: hour.tvl_usd }] },
    ])
    expect(examplesOf(found, 'tx_lookup_v1')).toMatchObject([{ kind: 'missing', ledger: lookup.ledger, key: { tx64: lookup.tx64 } }])
    expect(examplesOf(found, 'ledgers_v1')).toMatchObject([
      { kind: 'changed', ledger: lake.lastLedger - 5, columns: [{ column: 'hash', stored: '0'.repeat(64) }] },
    ])
    expect(examplesOf(found, 'notices_v1')).toMatchObject([{ kind: 'extra', ledger, key: { reason: 'invented' } }])
    expect(differencesOf(found, 'prices_v1')).toMatchObject({
      counts: { missing: Number(price.count), extra: 0, changed: 0 },
      firstLedger: price.ledger,
    })
    expect(found.tables.map(({ table }) => table)).toEqual([
      ...['activities_v1', 'ledgers_v1', 'notices_v1', 'pool_hourly_v1', 'prices_v1', 'state_latest_v1', 'state_v1', 'tx_lookup_v1'],
    ])
    expect(found.repairs.find(({ protocol }) => protocol === 'aquarius')?.fromLedger).toBeLessThanOrEqual(hour.ledger)
  })

  it('a checkpoint that was moved ahead of its rows is named, with its partition', async () => {
    await damage(
      "INSERT INTO checkpoints_v1 SELECT * REPLACE (ledger + 1000 AS ledger) FROM checkpoints_v1 FINAL WHERE protocol = 'fxdao' AND partition = 0",
    )
    const found = await verify()
    expect(found.findings).toMatchObject([
      { check: 'checkpoints', where: 'checkpoints_v1', key: { protocol: 'fxdao', partition: '0' }, ledger: lake.lastLedger + 1000 },
    ])
  })
})
