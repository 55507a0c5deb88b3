// What the copies are made of: rows of the demo, in a database of their own while the set is filled, so that no statement reads rows that another
// one has just generated.

import type { ClickHouseConnection } from '@orrery/read-model'
import { accountsOf, DEMO_PAIRS, type LargeSet, poolsOf, whaleOf } from './set.ts'

/** The engine's users may see databases whose names begin with `orrery`. */
export const TEMPLATES = 'orrery_large_set'

/** Numbers of the demo that statements are made with. */
export interface Demo {
  readonly firstLedger: number
  /** Count of ledgers, the watermark included. */
  readonly ledgers: number
  /** Above every apply order of a transaction. */
  readonly orders: number
  /** Rows of one copy of all activities, and those that a whale's copy gives to the whale. */
  readonly activities: number
  readonly whaleActivities: number
  readonly transactions: number
  /** Accounts with positions in pools of Blend and Aquarius. */
  readonly holders: number
  readonly pairPositions: number
  /** Mean count of snapshots of a position in a pair. */
  readonly pairSnapshots: number
}

const PAIRS = `SELECT DISTINCT pool FROM pool_snapshots WHERE protocol = 'soroswap'`
const NUMBER_OF_PAIR = (column: string): string =>
  `toUInt8(indexOf((SELECT arraySort(groupArray(pool)) FROM ${TEMPLATES}.pairs), toString(${column})))`
const NUMBER_OF_ADDRESS = (column: string): string =>
  `toUInt32(indexOf((SELECT arraySort(groupArray(address)) FROM ${TEMPLATES}.addresses), ${column}))`
/** The last row of a day, of each `key`. */
const LAST_OF_DAY = (key: string): string => `ORDER BY ledger DESC LIMIT 1 BY ${key}, toDate(close_time)`

const TABLES: readonly (readonly [name: string, select: string])[] = [
  ['pairs', `SELECT pool FROM (${PAIRS}) ORDER BY pool`],
  [
    'addresses',
    `SELECT DISTINCT address FROM (
      SELECT address FROM activities UNION ALL SELECT counterparty FROM activities UNION ALL SELECT source FROM transactions
    ) WHERE startsWith(address, 'G') ORDER BY address`,
  ],
  ['mains', `SELECT ledger, tx_order, min(address) AS main FROM activities WHERE startsWith(address, 'G') GROUP BY ledger, tx_order`],
  [
    'activities',
    `SELECT a.*, ${NUMBER_OF_ADDRESS('a.address')} AS address_number, ${NUMBER_OF_ADDRESS('a.counterparty')} AS counterparty_number,
      a.address = m.main AS is_main, a.counterparty = m.main AND m.main != '' AS is_counterparty_main, ${NUMBER_OF_PAIR('a.contract')} AS contract_pair,
      ${NUMBER_OF_PAIR('a.counterparty')} AS counterparty_pair, position(a.metadata, a.address) > 0 AND address_number > 0 AS names_address
    FROM activities AS a LEFT JOIN ${TEMPLATES}.mains AS m ON m.ledger = a.ledger AND m.tx_order = a.tx_order`,
  ],
  [
    'transactions',
    `SELECT t.*, ${NUMBER_OF_ADDRESS('t.source')} AS source_number, t.source = m.main AS is_main
    FROM transactions AS t LEFT JOIN ${TEMPLATES}.mains AS m ON m.ledger = t.ledger AND m.tx_order = t.tx_order`,
  ],
  ['snapshots', `SELECT * FROM position_snapshots WHERE startsWith(address, 'G') AND protocol IN ('blend', 'aquarius', 'soroswap')`],
  [
    'positions',
    `SELECT protocol, address, pool, count() AS snapshots, ${NUMBER_OF_PAIR('pool')} AS pair,
      row_number() OVER (PARTITION BY protocol ORDER BY address, pool) - 1 AS n FROM ${TEMPLATES}.snapshots GROUP BY protocol, address, pool`,
  ],
  [
    'holders',
    `SELECT address, row_number() OVER (ORDER BY address) - 1 AS n
    FROM (SELECT DISTINCT address FROM ${TEMPLATES}.positions WHERE protocol IN ('blend', 'aquarius'))`,
  ],
  // An auction is an entry of its pool as much as of the account.
  [
    'account_state',
    `SELECT * FROM state WHERE startsWith(owner, 'G') AND protocol IN ('blend', 'aquarius', 'soroswap') AND NOT match(key, ':auction:')`,
  ],
  [
    'model_state',
    `SELECT *, ${NUMBER_OF_PAIR('contract')} AS pair FROM ${TEMPLATES}.account_state
    WHERE protocol = 'soroswap' AND (contract, owner) IN (
      SELECT contract, min(owner) FROM ${TEMPLATES}.account_state WHERE protocol = 'soroswap' AND endsWith(key, ':shares') GROUP BY contract)
    ORDER BY ledger DESC LIMIT 1 BY contract, key`,
  ],
  [
    // Without what all partitions share: a pair that prices are taken from is named by the registry, and a copy of it is not.
    'pair_state',
    `SELECT * FROM state WHERE protocol = 'soroswap' AND owner = '' AND contract IN (${PAIRS})
      AND scope < (SELECT any(partitions) FROM active_versions WHERE protocol = 'soroswap') ${LAST_OF_DAY('contract, key')}`,
  ],
  ['announcements', `SELECT *, substring(key, 6) AS pair FROM state WHERE protocol = 'soroswap' AND startsWith(key, 'pair:')`],
  ['pool_snapshots', `SELECT * FROM pool_snapshots WHERE protocol = 'soroswap' ${LAST_OF_DAY('pool')}`],
  ['reserve_snapshots', `SELECT * FROM reserve_snapshots WHERE protocol = 'soroswap' ${LAST_OF_DAY('pool, asset')}`],
]

export async function rowOf<Row>({ client }: ClickHouseConnection, query: string): Promise<Row> {
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
  if (row === undefined) throw new Error(`No row for: ${query}`)
  return row
}

export async function countOf(admin: ClickHouseConnection, from: string): Promise<number> {
  return Number((await rowOf<{ n: string }>(admin, `SELECT count() AS n FROM ${from}`)).n)
}

/** Copies the rows of the demo, and adds the accounts and pools of the set. */
export async function makeTemplates(admin: ClickHouseConnection, set: LargeSet): Promise<Demo> {
  const run = (query: string) => admin.client.command({ query })
  await run(`CREATE DATABASE ${TEMPLATES}`)
  for (const [name, select] of TABLES) await run(`CREATE TABLE ${TEMPLATES}.${name} ENGINE = MergeTree ORDER BY tuple() AS ${select}`)
  if ((await countOf(admin, `${TEMPLATES}.pairs`)) !== DEMO_PAIRS) throw new Error(`The demo has other than ${DEMO_PAIRS} pairs.`)

  const accounts = [...accountsOf(set), whaleOf(set)].map((address, n) => ({ n, address }))
  await run(`CREATE TABLE ${TEMPLATES}.accounts (n UInt32, address String) ENGINE = MergeTree ORDER BY n`)
  await admin.client.insert({ table: `${TEMPLATES}.accounts`, values: accounts, format: 'JSONEachRow' })
  const { partitions } = await rowOf<{ partitions: number }>(admin, `SELECT partitions FROM active_versions WHERE protocol = 'soroswap'`)
  const pools = poolsOf(set, partitions).map(({ id: pool, scope }, n) => ({ n, pool, scope }))
  await run(`CREATE TABLE ${TEMPLATES}.pools (n UInt32, pool String, scope UInt16) ENGINE = MergeTree ORDER BY n`)
  await admin.client.insert({ table: `${TEMPLATES}.pools`, values: pools, format: 'JSONEachRow' })
  return demoOf(admin)
}

async function demoOf(admin: ClickHouseConnection): Promise<Demo> {
  const numbers = await rowOf<Record<keyof Demo, string | number>>(
    admin,
    `SELECT (SELECT min(ledger) FROM ledgers) AS firstLedger, (SELECT min(ledger) FROM checkpoints) - firstLedger + 1 AS ledgers,
      (SELECT max(tx_order) + 1 FROM ${TEMPLATES}.transactions) AS orders, (SELECT count() FROM ${TEMPLATES}.activities) AS activities,
      (SELECT countIf(is_main) FROM ${TEMPLATES}.activities) AS whaleActivities, (SELECT count() FROM ${TEMPLATES}.transactions) AS transactions,
      (SELECT count() FROM ${TEMPLATES}.holders) AS holders, (SELECT count() FROM ${TEMPLATES}.positions WHERE protocol = 'soroswap') AS pairPositions,
      (SELECT avg(snapshots) FROM ${TEMPLATES}.positions WHERE protocol = 'soroswap') AS pairSnapshots`,
  )
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) as unknown as Demo
}
