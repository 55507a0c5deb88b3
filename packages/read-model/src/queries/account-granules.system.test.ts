// What the list of a protocol's positions reads, by the engine's own plan: 10,000 pools, one of them with 9 M accounts and the others with
// 100 each.

import { TupleParam } from '@clickhouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import type { ClickHouseConnection } from '../connection.ts'
import { withClickHouse } from '../testing/with-clickhouse.ts'
import { accountPositions } from './account-positions.ts'

const clickhouse = withClickHouse()

const POOLS = 10_000
const OTHERS = 1_000_000
const LARGE = 9_000_000
const LEDGER = 100

const nameOf = (n: number): string => `C${String(n).padStart(55, 'A')}`
const BUSY = nameOf(5_000)
const POOL = `concat('C', leftPad(toString(number % ${POOLS}), 55, 'A'))`
const ADDRESS = "concat('G', leftPad(toString(number), 55, 'A'))"

const fill = (pool: string, from: number, rows: number): string =>
  `INSERT INTO open_positions_latest_v1 SELECT 'soroswap', ${pool}, ${ADDRESS}, 'shares', ${LEDGER}, ['lp'], [''], [1 + number % 1000], 1
   FROM numbers(${from}, ${rows})`

// The defaults hold a million rows of each thread before they write a part, which on a busy machine is most of the engine's memory.
const SMALL_BLOCKS = {
  ...{ max_threads: 1, max_insert_threads: '1' },
  ...{ max_block_size: '65536', min_insert_block_size_rows: '131072', min_insert_block_size_bytes: '0' },
} as const

let admin: ClickHouseConnection
beforeAll(async () => {
  const database = await clickhouse.database()
  admin = database.connect('admin')
  await openStore(database.connect('writer')).activateIfNone('soroswap', 1, 1)
  for (const query of [fill(POOL, 0, OTHERS), fill(`'${BUSY}'`, OTHERS, LARGE)]) {
    await admin.client.command({ query, clickhouse_settings: SMALL_BLOCKS })
  }
  await admin.client.command({ query: 'OPTIMIZE TABLE open_positions_latest_v1 FINAL' })
}, 240_000)

const paramsOf = (pool: string) => ({
  ...{ protocol: 'soroswap', pools: [pool], watermark: LEDGER, sort: 'net_usd', vaults: false, below: '', rows: 51 },
  ...{ after: false, after_place: '', after_pool: '', after_address: '', active: [new TupleParam(['soroswap', 1])] },
  terms: [new TupleParam([pool, 'lp', '', '7 3 0 1 0', '2 5', ''])],
})

interface Step {
  readonly Description?: string
  readonly Indexes?: readonly { readonly 'Initial Granules'?: number; readonly 'Selected Granules'?: number }[]
  readonly Plans?: readonly Step[]
}

/** Granules that a statement about the pool selects by its keys, and those that the table has. */
async function granules(pool: string): Promise<{ read: number; all: number }> {
  const answer = await admin.client.query({
    query: `EXPLAIN PLAN json = 1, indexes = 1 ${accountPositions.sql}`,
    query_params: paramsOf(pool),
    format: 'TabSeparatedRaw',
  })
  const [{ Plan }] = JSON.parse(await answer.text()) as [{ Plan: Step }]
  const found = { read: 0, all: 0 }
  const visit = ({ Description = '', Indexes = [], Plans = [] }: Step): void => {
    const [first, last] = [Indexes[0], Indexes.at(-1)]
    if (first !== undefined && last !== undefined && Description.endsWith('open_positions_latest_v1')) {
      found.read = Math.max(found.read, last['Selected Granules'] ?? 0)
      found.all = Math.max(found.all, first['Initial Granules'] ?? 0)
    }
    for (const plan of Plans) visit(plan)
  }
  visit(Plan)
  return found
}

describe('the list of positions among 10,000 pools and 10 M accounts', () => {
  it('of one pool reads the rows of that pool', async () => {
    const { read, all } = await granules(nameOf(7))
    expect(all).toBeGreaterThan(9_000)
    // 100 rows are less than a granule of 1,024: they may begin in one and end in the next.
    expect(read).toBeLessThanOrEqual(2)
  })

  it('of the largest pool reads each of its rows once, and answers within the memory of a statement', async () => {
    const { read, all } = await granules(BUSY)
    expect(read).toBeGreaterThan(8_700)
    expect(read).toBeLessThan(all)
    const { client, readSettings } = admin
    const answer = await client.query({
      query: accountPositions.sql,
      query_params: paramsOf(BUSY),
      clickhouse_settings: { ...readSettings, ...accountPositions.settings, max_memory_usage: '1500000000' },
      format: 'JSONEachRow',
    })
    const rows = await answer.json<{ pool: string; address: string; place: string }>()
    // ⌊1000 · 7 / 3⌋ = 2333 of 2 / 10 each, rounded half up: 467; equal ones by address.
    expect(rows).toHaveLength(51)
    expect(new Set(rows.map(({ place }) => place))).toEqual(new Set(['-467']))
    expect(rows.map(({ address }) => address)).toEqual(rows.map(({ address }) => address).toSorted())
  }, 120_000)
})
