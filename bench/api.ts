// How long /v1 takes: the endpoints that people open most, on the indexed demo, warm, with 1 and with 16 clients that never wait.
// Beside the times as seen by the client stands the CPU of one request in our process and in the engine: that part does not depend on
// who else uses the machine. `node bench/api.ts [seconds per measurement]`. Needs Linux. Indexes the demo first (about half a minute).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIdentity } from '@orrery/identity'
import autocannon from 'autocannon'
import { type Orrery, type ReadyEvent, startOrrery } from './src/orrery.ts'
import { say, sayMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const WARM_UP_SECONDS = 1
/** As-of questions go to this many ledgers in turn: what a reader remembers of one does not answer the next. */
const LEDGERS_ASKED = 997
const CLIENTS = [1, 16]
/** Far above what the machine can do: what is measured is not the limiter. */
const REQUESTS_PER_MINUTE = 1_000_000_000

interface Endpoint {
  readonly name: string
  /** Asked in turn. */
  readonly paths: readonly string[]
}

/** Rows of a statement, asked as an analyst does. */
async function ask<Row>({ clickhouseUrl }: ReadyEvent, sql: string): Promise<Row[]> {
  const { origin, username, password } = new URL(clickhouseUrl)
  const response = await fetch(`${origin}/?database=orrery`, {
    method: 'POST',
    body: `${sql} FORMAT JSONEachRow`,
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': decodeURIComponent(password) },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

/** The account with the most activities, the pair it used most, its last transaction, and ledgers all over the index. */
async function endpoints(ready: ReadyEvent): Promise<Endpoint[]> {
  const [busiest] = await ask<{ address: string; pair: string; tx: string; first: number; last: number; from: string; to: string }>(
    ready,
    `SELECT address, topK(1)(contract)[1] AS pair, argMax(tx_hash, ledger) AS tx,
       (SELECT min(ledger) FROM ledgers) AS first, (SELECT max(ledger) FROM ledgers) AS last,
       (SELECT formatDateTime(min(close_time), '%FT%TZ') FROM ledgers) AS from,
       (SELECT formatDateTime(max(close_time), '%FT%TZ') FROM ledgers) AS to
     FROM activities WHERE startsWith(address, 'G') AND contract IN (SELECT pool FROM position_snapshots)
     GROUP BY address ORDER BY count() DESC, address LIMIT 1`,
  )
  if (busiest === undefined) throw new Error('The index has no activities.')
  const { address, pair, tx, first, last, from, to } = busiest
  const span = `from=${from}&to=${to}`
  const user = `/v1/users/${address}`
  const ledgers = Array.from({ length: LEDGERS_ASKED }, (_, n) => first + Math.floor(((last - first) * (n + 1)) / (LEDGERS_ASKED + 1)))
  return [
    { name: 'feed', paths: [`${user}/activities?limit=50`] },
    { name: 'positions', paths: [`${user}/positions`] },
    { name: 'positions/soroswap', paths: [`${user}/positions/soroswap`] },
    { name: 'positions/soroswap, as of a ledger', paths: ledgers.map((ledger) => `${user}/positions/soroswap?as_of_ledger=${ledger}`) },
    { name: 'activities/series, 1d', paths: [`${user}/activities/series?interval=1d&${span}`] },
    { name: 'pair history, 1d', paths: [`${user}/positions/soroswap/${pair}/history?interval=1d&${span}`] },
    { name: 'tvl', paths: ['/v1/protocols/soroswap/tvl'] },
    { name: 'reserves', paths: ['/v1/protocols/soroswap/reserves'] },
    { name: 'transaction', paths: [`/v1/transactions/${tx}`] },
  ]
}

interface Load {
  /** Milliseconds of each answer, sorted. */
  readonly latencies: readonly number[]
  /** Answers other than 200. */
  readonly refused: number
}

async function load({ url, apiKey }: ReadyEvent, { paths }: Endpoint, connections: number, seconds: number): Promise<Load> {
  const latencies: number[] = []
  let refused = 0
  const ended = Promise.withResolvers<void>()
  const options = {
    url,
    connections,
    duration: seconds,
    headers: { 'x-service-api-key': apiKey },
    requests: paths.map((path) => ({ path })),
  }
  const running = autocannon(options, (error) => (error ? ended.reject(error) : ended.resolve()))
  running.on('response', (_client, status, _bytes, milliseconds) => {
    latencies.push(milliseconds)
    if (status !== 200) refused++
  })
  await ended.promise
  return { latencies: latencies.sort((a, b) => a - b), refused }
}

async function measure(orrery: Orrery, endpoint: Endpoint, connections: number): Promise<string> {
  await load(orrery.ready, endpoint, connections, WARM_UP_SECONDS)
  const pids = [orrery.pid, orrery.enginePid]
  const before = pids.map(cpuSeconds)
  const { latencies, refused } = await load(orrery.ready, endpoint, connections, SECONDS)
  const cpu = pids.map((pid, n) => (1000 * (cpuSeconds(pid) - (before[n] ?? 0))) / latencies.length)
  const figures = [...[0.5, 0.95, 0.99].map((share) => percentile(latencies, share)), latencies.length / SECONDS, ...cpu]
  const cells = figures.map((value) => value.toFixed(1).padStart(9)).join('')
  return `${endpoint.name.padEnd(36)}${String(connections).padStart(8)}${cells}${refused === 0 ? '' : `  ${refused} answers were not 200`}`
}

async function liftLimit(data: string, { organization }: ReadyEvent): Promise<void> {
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  const found = await identity.organizationBySlug(organization)
  if (found === null) throw new Error(`There is no organization ${organization}.`)
  await identity.overrideRateLimit(found.id, REQUESTS_PER_MINUTE, { kind: 'operator', id: 'bench', address: 'local' })
}

sayMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-api-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  say(`Indexed up to ledger ${ledger}. Times in milliseconds; CPU in milliseconds for one request; ${SECONDS} s each\n`)
  const heads = ['p50', 'p95', 'p99', 'answers/s', 'our CPU', 'engine'].map((head) => head.padStart(9)).join('')
  say(`${''.padEnd(36)}${'clients'.padStart(8)}${heads}`)
  for (const endpoint of await endpoints(orrery.ready)) {
    for (const connections of CLIENTS) say(await measure(orrery, endpoint, connections))
  }
} finally {
  rmSync(data, { recursive: true })
}
