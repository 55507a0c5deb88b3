// CPU of the engine for each statement behind an answer of `/v1`, as a multiple of its floor, the cheapest statement that returns the same rows
// (src/read-statements.ts), and of `SELECT 1`; then for whole answers, computed, in multiples of `SELECT 1`. The kinds of statement take turns, so
// that other programs disturb all of them alike. `node bench/reads.ts [runs of each] [data folder]`: without a folder the demo is indexed first (about
// half a minute); `npm run large-set -w bench` fills a folder with far more rows. Needs Linux.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOverReadLimit, openClickHouse, openReadModel, type Query, startClickHouseHost } from '@orrery/read-model'
import { keysOfOthers, liftLimit } from './src/load.ts'
import { startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { readStatements } from './src/read-statements.ts'
import { answersOf, askedIn, readSubjects } from './src/read-subjects.ts'
import { percentile } from './src/statistics.ts'

const RUNS = Number(process.argv[2] ?? 200)
const ROUNDS = 5
const ORGANIZATIONS = 400
/** The statement that is measured for the whale of a large set too: its rows do not make it slower, if it reads a page of them. */
const FEED = 'feed, 50'

type Run = (n: number) => Promise<unknown>

/** Milliseconds of the engine's CPU for one run of each, the median of the rounds. Each round runs all of them. */
async function engineCpu(pid: number, kinds: readonly Run[]): Promise<number[]> {
  const rounds = kinds.map((): number[] => [])
  for (const run of kinds) for (let n = 0; n < 20; n++) await run(n)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, run] of kinds.entries()) {
      const before = cpuSeconds(pid)
      for (let n = 0; n < RUNS / ROUNDS; n++) await run(20 + (round * RUNS) / ROUNDS + n)
      rounds[kind]?.push((1000 * (cpuSeconds(pid) - before)) / (RUNS / ROUNDS))
    }
  }
  return rounds.map((values) =>
    percentile(
      values.sort((a, b) => a - b),
      0.5,
    ),
  )
}

const cell = (value: number, digits = 1): string => value.toFixed(digits).padStart(10)

/** Milliseconds of `SELECT 1`, in this run. */
async function statements(data: string): Promise<number> {
  await using host = await startClickHouseHost({ dir: join(data, 'clickhouse') })
  const connection = openClickHouse(host.address('api'))
  // The tip is read once: it is no part of a statement.
  await using readModel = openReadModel(connection, { tipForMs: Number.MAX_SAFE_INTEGER })
  const send = async (query: string): Promise<unknown> => (await connection.client.query({ query, format: 'JSONEachRow' })).json()
  const asked = askedIn(data)
  const subjects = await readSubjects(readModel, connection, asked)
  const options = { tag: { route: 'bench', requestId: 'bench' } }
  const ofWhale = asked.whale === null ? [] : readStatements({ ...subjects, account: asked.whale }).filter(({ name }) => name === FEED)
  const listed = [...readStatements(subjects), ...ofWhale.map((statement) => ({ ...statement, name: `${FEED}, of the whale` }))]
  // Where the engine refuses to read as many rows, the statement costs what the refusal costs: the API then runs "the same in the engine".
  const run = async (query: Query, params: Record<string, unknown>): Promise<void> => {
    try {
      await readModel.query(query, params, options)
    } catch (error) {
      if (!isOverReadLimit(error)) throw error
    }
  }
  const kinds: Run[] = [
    () => send('SELECT 1'),
    ...listed.flatMap(({ query, params, floor }): Run[] => [() => run(query, params), () => send(floor)]),
  ]
  const [one = 0, ...pairs] = await engineCpu(host.pid, kinds)
  printLine(`SELECT 1: ${one.toFixed(2)} ms. Milliseconds of the engine's CPU, medians of ${ROUNDS} rounds of ${RUNS / ROUNDS} runs\n`)
  printLine(`${'statement'.padEnd(34)}${['ms', 'floor', 'of floor', 'SELECT 1s'].map((head) => head.padStart(10)).join('')}`)
  for (const [n, { name }] of listed.entries()) {
    const [own = 0, floor = 0] = pairs.slice(2 * n, 2 * n + 2)
    printLine(`${name.padEnd(34)}${cell(own, 2)}${cell(floor, 2)}${cell(own / floor, 2)}${cell(own / one)}`)
  }
  return one
}

async function answers(data: string, one: number): Promise<void> {
  await using orrery = await startOrrery(data)
  await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  const keys = await keysOfOthers(data, ORGANIZATIONS)
  const listed = await answersOf(orrery.ready, askedIn(data))
  // Every request is of another organization than the one before, so that no answer is in a cache.
  const ask =
    (paths: readonly string[]): Run =>
    async (n) => {
      const path = paths[n % paths.length] ?? ''
      const response = await fetch(`${orrery.ready.url}${path}`, { headers: { 'x-service-api-key': keys[n % keys.length] ?? '' } })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      await response.arrayBuffer()
    }
  const costs = await engineCpu(
    orrery.enginePid,
    listed.map(({ paths }) => ask(paths)),
  )
  printLine('\nWhole answers, computed\n')
  printLine(`${'answer'.padEnd(34)}${['ms', 'SELECT 1s', 'goal'].map((head) => head.padStart(10)).join('')}`)
  for (const [n, { name, goal }] of listed.entries()) {
    printLine(`${name.padEnd(34)}${cell(costs[n] ?? 0, 2)}${cell((costs[n] ?? 0) / one)}${goal === null ? '' : cell(goal, 0)}`)
  }
}

printMachine()
const given = process.argv[3]
const data = given ?? mkdtempSync(join(tmpdir(), 'orrery-bench-reads-'))
try {
  if (!existsSync(join(data, 'clickhouse'))) {
    await using orrery = await startOrrery(data)
    await orrery.caughtUp()
  }
  const one = await statements(data)
  await answers(data, one)
} finally {
  if (given === undefined) rmSync(data, { recursive: true })
}
