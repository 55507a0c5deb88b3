// What the benchmark of reads asks about, chosen from the index: the account, the position and the transaction with the most rows.

import type { ClickHouseConnection, ReadModel } from '@orrery/read-model'
import { queryRows } from './load.ts'
import type { ReadyEvent } from './orrery.ts'
import type { Subjects } from './read-statements.ts'

const ACCOUNT = `SELECT address FROM activities_v1 WHERE startsWith(address, 'G') GROUP BY address ORDER BY count() DESC, address LIMIT 1`
const POSITION = `SELECT protocol, address, pool FROM position_snapshots_v1 WHERE startsWith(address, 'G') AND protocol = 'blend'
  GROUP BY protocol, address, pool ORDER BY count() DESC, address, pool LIMIT 1`
const PROTOCOL = `SELECT protocol FROM pool_daily_v1 GROUP BY protocol ORDER BY uniqExact(pool) DESC, protocol LIMIT 1`
const TRANSACTION = `SELECT tx_hash, any(ledger) AS ledger, any(tx_order) AS tx_order FROM activities_v1 GROUP BY tx_hash ORDER BY uniqExact(protocol) DESC, count() DESC, tx_hash LIMIT 1`

export async function readSubjects(readModel: ReadModel, { client }: ClickHouseConnection): Promise<Subjects> {
  const one = async <Row>(query: string): Promise<Row> => {
    const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
    if (row === undefined) throw new Error(`The index has no row for: ${query}`)
    return row
  }
  const tip = await readModel.tip()
  const { ledger, closeTimeSeconds } = await readModel.watermark()
  return {
    account: (await one<{ address: string }>(ACCOUNT)).address,
    position: await one<Subjects['position']>(POSITION),
    protocol: (await one<{ protocol: string }>(PROTOCOL)).protocol,
    transaction: await one<Subjects['transaction']>(TRANSACTION),
    watermark: ledger,
    seconds: closeTimeSeconds,
    active: tip.adapters.map(({ protocol, version }) => [protocol, version]),
  }
}

export interface Answer {
  readonly name: string
  readonly paths: readonly string[]
  /** The most that it may cost, in multiples of `SELECT 1`; null without a goal. */
  readonly goal: number | null
}

const MANY = 200

/** Answers about many accounts, positions and transactions, those with the most rows first. */
export async function answersOf(ready: ReadyEvent): Promise<readonly Answer[]> {
  const accounts = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM activities WHERE startsWith(address, 'G') GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const positions = await queryRows<{ address: string; pool: string }>(
    ready,
    `SELECT address, pool FROM position_snapshots WHERE startsWith(address, 'G') AND protocol = 'soroswap'
     GROUP BY address, pool ORDER BY count() DESC, address, pool LIMIT ${MANY}`,
  )
  const transactions = await queryRows<{ tx_hash: string }>(
    ready,
    `SELECT tx_hash FROM transactions GROUP BY tx_hash ORDER BY sum(activity_rows) DESC, tx_hash LIMIT ${MANY}`,
  )
  const lenders = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM position_snapshots WHERE startsWith(address, 'G') AND protocol = 'blend' GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const users = (of: readonly { readonly address: string }[], rest: string) => of.map(({ address }) => `/v1/users/${address}${rest}`)
  return [
    { name: 'feed', paths: users(accounts, '/activities'), goal: 7 },
    {
      name: 'position history, 30 d',
      paths: positions.map(({ address, pool }) => `/v1/users/${address}/positions/soroswap/${pool}/history?range=30d`),
      goal: 6,
    },
    { name: 'summary history, 30 d', paths: users(lenders, '/positions/blend/summary/history?range=30d'), goal: 6 },
    { name: 'activity series, 1 d', paths: users(accounts, '/activities/series?interval=1d'), goal: 5 },
    { name: 'TVL, 30 d', paths: ['/v1/protocols/soroswap/tvl', '/v1/protocols/aquarius/tvl'], goal: 6 },
    { name: 'transaction', paths: transactions.map(({ tx_hash: hash }) => `/v1/transactions/${hash}`), goal: 8 },
    { name: 'positions', paths: users(accounts, '/positions'), goal: null },
  ]
}
