// What the statements of an account's feed and actions read: an account with an action in each of 200,000 ledgers, among 20,000 others.

import { TupleParam } from '@clickhouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import type { ClickHouseConnection } from '../connection.ts'
import { type Query, statementOf } from '../query.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { accountActionRows, accountActions } from './account-actions.ts'
import { accountActivities, filteredAccountActivities } from './account-activities.ts'
import type { FeedOrder } from './feed-order.ts'

const databases = withDatabases()

const LEDGERS = 200_000
const OTHERS = 20_000
const ROWS_OF_OTHER = 20
const WHALE = 'G-10000-whale'
/** 2023-11-15T00:00:00Z, and five seconds for each ledger. */
const START = 1_700_006_400
const GRANULE = 1_024

/** Two legs for each action. */
function fill(address: string, ledger: string, actions: number): string {
  return `INSERT INTO activities_v1
      (protocol, contract, address, ledger, close_time, tx_order, op_index, event_index, row, activity_type, action_id, tx_hash, adapter_version)
    SELECT 'soroswap', 'CX', ${address}, toUInt32(${ledger}) AS at, toDateTime(${START} + at * 5, 'UTC'), 1, 0, 0, number % 2,
      if(intDiv(number, 2) % 1000 = 7, 'claim', 'swap'), leftPad(lower(hex(at)), 32, '0'), leftPad(lower(hex(at)), 64, '0'), 1
    FROM numbers(${actions * 2})`
}

// The defaults hold a million rows of each thread before they write a part: the engine's memory is shared with tests beside this one.
const SMALL_BLOCKS = {
  ...{ max_threads: 1, max_insert_threads: '1' },
  ...{ max_block_size: '65536', min_insert_block_size_rows: '131072', min_insert_block_size_bytes: '0' },
} as const

let admin: ClickHouseConnection
beforeAll(async () => {
  const database = await databases.database()
  admin = database.connect('admin')
  await openStore(database.connect('writer')).activateIfNone('soroswap', 1, 1)
  const statements = [
    fill(`'${WHALE}'`, 'intDiv(number, 2) + 1', LEDGERS),
    fill(
      `concat('G-', leftPad(toString(intDiv(number, ${2 * ROWS_OF_OTHER})), 5, '0'))`,
      `intDiv(number, 2) % ${ROWS_OF_OTHER} * 1000 + 1`,
      OTHERS * ROWS_OF_OTHER,
    ),
    'OPTIMIZE TABLE activities_v1 FINAL',
  ]
  for (const query of statements) await admin.client.command({ query, clickhouse_settings: SMALL_BLOCKS })
}, 120_000)

interface Run {
  readonly rows: readonly { readonly ledger: number; readonly action_id: string }[]
  /** Rows that the statement read. */
  readonly read: number
}

async function run(query: Query, params: Record<string, unknown>): Promise<Run> {
  const active = [new TupleParam(['soroswap', 1])]
  const sent = statementOf(query, params)
  const answer = await admin.client.query({
    query: sent.sql,
    query_params: { ...sent.params, active },
    clickhouse_settings: { max_threads: 1, wait_end_of_query: 1, ...query.settings },
    format: 'JSON',
  })
  const { data, statistics } = await answer.json<Run['rows'][number]>()
  return { rows: data, read: statistics?.rows_read ?? Number.POSITIVE_INFINITY }
}

/** An account's row has a place in the sort key of its own, so a page reads from its cursor on. */
const MIDDLE = LEDGERS / 2
const FILTERS = { protocol: '', types: [], contract: '', tx_hash: '', address: WHALE, watermark: LEDGERS }
const FILTERS_OF_ROWS = { address: WHALE, watermark: LEDGERS }

const startOf = (order: FeedOrder, ledger: number) => ({
  from_ledger: order === 'asc' ? ledger : 0,
  to_ledger: order === 'desc' ? ledger : LEDGERS,
  after_ledger: ledger,
  after_tx_order: 0,
})

describe('a page of an account with 400,000 activities, among 800,000 of others', () => {
  it.each([
    ['newest first', 'desc', LEDGERS + 1, LEDGERS],
    ['newest first, from a cursor', 'desc', MIDDLE, MIDDLE - 1],
    ['oldest first', 'asc', 0, 1],
    ['oldest first, from a cursor', 'asc', MIDDLE, MIDDLE],
  ] as const)('reads some granules and stops: %s', async (_, order, ledger, first) => {
    const step = order === 'desc' ? -1 : 1
    const start = startOf(order, ledger)
    const feed = { ...FILTERS, ...start, after_op_index: 0, after_event_index: 0, after_row: 0, rows: 51 }
    const activities = await run(accountActivities[order], feed)
    expect(activities.rows.map((row) => row.ledger)).toEqual(Array.from({ length: 51 }, (_, n) => first + step * Math.floor(n / 2)))
    expect(activities.read).toBeLessThanOrEqual(4 * GRANULE)
    const filtered = await run(filteredAccountActivities[order], { ...feed, types: ['swap', 'claim'] })
    expect(filtered.rows.map((row) => row.ledger)).toEqual(activities.rows.map((row) => row.ledger))
    expect(filtered.read).toBeLessThanOrEqual(4 * GRANULE)

    const actions = await run(accountActions[order], { ...FILTERS, ...start, after_action_id: '', after_protocol: '', actions: 51 })
    expect(actions.rows.map((row) => row.ledger)).toEqual(Array.from({ length: 102 }, (_, n) => first + step * Math.floor(n / 2)))
    expect(actions.read).toBeLessThanOrEqual(8 * GRANULE)

    const rows = await run(accountActionRows[order], { ...FILTERS_OF_ROWS, ...start, rows: 204 })
    // `after_tx_order` is 0 and transactions count from 1, so newest first the ledger itself is left out.
    const begin = order === 'asc' ? Math.max(ledger, 1) : Math.min(ledger - 1, LEDGERS)
    expect(rows.rows.map((row) => row.ledger)).toEqual(Array.from({ length: 204 }, (_, n) => begin + step * Math.floor(n / 2)))
    expect(rows.read).toBeLessThanOrEqual(4 * GRANULE)
  })

  it('reads back to where the page is full if the filter is rare, and then only the actions that it chose', async () => {
    const start = startOf('desc', LEDGERS + 1)
    const asked = { ...FILTERS, ...start, types: ['claim'], after_action_id: '', after_protocol: '', actions: 3 }
    const { rows, read } = await run(accountActions.desc, asked)
    expect(rows.map((row) => row.ledger)).toEqual([199_008, 199_008, 198_008, 198_008, 197_008, 197_008])
    // 3,000 actions of two rows to find them.
    expect(read).toBeLessThanOrEqual(6_000 + 8 * GRANULE)
  })
})
