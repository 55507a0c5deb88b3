// The registry grows while adapters run apart from ingest, over one log in LMDB and the real ClickHouse: adapters read it from the
// control topic, not from their own file.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdapter, startControlFollower } from '@orrery/adapter'
import { blend } from '@orrery/blend'
import { type EventLog, openLog } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { openClickHouse, openStore } from '@orrery/read-model'
import { withClickHouse } from '@orrery/read-model/testing'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { afterAll, expect, it } from 'vitest'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const PROTOCOLS = [soroswap, blend] as const
const FILES_BEFORE = 8
const FILES = 16

const clickhouse = withClickHouse()
const folder = mkdtempSync(join(tmpdir(), 'orrery-growing-apart-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const logger = createLogger({ name: 'growing', level: 'silent', json: true })
const metrics = createMetrics()

type Contents = Record<string, string>

const before = shortLake(join(folder, 'before'), FILES_BEFORE)
const lake = shortLake(join(folder, 'lake'), FILES)
const whole = await loadNetwork(lake.registry)
const added = { oracle: whole.oracles[1]?.contract ?? '', pool: whole.pricePools.at(-1)?.contract ?? '' }
const smaller: Network = {
  ...whole,
  oracles: whole.oracles.filter(({ contract }) => contract !== added.oracle),
  pricePools: whole.pricePools.filter(({ contract }) => contract !== added.pool),
}

async function ingest(log: EventLog, network: Network, directory: string, count: number): Promise<number> {
  const partitions = { soroswap: count, blend: count }
  const routings = PROTOCOLS.map(({ routing }) => routing)
  const running = await startIngest({ network, routings, partitions, source: lakeSource(directory), log, logger, metrics })
  await running.finished
  return running.tip
}

/** Adapters of both protocols on a database of their own, started with `file`. `work` is done while they run; then every view is read. */
async function contentsWith(log: EventLog, file: Network, count: number, work: () => Promise<number>): Promise<Contents> {
  const database = await clickhouse.database()
  await using store = openStore(openClickHouse(database.address('writer')))
  const protocols = PROTOCOLS.map(({ id }) => id)
  const control = await startControlFollower({ network: file, protocols, log, store, signal: new AbortController().signal })
  const partitions = Array.from({ length: count }, (_, n) => n)
  const common = { network: file, partitions, control, log, store, logger, metrics }
  const adapters = [await startAdapter({ ...common, protocol: soroswap }), await startAdapter({ ...common, protocol: blend })]
  const tip = await work()
  await Promise.all(adapters.map((adapter) => adapter.reached(tip)))
  for (const adapter of adapters) await adapter.stop()
  await control.stop()
  const { url, user, password } = database.address('analyst')
  return viewContents(url.replace('//', `//${user}:${password}@`), database.name)
}

function expectSame(found: Contents, expected: Contents): void {
  for (const [view, rows] of Object.entries(expected)) expect(found[view] === rows, `${view} differs`).toBe(true)
}

/** Views without a column that names a partition. */
const OF_THE_NETWORK = [
  'activities',
  'prices',
  'position_snapshots',
  'pool_snapshots',
  'reserve_snapshots',
  'transactions',
  'control_facts',
]
const byCount = new Map<number, Contents>()

it.each([1, 3])(
  'adapters that run with the smaller file while it grows, and a replay with either file, make the same rows: %i partitions',
  {
    timeout: 600_000,
  },
  async (count) => {
    await using log = await openLog(`lmdb:${join(folder, `log-${count}`)}`)
    await ingest(log, smaller, before.directory, count)
    const grown = await contentsWith(log, smaller, count, () => ingest(log, whole, lake.directory, count))
    expectSame(await contentsWith(log, smaller, count, async () => lake.lastLedger), grown)
    expectSame(await contentsWith(log, whole, count, async () => lake.lastLedger), grown)

    const lines = (view: string): unknown[][] =>
      (grown[view] ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(lines('control_facts').map(([kind, ledger]) => [kind, ledger])).toEqual([
      ['protocol', 1_000_000],
      ['registry', 1_000_000],
      ['registry', before.lastLedger + 1],
    ])
    const ledgers = lines('prices').flatMap((row) =>
      row.includes(`oracle:${added.oracle}`) ? row.filter((cell) => typeof cell === 'number' && cell > 1_000_000 && cell < 1_100_000) : [],
    )
    expect(ledgers.length).toBeGreaterThan(0)
    expect(Math.min(...(ledgers as number[]))).toBeGreaterThan(before.lastLedger)
    byCount.set(count, grown)
  },
)

it('the number of partitions changes no row of the network when the registry grows', () => {
  const [one, three] = [byCount.get(1) ?? {}, byCount.get(3) ?? {}]
  for (const view of OF_THE_NETWORK) expect(one[view] === three[view] && (one[view] ?? '') !== '', `${view} differs`).toBe(true)
})
