// What the benchmarks of reads ask about, chosen from the index: accounts, positions and transactions with the most rows; in a large set those of some of its
// normal accounts, and the whale apart.

import type { ClickHouseConnection, ReadModel } from '@orrery/read-model'
import { accountsOf, largeSetOf, whaleOf } from './large-set/set.ts'
import { queryRows } from './load.ts'
import type { ReadyEvent } from './orrery.ts'
import type { Subjects } from './read-statements.ts'

/** A prime number, so that keys in turn meet every path. */
const MANY = 199

export interface Asked {
  /** Condition on the column `address`: the accounts to choose from. */
  readonly accounts: string
  /** The account with far more rows than others; null in the demo. */
  readonly whale: string | null
}

/** Whom to ask about in a data folder. A large set is too large to look for the accounts with the most rows: its accounts have about as many each. */
export function askedIn(data: string): Asked {
  const set = largeSetOf(data)
  if (set === null) return { accounts: "startsWith(address, 'G')", whale: null }
  const all = accountsOf(set)
  const some = all.filter((_, n) => n % Math.max(1, Math.floor(all.length / MANY)) === 0).slice(0, MANY)
  return { accounts: `address IN (${some.map((address) => `'${address}'`).join(', ')})`, whale: whaleOf(set) }
}

const ACCOUNT = ({ accounts }: Asked) =>
  `SELECT address FROM activities_v1 WHERE ${accounts} GROUP BY address ORDER BY count() DESC, address LIMIT 1`
const POSITION = ({
  accounts,
}: Asked) => `SELECT protocol, address, pool FROM position_snapshots_v1 WHERE ${accounts} AND protocol = 'blend'
  GROUP BY protocol, address, pool ORDER BY count() DESC, address, pool LIMIT 1`
const PROTOCOL = `SELECT protocol FROM pool_daily_v1 GROUP BY protocol ORDER BY uniqExact(pool) DESC, protocol LIMIT 1`
const TRANSACTION = ({ accounts, whale }: Asked) => `SELECT tx_hash, any(ledger) AS ledger, any(tx_order) AS tx_order FROM activities_v1
  ${whale === null ? '' : `WHERE ${accounts}`} GROUP BY tx_hash ORDER BY uniqExact(protocol) DESC, count() DESC, tx_hash LIMIT 1`

export async function readSubjects(readModel: ReadModel, { client }: ClickHouseConnection, asked: Asked): Promise<Subjects> {
  const one = async <Row>(query: string): Promise<Row> => {
    const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
    if (row === undefined) throw new Error(`The index has no row for: ${query}`)
    return row
  }
  const tip = await readModel.tip()
  const { ledger, closeTimeSeconds } = await readModel.watermark()
  const days = await (
    await client.query({
      query: 'SELECT toUnixTimestamp(toStartOfDay(close_time)) AS day, min(ledger) AS first FROM ledgers_v1 GROUP BY day ORDER BY day',
      format: 'JSONEachRow',
    })
  ).json<{ day: number; first: number }>()
  return {
    account: (await one<{ address: string }>(ACCOUNT(asked))).address,
    position: await one<Subjects['position']>(POSITION(asked)),
    protocol: (await one<{ protocol: string }>(PROTOCOL)).protocol,
    transaction: await one<Subjects['transaction']>(TRANSACTION(asked)),
    watermark: ledger,
    seconds: closeTimeSeconds,
    ledgerAt: (seconds) => days.find(({ day }) => day >= seconds)?.first ?? ledger + 1,
    active: tip.adapters.map(({ protocol, version }) => [protocol, version]),
  }
}

export interface Answer {
  readonly name: string
  readonly paths: readonly string[]
  /** The most that it may cost, in multiples of `SELECT 1`; null without a goal. */
  readonly goal: number | null
}

/** Paths of `/v1` by what they ask for, those with the most rows first. */
export interface ReadPaths {
  readonly feed: readonly string[]
  readonly actions: readonly string[]
  readonly positions: readonly string[]
  readonly positionHistory: readonly string[]
  readonly summaryHistory: readonly string[]
  readonly activitySeries: readonly string[]
  readonly tvl: readonly string[]
  readonly transaction: readonly string[]
}

export async function readPaths(ready: ReadyEvent, asked: Asked): Promise<ReadPaths> {
  const { accounts: where, whale } = asked
  const accounts = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM activities WHERE ${where} GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const positions = await queryRows<{ address: string; pool: string }>(
    ready,
    `SELECT address, pool FROM position_snapshots WHERE ${where} AND protocol = 'soroswap'
     GROUP BY address, pool ORDER BY count() DESC, address, pool LIMIT ${MANY}`,
  )
  const transactions = await queryRows<{ tx_hash: string }>(
    ready,
    whale === null
      ? `SELECT tx_hash FROM transactions GROUP BY tx_hash ORDER BY sum(activity_rows) DESC, tx_hash LIMIT ${MANY}`
      : `SELECT tx_hash FROM activities WHERE ${where} GROUP BY tx_hash ORDER BY count() DESC, tx_hash LIMIT ${MANY}`,
  )
  const lenders = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM position_snapshots WHERE ${where} AND protocol = 'blend' GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const users = (of: readonly { readonly address: string }[], rest: string) => of.map(({ address }) => `/v1/users/${address}${rest}`)
  return {
    feed: users(accounts, '/activities'),
    actions: users(accounts, '/actions?limit=50'),
    positions: users(accounts, '/positions'),
    positionHistory: positions.map(({ address, pool }) => `/v1/users/${address}/positions/soroswap/${pool}/history?range=30d`),
    summaryHistory: users(lenders, '/positions/blend/summary/history?range=30d'),
    activitySeries: users(accounts, '/activities/series?interval=1d'),
    tvl: ['/v1/protocols/soroswap/tvl', '/v1/protocols/aquarius/tvl'],
    transaction: transactions.map(({ tx_hash: hash }) => `/v1/transactions/${hash}`),
  }
}

/** Whole answers with their goals; in a large set also a page of the whale's feed. */
export async function answersOf(ready: ReadyEvent, asked: Asked): Promise<readonly Answer[]> {
  const paths = await readPaths(ready, asked)
  return [
    { name: 'feed', paths: paths.feed, goal: 7 },
    { name: 'position history, 30 d', paths: paths.positionHistory, goal: 6 },
    { name: 'summary history, 30 d', paths: paths.summaryHistory, goal: 6 },
    { name: 'activity series, 1 d', paths: paths.activitySeries, goal: 5 },
    { name: 'TVL, 30 d', paths: paths.tvl, goal: 6 },
    { name: 'transaction', paths: paths.transaction, goal: 8 },
    { name: 'positions', paths: paths.positions, goal: null },
    ...(asked.whale === null ? [] : [{ name: 'feed of the whale', paths: [`/v1/users/${asked.whale}/activities`], goal: null }]),
  ]
}
