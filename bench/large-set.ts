// Fills a data folder with a large set: the indexed demo, and copies of its rows for other accounts, pools, transactions and ledgers, made inside the engine
// (`INSERT SELECT`) from a seed. With `--scale 1`: 50 million activities of 5,000 accounts, and 2 million of one account (the whale); 100 million snapshots of
// positions; a million state entries of accounts; 10,000 pools. `npm run large-set -w bench -- [--scale 0.1] [--seed 1] <data folder>`.
// `orrery up --data <data folder>` then serves it as it serves every index, and the benchmarks of reads take the folder. Needs Linux.

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ClickHouseConnection, openClickHouse, startClickHouseHost } from '@orrery/read-model'
import { activitySteps } from './src/large-set/activities.ts'
import { poolStep } from './src/large-set/pools.ts'
import { holderStep, planPositions, positionSteps } from './src/large-set/positions.ts'
import { type LargeSet, readMarker, sizesOf, whaleOf, writeMarker } from './src/large-set/set.ts'
import type { Step } from './src/large-set/steps.ts'
import { makeTemplates, TEMPLATES } from './src/large-set/templates.ts'
import { startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'

const LEAST_SCALE = 0.001
const PROGRESS_MS = 15_000
/** For the engine while it fills: merges of large parts run beside blocks of rows with all their views, which no index in use has. */
const MEMORY_BYTES = Math.min(6 * 1024 ** 3, totalmem() / 2)
/** Merges are done when none runs, and the count of parts stays the same for this long. */
const QUIET_MS = 20_000
const USAGE = 'Usage: npm run large-set -w bench -- [--scale 0.1] [--seed 1] <data folder>'

/** Blocks that fit into the engine's memory with those of the views, which are written at the same time. */
const SETTINGS = {
  max_threads: 2,
  parallel_view_processing: 1,
  max_block_size: '65536',
  min_insert_block_size_rows: '262144',
  min_insert_block_size_bytes: '0',
} as const

/** Ends the process where the arguments, or the folder, do not fit. */
function argumentsOf(): { readonly data: string; readonly set: LargeSet } {
  try {
    const options = { scale: { type: 'string', default: '0.1' }, seed: { type: 'string', default: '1' } } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw new Error('Name one data folder.')
    const [scale, seed] = [Number(values.scale), Number(values.seed)]
    if (!(scale >= LEAST_SCALE && scale <= 10))
      throw new Error(`The scale is ${values.scale}; it must be a number from ${LEAST_SCALE} to 10.`)
    if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`The seed is ${values.seed}; it must be a whole number from 0.`)
    // npm runs this in the folder of the package, which a relative path would be taken from.
    if (!isAbsolute(folder)) throw new Error(`Name the data folder by its absolute path, not ${folder}.`)
    const data = resolve(folder)
    const present = readMarker(data)
    if (present !== null) {
      const what = present.filled ? 'has a large set already' : 'has a part of a large set, whose filling did not end'
      throw new Error(`${data} ${what} (scale ${present.scale}, seed ${present.seed}). Delete the folder, or name another one.`)
    }
    return { data, set: { scale, seed } }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`)
    process.exit(2)
  }
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Runs the statements one after another, and prints a line each quarter of a minute. */
async function run(admin: ClickHouseConnection, pid: number, { name, statements, isUnique = false }: Step): Promise<void> {
  const cpuBefore = cpuSeconds(pid)
  const total = statements.reduce((sum, { rows }) => sum + rows, 0)
  const startedMs = performance.now()
  let printedMs = startedMs
  let done = 0
  for (const { sql, rows } of statements) {
    await admin.client.command({ query: sql, clickhouse_settings: { ...SETTINGS, optimize_on_insert: isUnique ? 0 : 1 } })
    done += rows
    const nowMs = performance.now()
    if (nowMs - printedMs < PROGRESS_MS) continue
    printedMs = nowMs
    const leftSeconds = ((nowMs - startedMs) / 1000) * (total / done - 1)
    printLine(`  ${name}: ${count(done)} of ${count(total)} rows, ${(leftSeconds / 60).toFixed(1)} min left`)
  }
  const seconds = (performance.now() - startedMs) / 1000
  figure(
    name,
    total,
    'rows',
    `${seconds.toFixed(0)} s, ${count(total / Math.max(seconds, 0.001))} rows/s, ${(cpuSeconds(pid) - cpuBefore).toFixed(0)} s of the engine's CPU`,
  )
}

/** Parts and running merges of the index. */
async function partsOf({ client }: ClickHouseConnection): Promise<{ readonly parts: number; readonly merges: number }> {
  const query = `SELECT (SELECT count() FROM system.parts WHERE active AND database = 'orrery') AS parts, (SELECT count() FROM system.merges) AS merges`
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ parts: string; merges: string }>()
  return { parts: Number(row?.parts), merges: Number(row?.merges) }
}

/** Waits for the merges that the engine makes by itself. No `OPTIMIZE`: an index in use is never merged into one part either. */
async function waitForMerges(admin: ClickHouseConnection): Promise<void> {
  const startedMs = performance.now()
  let last = await partsOf(admin)
  let quietSinceMs = startedMs
  while (performance.now() - quietSinceMs < QUIET_MS) {
    await delay(1_000)
    const now = await partsOf(admin)
    if (now.merges > 0 || now.parts !== last.parts) quietSinceMs = performance.now()
    last = now
  }
  figure('merges', last.parts, 'parts', `${((performance.now() - startedMs) / 1000).toFixed(0)} s after the last row`)
}

async function fill(data: string, set: LargeSet): Promise<void> {
  await using host = await startClickHouseHost({ dir: join(data, 'clickhouse'), syncs: false, memoryBytes: MEMORY_BYTES })
  await using admin = openClickHouse(host.address('admin'))
  const memory = watchMemory(host.pid)
  writeMarker(data, { ...set, filled: false })
  const demo = await makeTemplates(admin, set)
  await planPositions(admin, set, demo)
  await run(admin, host.pid, await poolStep(admin, set))
  for (const step of await positionSteps(admin, set)) await run(admin, host.pid, step)
  await run(admin, host.pid, await holderStep(admin, set))
  for (const step of activitySteps(set, demo)) await run(admin, host.pid, step)
  await admin.client.command({ query: `DROP DATABASE ${TEMPLATES} SYNC` })
  await waitForMerges(admin)
  figure('peak memory of the engine', memory.stop().ownMB, 'MB')
  await printTables(admin)
  await printDigests(admin)
  writeMarker(data, { ...set, filled: true })
}

async function printTables({ client }: ClickHouseConnection): Promise<void> {
  const query = `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
    WHERE database = 'orrery' AND active GROUP BY name ORDER BY bytes DESC`
  const tables = await (await client.query({ query, format: 'JSONEachRow' })).json<Record<'name' | 'rows' | 'bytes' | 'parts', string>>()
  printLine()
  for (const { name, rows, bytes, parts } of tables) {
    const each = (Number(bytes) / Math.max(1, Number(rows))).toFixed(0)
    figure(name, Number(rows), 'rows', `${(Number(bytes) / 1e6).toFixed(1)} MB, ${each} bytes each, ${parts} parts`)
  }
  const all = tables.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  printLine()
  figure('disk of the tables', all / 1e6, 'MB')
}

const FILLED_VIEWS = ['activities', 'transactions', 'position_snapshots', 'pool_snapshots', 'state'] as const

/** One number for the rows of each view, whatever their order and parts: two fills of one seed and scale have the same. */
async function printDigests({ client }: ClickHouseConnection): Promise<void> {
  printLine()
  for (const view of FILLED_VIEWS) {
    const query = `SELECT count() AS rows, hex(sum(cityHash64(toString(tuple(*))))) AS digest FROM orrery.${view}`
    const settings = { max_execution_time: 3_600, max_threads: 2 }
    const [row] = await (await client.query({ query, format: 'JSONEachRow', clickhouse_settings: settings })).json<Record<string, string>>()
    figure(`rows of ${view}`, Number(row?.rows), 'rows', `digest ${row?.digest}`)
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

const { data, set } = argumentsOf()
printMachine()
mkdirSync(data, { recursive: true })
const startedMs = performance.now()
{
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  printLine(`The demo is indexed up to ledger ${ledger} (${((performance.now() - startedMs) / 60_000).toFixed(1)} min)\n`)
}
const sizes = sizesOf(set)
printLine(
  `Scale ${set.scale}, seed ${set.seed}: ${count(sizes.accounts)} accounts, ${count(sizes.activities)} activities; the whale ${whaleOf(set)}`,
)
const fillingMs = performance.now()
await fill(data, set)
figure(
  'disk of the folder',
  bytesBelow(data) / 1e6,
  'MB',
  'with parts that merges replaced: the engine removes them within minutes of the next start',
)
figure(
  'filling',
  (performance.now() - fillingMs) / 60_000,
  'min',
  `${((performance.now() - startedMs) / 60_000).toFixed(1)} with indexing the demo`,
)
