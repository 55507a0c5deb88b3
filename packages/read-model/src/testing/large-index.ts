// A synthetic index of 10,000 pools and 1 million accounts, made by the engine. Every account has one row in each table of accounts; one
// account has many besides. Rows go in the order of the sort key into the tables that answers read, so that each part has a range of its own,
// as merged parts have.

import type { ClickHouseConnection } from '../connection.ts'

export const ACCOUNTS = 1_000_000
export const POOLS = 10_000
/** Five seconds each: two months. */
export const LEDGERS = 1_000_000
/** 2023-11-15T00:00:00Z. */
const START = 1_700_006_400

export const timeOf = (ledger: number): number => START + ledger * 5
export const accountOf = (n: number): string => `G${String(n).padStart(55, '0')}`
export const poolOf = (n: number): string => `C${String(n).padStart(55, '0')}`

/** The account with many rows. */
export const BUSY = accountOf(ACCOUNTS / 2)
export const BUSY_ACTIVITIES = 100_000
export const BUSY_POSITIONS = 200
/** Snapshots of each of its positions, one for each hour. */
export const BUSY_HOURS = 200

export const ASSETS = 1_000
/** Of each asset: one in five minutes, for a month. */
export const PRICES = 8_640
/** Last rows of days that each pool has. */
export const DAYS = 30
/** One transaction in each. */
export const TRANSACTIONS = 1_000_000

const account = (n: string): string => `concat('G', leftPad(toString(${n}), 55, '0'))`
const pool = (n: string): string => `concat('C', leftPad(toString(${n}), 55, '0'))`
/** The column of the ledger, then that of its close time. */
const at = (ledger: string): string => `toUInt32(${ledger}) AS at, toDateTime(${START} + toUInt64(at) * 5, 'UTC')`
const HASH = `lower(hex(SHA256(toString(at))))`

const ACTIVITY =
  'protocol, contract, address, ledger, close_time, tx_hash, tx_order, op_index, event_index, row, activity_type, adapter_version'

function activities(table: string, address: string, ledger: string, rows: number): string {
  return `INSERT INTO ${table} (${ACTIVITY})
    SELECT 'soroswap', ${pool(`number % ${POOLS}`)}, ${address}, ${at(ledger)}, ${HASH}, 1, 0, 0, 0, 'swap', 1 FROM numbers(${rows})`
}

function snapshots(address: string, poolName: string, ledger: string, rows: number): string {
  return `INSERT INTO position_snapshots_v1 (protocol, address, pool, ledger, close_time, open, supplied_usd, borrowed_usd, deposited_usd, net_usd, adapter_version)
    SELECT 'soroswap', ${address}, ${poolName}, ${at(ledger)}, true, 1, 0, 1, 1, 1 FROM numbers(${rows})`
}

const STATE = 'protocol, contract, key, owner, ledger, close_time, adapter_version'

/** Filled by views from the tables above them: their rows are inserted directly, once, or not at all. */
const VIEWS = [
  ...['activities_by_contract_v1_mv', 'activities_by_ledger_v1_mv', 'tx_lookup_from_activities_v1_mv', 'assets_v1_activities_mv'],
  ...['tx_lookup_from_transactions_v1_mv', 'positions_latest_v1_mv', 'assets_v1_prices_mv', 'prices_hourly_v1_mv'],
]

const STATEMENTS: readonly string[] = [
  ...VIEWS.map((view) => `DROP VIEW ${view}`),
  `INSERT INTO ledgers_v1 (ledger, close_time) SELECT ${at('number')} FROM numbers(${LEDGERS})`,
  activities('activities_v1', account('number'), `number * 7919 % ${LEDGERS}`, ACCOUNTS),
  activities('activities_v1', `'${BUSY}'`, `number * 100`, BUSY_ACTIVITIES),
  activities('activities_by_ledger_v1', account(`number * 7919 % ${ACCOUNTS}`), 'number', TRANSACTIONS),
  `INSERT INTO transactions_v1 (protocol, ledger, close_time, tx_hash, tx_order, adapter_version)
    SELECT 'soroswap', ${at('number')}, ${HASH}, 1, 1 FROM numbers(${TRANSACTIONS})`,
  `INSERT INTO tx_lookup_v1 SELECT reinterpretAsUInt64(reverse(unhex(substring(lower(hex(SHA256(toString(number)))), 1, 16)))), number, 1, 'soroswap', 1
    FROM numbers(${TRANSACTIONS})`,
  snapshots(account('number'), pool(`number % ${POOLS}`), `number * 7919 % ${LEDGERS}`, ACCOUNTS),
  snapshots(`'${BUSY}'`, pool(`intDiv(number, ${BUSY_HOURS})`), `number % ${BUSY_HOURS} * 720`, BUSY_POSITIONS * BUSY_HOURS),
  `INSERT INTO state_by_owner_v1 (${STATE})
    SELECT 'soroswap', ${pool(`number % ${POOLS}`)}, concat('@', owner, ':shares'), ${account('number')} AS owner, ${at(`number * 7919 % ${LEDGERS}`)}, 1
    FROM numbers(${ACCOUNTS})`,
  // In the order of the table: the accounts of a pool, then what belongs to no account.
  `INSERT INTO state_latest_v1 (${STATE})
    SELECT 'soroswap', ${pool(`intDiv(number, ${ACCOUNTS / POOLS})`)}, concat('@', owner, ':shares'), ${account('number')} AS owner, ${at(`number * 7919 % ${LEDGERS}`)}, 1
    FROM numbers(${ACCOUNTS})`,
  `INSERT INTO state_latest_v1 (${STATE}) SELECT 'soroswap', ${pool('number')}, 'pair', '', ${at('number')}, 1 FROM numbers(${POOLS})`,
  `INSERT INTO pool_daily_v1 (protocol, pool, day, ledger, close_time, tvl_usd, unpriced_assets, adapter_version)
    SELECT 'soroswap', ${pool(`number % ${POOLS}`)}, toDate(close_time_), ledger_, close_time_, 1, 0, 1
    FROM (SELECT number, toUInt32(intDiv(number, ${POOLS}) * 17280) AS ledger_, toDateTime(${START} + toUInt64(ledger_) * 5, 'UTC') AS close_time_ FROM numbers(${POOLS * DAYS}))`,
  ...['prices_v1', 'prices_hourly_v1'].map((table) => {
    const hourly = table === 'prices_hourly_v1'
    const each = hourly ? PRICES / 12 : PRICES
    const columns = `asset, protocol, source, ledger, close_time, price_usd, observed_at, ${hourly ? 'hour, ' : ''}adapter_version`
    return `INSERT INTO ${table} (${columns})
      SELECT ${pool(`intDiv(number, ${each})`)}, 'soroswap', 'oracle:CX', ${at(`number % ${each} * ${hourly ? 720 : 60}`)} AS close_time_, 1, close_time_, ${hourly ? 'toStartOfHour(close_time_), ' : ''}1
      FROM numbers(${ASSETS * each})`
  }),
  `INSERT INTO assets_v1 (asset, protocol, first_ledger, earliness, adapter_version) SELECT ${pool('number')}, 'soroswap', 0, 4294967295, 1 FROM numbers(${ASSETS})`,
]

/** Rows of one statement: it ends within the timeout of a request. Twice the rows of a part. */
const CHUNK = 524_288

/** Blocks that fit into the memory of the embedded engine beside its merges. */
const SETTINGS = {
  max_threads: 1,
  max_block_size: '65536',
  min_insert_block_size_rows: '262144',
  min_insert_block_size_bytes: '0',
} as const

/** The statement in pieces of `CHUNK` numbers, in their order. */
function chunksOf(statement: string): readonly string[] {
  const total = Number(/FROM numbers\((\d+)\)/.exec(statement)?.[1] ?? 0)
  if (total <= CHUNK) return [statement]
  const starts = Array.from({ length: Math.ceil(total / CHUNK) }, (_, n) => n * CHUNK)
  return starts.map((start) => statement.replace(`numbers(${total})`, `numbers(${start}, ${Math.min(CHUNK, total - start)})`))
}

/** Fills an empty database. Takes about a minute. */
export async function fillLargeIndex(admin: ClickHouseConnection): Promise<void> {
  for (const query of STATEMENTS.flatMap(chunksOf)) await admin.client.command({ query, clickhouse_settings: SETTINGS })
}
