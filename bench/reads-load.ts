// Times and rates of the answers that clients read most, on the demo or on a data folder with a large set: p50 and p95 with one client, answers a second with
// 8 and 16 clients that never wait, and answers a second from the response cache with a key and its limit. Answers are computed, except the last:
// no organization makes a request twice. `node bench/reads-load.ts [seconds per measurement] [data folder]`: without a folder the demo is indexed
// first (about half a minute). Needs Linux.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type Endpoint, keysOfOthers, liftLimit, report } from './src/load.ts'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { askedIn, readPaths } from './src/read-subjects.ts'

const SECONDS = Number(process.argv[2] ?? 5)
/** More than the requests to an endpoint with one path in a run of the usual length. */
const ORGANIZATIONS = 5_000
/** A prime number: these ask for many paths in turn, and their keys are known after a second, as those of clients are. */
const CLIENTS_OF_MANY_PATHS = 61
const MANY_PATHS = 50
const KEPT_CLIENTS = 16

/** Answers of one path a second, each from the response cache. A client that computes nothing: it shares the cores with what it measures. */
async function keptAnswers({ ready }: Orrery, name: string, path: string): Promise<void> {
  const headers = { 'x-service-api-key': ready.apiKey }
  const run = (duration: number) => autocannon({ url: `${ready.url}${path}`, connections: KEPT_CLIENTS, duration, headers })
  await run(1)
  const { requests, non2xx } = await run(SECONDS)
  figure(name, requests.total / SECONDS, 'answers/s', `goal 8,000${non2xx === 0 ? '' : `; ${non2xx} answers were not 200`}`)
}

async function measureReads(orrery: Orrery, data: string): Promise<void> {
  const asked = askedIn(data)
  const paths = await readPaths(orrery.ready, asked)
  const keys = await keysOfOthers(data, ORGANIZATIONS)
  const reportAll = async (endpoints: readonly Endpoint[], clients: readonly number[]): Promise<void> => {
    const isMany = (endpoint: Endpoint): boolean => endpoint.paths.length >= MANY_PATHS
    const ofMany = [{ answers: '', keys: keys.slice(0, CLIENTS_OF_MANY_PATHS) }]
    await report(orrery, endpoints.filter(isMany), SECONDS, ofMany, clients)
    const others = endpoints.filter((endpoint) => !isMany(endpoint))
    if (others.length > 0) await report(orrery, others, SECONDS, [{ answers: '', keys }], clients)
  }
  const histories = [
    { name: 'position history, 30 d', paths: paths.positionHistory, goal: 'p50 8, p95 16' },
    { name: 'summary history, 30 d', paths: paths.summaryHistory, goal: 'p50 10, p95 16' },
  ]
  const feed = { name: 'feed', paths: paths.feed, goal: 'p50 8, p95 16' }
  const transaction = { name: 'transaction', paths: paths.transaction, goal: 'p50 8, p95 16' }
  const whale = asked.whale === null ? [] : [asked.whale]
  const ofWhale = whale.flatMap((address) => [
    { name: 'feed of the whale', paths: [`/v1/users/${address}/activities`] },
    { name: 'actions of the whale, 50', paths: [`/v1/users/${address}/actions?limit=50`] },
  ])
  await reportAll(
    [
      feed,
      { name: 'actions, 50', paths: paths.actions, goal: 'p50 8, p95 16' },
      { name: 'positions', paths: paths.positions, goal: 'p50 8, p95 16' },
      ...[...histories, transaction, ...ofWhale],
    ],
    [1],
  )
  printLine()
  await reportAll([feed, ...histories, { name: 'TVL', paths: paths.tvl }, transaction], [8, 16])
  printLine(`\nFrom the response cache, ${KEPT_CLIENTS} clients, with a key and its limit\n`)
  await keptAnswers(orrery, 'feed', paths.feed[0] ?? '')
  await keptAnswers(orrery, 'positions', paths.positions[0] ?? '')
  await keptAnswers(orrery, 'TVL', paths.tvl[0] ?? '')
}

printMachine()
const given = process.argv[3]
const data = given ?? mkdtempSync(join(tmpdir(), 'orrery-bench-reads-load-'))
try {
  const startedMs = performance.now()
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  printLine(
    `Up to ledger ${ledger}, after ${((performance.now() - startedMs) / 1000).toFixed(0)} s. Times in milliseconds; CPU in milliseconds for one request; ${SECONDS} s each\n`,
  )
  await measureReads(orrery, data)
} finally {
  if (given === undefined) rmSync(data, { recursive: true })
}
