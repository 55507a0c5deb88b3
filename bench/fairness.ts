// How far one organization, or an analyst, slows another organization down. The quiet one has one client and asks for feeds and actions, one after the other. It
// is measured alone, then beside an organization whose clients never wait and ask for the dearest answers, then beside statements of an analyst
// that read every snapshot, and alone again: a ratio within one run. No request of the quiet one is made twice, so every answer is computed.
// `node bench/fairness.ts [seconds per measurement] [data folder]`: without a folder the demo is indexed first (about half a minute). Needs Linux.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { busyClients } from './src/busy-clients.ts'
import { cycle, keysOfOthers, liftLimit, load, queryRows } from './src/load.ts'
import { type Orrery, type ReadyEvent, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'
import { askedIn } from './src/read-subjects.ts'
import { percentile } from './src/statistics.ts'

const SECONDS = Number(process.argv[2] ?? 10)
const BUSY_CLIENTS = 16
const ANALYSTS = 4
/** The p50 of the quiet organization, in multiples of its undisturbed one. */
const GOAL = 1.5
const MANY = 199
/** The most accounts that one request may name, and the dearest request of all: 21 units. */
const ACCOUNTS_AT_ONCE = 100
/** In intervals of five minutes about as many buckets as one answer may have: 11 units. */
const DAYS_OF_BUCKETS = 17
/** `number` makes each statement another one. */
const analystStatement = (number: number): string =>
  `SELECT address, pool, quantiles(0.5, 0.9)(toFloat64(net_usd)) AS net, uniqExact(ledger) AS ledgers
   FROM position_snapshots WHERE ledger > ${number} GROUP BY address, pool ORDER BY ledgers DESC LIMIT 10`

/** Endless and without repetition: a page of another size is another answer. */
function* quietPaths(addresses: readonly string[]): Generator<string, never> {
  for (let round = 0; ; round++) {
    for (const address of addresses) {
      yield `/v1/users/${address}/activities?limit=${30 + (round % 60)}`
      yield `/v1/users/${address}/actions?limit=${30 + (round % 60)}`
    }
  }
}

/** The dearest requests, in turn. Each names other accounts, or begins at another moment. */
function busyPaths(addresses: readonly string[], lenders: readonly string[], lastSeconds: number): string[] {
  return Array.from({ length: 3_000 }, (_, n) => {
    const from = new Date((lastSeconds - DAYS_OF_BUCKETS * 86_400 - n * 300) * 1_000).toISOString().replace('.000', '')
    const to = new Date((lastSeconds - n * 300) * 1_000).toISOString().replace('.000', '')
    const window = `interval=5m&from=${from}&to=${to}`
    const turned = [...addresses.slice(n % addresses.length), ...addresses.slice(0, n % addresses.length)]
    const kinds = [
      `/v1/positions?addresses=${turned.slice(0, ACCOUNTS_AT_ONCE)}`,
      `/v1/users/${lenders[n % lenders.length]}/positions/blend/summary/history?${window}`,
      `/v1/users/${turned[0]}/activities/series?${window}`,
    ]
    return kinds[n % kinds.length] ?? ''
  })
}

interface Subjects {
  readonly addresses: readonly string[]
  readonly lenders: readonly string[]
  /** Unix seconds of the last ledger. */
  readonly lastSeconds: number
}

async function subjects(ready: ReadyEvent, data: string): Promise<Subjects> {
  const { accounts } = askedIn(data)
  const named = async (sql: string) => (await queryRows<{ address: string }>(ready, sql)).map(({ address }) => address)
  const addresses = await named(
    `SELECT address FROM activities WHERE ${accounts} GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const lenders = await named(
    `SELECT address FROM position_snapshots WHERE ${accounts} AND protocol = 'blend' GROUP BY address ORDER BY count() DESC, address LIMIT ${MANY}`,
  )
  const [last] = await queryRows<{ seconds: number }>(ready, 'SELECT toUnixTimestamp(max(close_time)) AS seconds FROM ledgers')
  return { addresses, lenders, lastSeconds: last?.seconds ?? 0 }
}

/** The engine runs fewer statements of analysts at once than there are connections, and refuses the others. */
async function pauseIfRefused(error: unknown): Promise<void> {
  if (!String(error).includes('TOO_MANY_SIMULTANEOUS_QUERIES')) throw error
  await setTimeout(20)
}

/** Runs statements one after the other on each of `ANALYSTS` connections until it is disposed. */
function analysts(ready: ReadyEvent): AsyncDisposable & { count(): number } {
  let ended = false
  let asked = 0
  const connection = async () => {
    while (!ended) await queryRows(ready, analystStatement(asked)).then(() => asked++, pauseIfRefused)
  }
  const running = Promise.all(Array.from({ length: ANALYSTS }, connection))
  return {
    count: () => asked,
    async [Symbol.asyncDispose]() {
      ended = true
      await running
    },
  }
}

async function measureFairness(orrery: Orrery, data: string): Promise<void> {
  const { addresses, lenders, lastSeconds } = await subjects(orrery.ready, data)
  const [quietKey = ''] = await keysOfOthers(data, 1)
  await liftLimit(data, orrery.ready)
  const paths = quietPaths(addresses)
  const quiet = (seconds: number) => load(orrery.ready, { paths, keys: cycle([quietKey]) }, 1, seconds)
  await quiet(2)
  let alone = Number.NaN
  const measured = async (name: string, beside: () => string = () => '') => {
    const { latencies, refused } = await quiet(SECONDS)
    const [p50, p95] = [percentile(latencies, 0.5), percentile(latencies, 0.95)]
    if (Number.isNaN(alone)) alone = p50
    const ratio = p50 / alone
    printLine(
      `${name.padEnd(44)}${p50.toFixed(1).padStart(9)}${p95.toFixed(1).padStart(9)}${String(latencies.length).padStart(9)}${ratio.toFixed(2).padStart(9)}  ${refused === 0 ? '' : `${refused} answers were not 200; `}${beside()}`,
    )
  }
  printLine(`${''.padEnd(44)}${['p50', 'p95', 'answers', 'ratio'].map((head) => head.padStart(9)).join('')}`)
  await measured('alone')
  {
    const load = {
      url: orrery.ready.url,
      apiKey: orrery.ready.apiKey,
      paths: busyPaths(addresses, lenders, lastSeconds),
      clients: BUSY_CLIENTS,
    }
    await using busy = busyClients(load)
    const shown = () => [...busy.answers].map(([status, count]) => `${count} answers ${status}`).join(', ')
    await measured(`beside ${BUSY_CLIENTS} clients of one organization`, () => `goal ${GOAL}; those had ${shown()}`)
  }
  {
    await using statements = analysts(orrery.ready)
    await measured(`beside ${ANALYSTS} statements of an analyst`, () => `goal ${GOAL}; those had ${statements.count()} answers`)
  }
  await measured('alone, once more')
}

printMachine()
const given = process.argv[3]
const data = given ?? mkdtempSync(join(tmpdir(), 'orrery-bench-fairness-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  printLine(`Up to ledger ${ledger}. Times in milliseconds, ${SECONDS} s each\n`)
  await measureFairness(orrery, data)
} finally {
  if (given === undefined) rmSync(data, { recursive: true })
}
