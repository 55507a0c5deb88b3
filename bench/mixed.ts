// Ten minutes of mixed load: 16 clients that never wait ask for feeds, actions, portfolios, histories, series, TVL and transactions of many accounts, with
// keys of 61 organizations. A repeated request is answered from the response cache: on a large set mostly TVL. A line for each minute: times, requests without an answer
// of status 200, CPU, and the memory of both processes at its end, which must not grow.
// `node bench/mixed.ts [minutes] [data folder]`: without a folder the demo is indexed first. Needs Linux.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cycle, keysOfOthers, load } from './src/load.ts'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'
import { cpuSeconds, ownMegabytes } from './src/process-usage.ts'
import { askedIn, readPaths } from './src/read-subjects.ts'
import { percentile } from './src/statistics.ts'

const MINUTES = Number(process.argv[2] ?? 10)
const CLIENTS = 16
/** A prime number, so that each kind is requested with each key. */
const ORGANIZATIONS = 61
const COLUMNS = ['answers/s', 'p50 ms', 'p95 ms', 'p99 ms', 'not 200', 'ours MB', 'engine MB', 'our CPU', 'engine']

/** One path of each kind in turn, endlessly. */
function* inTurn(kinds: readonly (readonly string[])[]): Generator<string, never> {
  const paths = kinds.filter((ofKind) => ofKind.length > 0).map(cycle)
  for (;;) for (const path of paths) yield path.next().value
}

async function measureMixed(orrery: Orrery, data: string): Promise<void> {
  const kinds = Object.values(await readPaths(orrery.ready, askedIn(data)))
  const questions = { paths: inTurn(kinds), keys: cycle(await keysOfOthers(data, ORGANIZATIONS)) }
  const pids = [orrery.pid, orrery.enginePid]
  printLine(`${'minute'.padEnd(8)}${COLUMNS.map((column) => column.padStart(11)).join('')}`)
  for (let minute = 1; minute <= MINUTES; minute++) {
    const before = pids.map(cpuSeconds)
    const { latencies, refused, unanswered } = await load(orrery.ready, questions, CLIENTS, 60)
    const cpu = pids.map((pid, n) => (1000 * (cpuSeconds(pid) - (before[n] ?? 0))) / latencies.length)
    const times = [0.5, 0.95, 0.99].map((share) => percentile(latencies, share))
    const cells = [latencies.length / 60, ...times, refused + unanswered, ...pids.map(ownMegabytes), ...cpu]
    printLine(`${String(minute).padEnd(8)}${cells.map((cell) => cell.toFixed(1).padStart(11)).join('')}`)
  }
}

printMachine()
const given = process.argv[3]
const data = given ?? mkdtempSync(join(tmpdir(), 'orrery-bench-mixed-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  printLine(`Up to ledger ${ledger}; CPU in milliseconds for one answer\n`)
  await measureMixed(orrery, data)
} finally {
  if (given === undefined) rmSync(data, { recursive: true })
}
