// Times of /v1: the endpoints of all protocols on the indexed demo, warm, with 1 and with 16 clients that never wait. `computed`: every
// request is of a different organization, so that no answer is cached for it; `cached`: one organization repeats the request and gets it from
// the response cache (a transaction is never cached). Besides the client's times, the CPU of one request in Orrery's process and in the engine,
// which does not depend on other load of the machine. `node bench/api.ts [seconds per measurement]`. Needs Linux. Indexes the demo first
// (about half a minute).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, keysOfOthers, liftLimit, queryRows, report } from './src/load.ts'
import { type ReadyEvent, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'

const SECONDS = Number(process.argv[2] ?? 5)
/** As-of requests use this many ledgers in turn, so that the reader's cache of one ledger does not answer the next. */
const LEDGERS_ASKED = 997
/** More than the requests to one endpoint in a run of the usual length. */
const ORGANIZATIONS = 5_000

/** The account with the most activities, the pair it used most, its last transaction, and ledgers all over the index. */
async function endpointsOfSoroswap(ready: ReadyEvent): Promise<Endpoint[]> {
  const [busiest] = await queryRows<{ address: string; pair: string; tx: string; first: number; last: number; from: string; to: string }>(
    ready,
    `SELECT address, topK(1)(contract)[1] AS pair, argMax(tx_hash, ledger) AS tx,
       (SELECT min(ledger) FROM ledgers) AS first, (SELECT max(ledger) FROM ledgers) AS last,
       (SELECT formatDateTime(min(close_time), '%FT%TZ') FROM ledgers) AS from,
       (SELECT formatDateTime(max(close_time), '%FT%TZ') FROM ledgers) AS to
     FROM activities WHERE protocol = 'soroswap' AND startsWith(address, 'G') AND contract IN (SELECT pool FROM position_snapshots)
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

/** The provider with positions in the most pools of Aquarius, and the vault's owner with the most currencies. */
async function endpointsOfOthers(ready: ReadyEvent): Promise<Endpoint[]> {
  const most = await queryRows<{ protocol: string; address: string; most_used: string }>(
    ready,
    `SELECT protocol, address, topK(1)(pool)[1] AS most_used FROM position_snapshots
     WHERE open AND startsWith(address, 'G') AND (protocol = 'aquarius' OR (protocol = 'fxdao' AND startsWith(pool, 'fxdao:')))
     GROUP BY protocol, address ORDER BY uniqExact(pool) DESC, count() DESC, address LIMIT 1 BY protocol`,
  )
  return most.flatMap(({ protocol, address, most_used }) => {
    const positions = `/v1/users/${address}/positions/${protocol}`
    return [
      { name: `positions/${protocol}`, paths: [positions] },
      { name: `${protocol} history, 30d`, paths: [`${positions}/${most_used.replace('fxdao:', '')}/history?range=30d`] },
      ...['tvl', 'reserves', 'emissions'].map((data) => ({ name: `${protocol} ${data}`, paths: [`/v1/protocols/${protocol}/${data}`] })),
    ]
  })
}

/** The lender with positions in the most pools, and the one of them that it used most. */
async function endpointsOfBlend(ready: ReadyEvent): Promise<Endpoint[]> {
  const [lender] = await queryRows<{ address: string; most_used: string; ledger: number; from: string; to: string }>(
    ready,
    `SELECT address, topK(1)(pool)[1] AS most_used, intDiv(max(ledger) + min(ledger), 2) AS ledger,
       (SELECT formatDateTime(min(close_time), '%FT%TZ') FROM ledgers) AS from,
       (SELECT formatDateTime(max(close_time), '%FT%TZ') FROM ledgers) AS to
     FROM position_snapshots WHERE protocol = 'blend' AND open AND startsWith(address, 'G')
     GROUP BY address ORDER BY uniqExact(pool) DESC, count() DESC, address LIMIT 1`,
  )
  if (lender === undefined) return []
  const { address, most_used: pool, ledger, from, to } = lender
  const blend = `/v1/users/${address}/positions/blend`
  return [
    { name: 'positions of a lender', paths: [`/v1/users/${address}/positions`] },
    { name: 'positions/blend/{pool}', paths: [`${blend}/${pool}`] },
    { name: 'positions/blend/{pool}, as of a ledger', paths: [`${blend}/${pool}?as_of_ledger=${ledger}`] },
    { name: 'pool history, 1d', paths: [`${blend}/${pool}/history?interval=1d&from=${from}&to=${to}`] },
    { name: 'summary history, 1h', paths: [`${blend}/summary/history?interval=1h&from=${from}&to=${to}&fill=locf`] },
    { name: 'blend reserves', paths: ['/v1/protocols/blend/reserves'] },
    { name: 'blend tvl', paths: ['/v1/protocols/blend/tvl'] },
    { name: 'blend emissions', paths: ['/v1/protocols/blend/emissions'] },
  ]
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-api-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  printLine(`Indexed up to ledger ${ledger}. Times in milliseconds; CPU in milliseconds for one request; ${SECONDS} s each\n`)
  const { ready } = orrery
  const endpoints = [
    ...(await endpointsOfSoroswap(ready)),
    ...(await endpointsOfBlend(ready)),
    ...(await endpointsOfOthers(ready)),
    { name: 'protocols', paths: ['/v1/protocols'] },
    { name: 'health', paths: ['/v1/health'] },
  ]
  const askers = [
    { answers: 'computed', keys: await keysOfOthers(data, ORGANIZATIONS) },
    { answers: 'cached', keys: [ready.apiKey] },
  ]
  await report(orrery, endpoints, SECONDS, askers)
} finally {
  rmSync(data, { recursive: true })
}
