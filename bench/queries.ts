// Times of histories with much data: the indexed demo with ten million more position snapshots of Blend, of which one account
// has 200 pools in 5,000 ledgers and thirty thousand accounts three pools in a hundred ledgers. First through the read model, one query at
// a time, then through /v1 with 1 and with 16 clients, every request of a different organization. `node bench/queries.ts [millions of snapshots]`.
// Needs Linux. Indexing takes about half a minute, writing as long.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickHouse, openReadModel, startClickHouseHost } from '@orrery/read-model'
import { positionHistory, positionSummary, positionSummarySnapshots } from '@orrery/read-model/queries'
import { testAccount } from '@orrery/testkit'
import { type Endpoint, keysOfOthers, queryRows, report } from './src/load.ts'
import { FIRST_INDEX_VERSION, type ReadyEvent, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { percentile } from './src/statistics.ts'

const SNAPSHOTS = Number(process.argv[2] ?? 10) * 1_000_000
const ROUNDS = 20
const SECONDS = 5
const BUCKETS = 5_000
const POOLS = 200
/** More than the requests to one endpoint. */
const ORGANIZATIONS = 5_000
const WHALE = testAccount('whale')
const ACCOUNTS = Array.from({ length: 1_000 }, (_, n) => testAccount(`account ${n}`))

/** Blocks that fit into the engine's memory together with what the views of the table make of them. */
const INSERT_SETTINGS = {
  max_threads: 1,
  max_block_size: '65536',
  min_insert_block_size_rows: '262144',
  min_insert_block_size_bytes: '0',
} as const

/** `number` names a snapshot; the expressions give its account, its pool, and its ledger, counted from the first. */
interface Part {
  readonly count: number
  readonly address: string
  readonly pool: string
  readonly place: string
}

const PARTS: readonly Part[] = [
  {
    count: POOLS * BUCKETS,
    address: `'${WHALE}'`,
    pool: `concat('C', toString(number % ${POOLS}))`,
    place: `intDiv(number, ${POOLS})`,
  },
  {
    // The first thousand accounts have addresses that /v1 accepts; the others are not requested.
    count: Math.max(0, SNAPSHOTS - POOLS * BUCKETS),
    address: `if(number < 300000, [${ACCOUNTS.map((address) => `'${address}'`)}][intDiv(number, 300) + 1], concat('G', toString(intDiv(number, 300))))`,
    pool: `concat('C', toString(number % 3))`,
    place: `intDiv(number % 300, 3)`,
  },
]

interface Span {
  readonly first: number
  /** Unix seconds. */
  readonly seconds: number
}

/** Ten minutes per ledger, as in the demo. */
const LEDGER_SECONDS = 600

function insert({ count, address, pool, place }: Part, { first, seconds }: Span, version: number): string {
  return `INSERT INTO position_snapshots_v1 (protocol, address, pool, ledger, close_time, heartbeat, open, supplied_usd, borrowed_usd, deposited_usd, net_usd,
      effective_collateral_usd, effective_liabilities_usd, net_apy, unpriced_assets, shares, native, adapter_version)
    SELECT 'blend', ${address}, ${pool}, toUInt32(${first} + ${place}), toDateTime(${seconds} + ${place} * ${LEDGER_SECONDS}, 'UTC'), true, true,
      toDecimal128(1000 + number % 97, 8), toDecimal128(400, 8), toDecimal128(1100, 8), toDecimal128(600 + number % 97, 8),
      toDecimal128(950, 8), toDecimal128(500 + number % 89, 8), toDecimal128('0.05', 18), 0, 0, '{}', ${version}
    FROM numbers(${count})`
}

/** Writes the snapshots in addition to those of the demo, and queries them through the read model. */
async function throughTheReadModel(dir: string): Promise<Span> {
  await using host = await startClickHouseHost({ dir })
  const admin = openClickHouse(host.address('admin'))
  const found = await admin.client.query({
    query: 'SELECT min(ledger) AS first, toUnixTimestamp(min(close_time)) AS seconds FROM ledgers_v1',
    format: 'JSONEachRow',
  })
  const [span] = await found.json<Span>()
  if (span === undefined) throw new Error('The index has no ledgers.')
  const version = FIRST_INDEX_VERSION
  const writingMs = performance.now()
  for (const part of PARTS) await admin.client.command({ query: insert(part, span, version), clickhouse_settings: INSERT_SETTINGS })
  await admin.close()
  printLine(`Wrote ${SNAPSHOTS.toLocaleString('en-US')} snapshots in ${((performance.now() - writingMs) / 1000).toFixed(0)} s\n`)

  await using readModel = openReadModel(openClickHouse(host.address('api')))
  const options = { tag: { route: 'bench', requestId: 'bench' } }
  const { first } = span
  const window = { axis: 'ledger', first, width: 1, count: BUCKETS, from: first, to: first + BUCKETS - 1 } as const
  const of = (address: string) => ({ address, protocol: 'blend', watermark: 4_000_000_000 })
  const every = { from_ledger: 0, to_ledger: 4_000_000_000, rows: BUCKETS + 1 }
  for (const [who, address] of [
    [`${POOLS} pools, 5,000 ledgers`, WHALE],
    ['3 pools, 100 ledgers', ACCOUNTS[7] ?? ''],
  ] as const) {
    printLine(who)
    await measure('  summary, 5,000 buckets', () => readModel.query(positionSummary, { ...of(address), ...window, carry: true }, options))
    await measure('  summary, raw', () => readModel.query(positionSummarySnapshots, { ...of(address), ...every }, options))
    await measure('  one pool, 5,000 buckets', () =>
      readModel.query(positionHistory.ledger, { ...of(address), pool: 'C1', first, width: 1, from: first, to: window.to }, options),
    )
  }
  return span
}

async function measure(name: string, question: () => Promise<readonly unknown[]>): Promise<void> {
  const rows = (await question()).length
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now()
    await question()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  figure(name, percentile(times, 0.5), 'ms p50', `p95 ${percentile(times, 0.95).toFixed(0)}, ${rows} rows`)
}

/** The endpoints with goals: a position, reserves and a summary, of the demo's largest lender and of accounts among the ten million. */
async function endpoints(ready: ReadyEvent, { first }: Span): Promise<Endpoint[]> {
  const [lender] = await queryRows<{ address: string; most_used: string }>(
    ready,
    `SELECT address, topK(1)(pool)[1] AS most_used FROM position_snapshots
     WHERE protocol = 'blend' AND pool IN (SELECT pool FROM pool_snapshots WHERE protocol = 'blend') AND startsWith(address, 'G')
     GROUP BY address ORDER BY uniqExact(pool) DESC, count() DESC, address LIMIT 1`,
  )
  if (lender === undefined) throw new Error('The index has no lender.')
  const summary = (address: string): string => `/v1/users/${address}/positions/blend/summary/history`
  const buckets = `ledger_bucket=1&from_ledger=${first}&to_ledger=${first + BUCKETS - 1}&fill=locf`
  return [
    { name: 'positions/blend/{pool}', paths: [`/v1/users/${lender.address}/positions/blend/${lender.most_used}`] },
    { name: 'blend reserves', paths: ['/v1/protocols/blend/reserves'] },
    { name: 'summary of 3 pools, latest', paths: ACCOUNTS.map((address) => `${summary(address)}?as_of_ledger=${first + BUCKETS}`) },
    { name: 'summary of 3 pools, 100 snapshots', paths: ACCOUNTS.map(summary) },
    { name: 'summary of 200 pools, 5,000 buckets', paths: [`${summary(WHALE)}?${buckets}`] },
  ]
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-queries-'))
try {
  {
    await using orrery = await startOrrery(data)
    await orrery.caughtUp()
  }
  const span = await throughTheReadModel(join(data, 'clickhouse'))
  await using orrery = await startOrrery(data)
  await orrery.caughtUp()
  const askers = [{ answers: 'computed', keys: await keysOfOthers(data, ORGANIZATIONS) }]
  printLine(`\nGoals with one client: p50 10 and p95 25 ms; ${SECONDS} s each\n`)
  await report(orrery, await endpoints(orrery.ready, span), SECONDS, askers)
} finally {
  rmSync(data, { recursive: true })
}
