// The speed of reading a lake as of mainnet into the log: `orrery ingest` from a folder and over HTTP with 60 ms latency, against `zstd -dc`
// and the transaction reader of go-stellar-sdk on the same files. `node bench/backfill.ts [ledgers] [rounds]`.
// The lake is made first, of two ledgers of mainnet if they are in the folder beside the repository, else of built ones of their size.
// Needs Linux and zstd; for the comparison with Go a Go toolchain, which fetches its modules by its go.sum.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { MAINNET, type MainnetLake, makeMainnetLake } from './src/mainnet-lake.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'

const LEDGERS = Number(process.argv[2] ?? 3_000)
const ROUNDS = Number(process.argv[3] ?? 3)
const LATENCY_MS = 60
const REQUESTS = 128
const PROGRAM = fileURLToPath(new URL('../apps/cli/bin/orrery.mjs', import.meta.url))
/** As in the scripts of the repository and in its image. */
const NODE_OPTIONS = ['--max-semi-space-size=16']

interface Reading {
  readonly seconds: number
  readonly cpuSeconds: number
}

interface Ingested extends Reading {
  /** Until the process begins to read, with the CPU time that this takes; not part of the other figures. */
  readonly start: Reading
  readonly peakMB: number
}

/** `orrery ingest` of the whole lake into a new log. */
async function ingest(lake: string, { firstLedger }: MainnetLake, folder: string): Promise<Ingested> {
  const log = join(folder, 'log')
  rmSync(log, { recursive: true, force: true })
  const env = {
    ORRERY_NETWORK: 'mainnet',
    ORRERY_LAKE: lake,
    ORRERY_LAKE_REQUESTS: String(REQUESTS),
    ORRERY_LOG: `lmdb:${log}`,
    ORRERY_FROM_LEDGER: String(firstLedger),
    ORRERY_INTERNAL_PORT: '0',
    ORRERY_LOG_JSON: 'true',
    MALLOC_ARENA_MAX: '1',
  }
  const began = performance.now()
  const child = spawn(process.execPath, [...NODE_OPTIONS, PROGRAM, 'ingest'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const pid = child.pid ?? 0
  const so = (): Reading => ({ seconds: (performance.now() - began) / 1000, cpuSeconds: cpuSeconds(pid) })
  let start: Reading | undefined
  let memory: ReturnType<typeof watchMemory> | undefined
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    printed.push(line)
    if (line.includes('"Started ingest"')) [start, memory] = [so(), watchMemory(pid)]
    // A lake over HTTP is followed, so its process ends by a signal.
    const isEnd = line.includes('"Read the source to its end"') || line.includes('"Caught up with the source')
    if (!isEnd || start === undefined || memory === undefined) continue
    const end = so()
    const { ownMB: peakMB } = memory.stop()
    if (!line.includes(`"ledger":${firstLedger + LEDGERS - 1}`)) break
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    return { start, peakMB, seconds: end.seconds - start.seconds, cpuSeconds: end.cpuSeconds - start.cpuSeconds }
  }
  throw new Error(`orrery ingest did not read the lake to its end:\n${printed.join('\n')}`)
}

/** Server of the lake, in a process of its own. */
async function overHttp<T>(folder: string, use: (address: string) => Promise<T>): Promise<T> {
  const program = fileURLToPath(new URL('src/lake-server.ts', import.meta.url))
  const server = spawn(process.execPath, [program, folder, String(LATENCY_MS)], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(createInterface({ input: server.stdout }), 'line')
    return await use(`http://127.0.0.1:${port}/`)
  } finally {
    server.kill()
  }
}

/** Wall time and CPU of a command, as measured by the shell. */
function timed(command: string): Reading {
  const output = execFileSync('bash', ['-c', `TIMEFORMAT='%R %U %S'; { time { ${command}; } 2> /dev/null; } 2>&1`], { encoding: 'utf8' })
  const [wall = 0, user = 0, system = 0] = output.trim().split(' ').map(Number)
  return { seconds: wall, cpuSeconds: user + system }
}

function goReader(list: string, folder: string): Reading | null {
  try {
    const program = join(folder, 'ledger-go')
    const cwd = fileURLToPath(new URL('ledger-go', import.meta.url))
    execFileSync('go', ['build', '-o', program, '.'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    return JSON.parse(execFileSync(program, ['lake', list, MAINNET], { encoding: 'utf8' }))
  } catch (error) {
    printLine(`The Go reader is left out: ${(error as Error).message.split('\n')[0]}`)
    return null
  }
}

/** The reading with the shortest wall time. */
function best<R extends Reading>(readings: readonly R[]): R {
  const [first] = readings.toSorted((a, b) => a.seconds - b.seconds)
  if (first === undefined) throw new Error('At least one round is needed.')
  return first
}

function print(name: string, { seconds, cpuSeconds: cpu }: Reading, note = ''): void {
  figure(name, LEDGERS / seconds, 'ledgers/s', `${(LEDGERS / cpu).toFixed(0)} per CPU second${note}`)
}

printMachine()
const folder = mkdtempSync(join(tmpdir(), 'orrery-bench-backfill-'))
try {
  const lake = makeMainnetLake(join(folder, 'lake'), LEDGERS)
  printLine(
    `${LEDGERS} ledgers of ${(lake.bytes / LEDGERS / 1e6).toFixed(2)} MB, one in each file: ${lake.origin}; the best of ${ROUNDS} rounds\n`,
  )
  const list = join(folder, 'files')
  writeFileSync(list, lake.files.join('\n'))

  const [zstds, locals, remotes]: [Reading[], Ingested[], Ingested[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    zstds.push(timed(`xargs -a ${list} zstd -dcq > /dev/null`))
    locals.push(await ingest(lake.folder, lake, folder))
    remotes.push(await overHttp(lake.folder, (address) => ingest(address, lake, folder)))
  }
  const [zstd, local, remote] = [best(zstds), best(locals), best(remotes)]
  print('zstd -dc', zstd)
  print('orrery ingest from a folder', local, ` (goal 1,000 ledgers/s), ${(local.seconds / zstd.seconds).toFixed(2)} times zstd (goal 2.5)`)
  print(
    `orrery ingest over HTTP, ${LATENCY_MS} ms, ${REQUESTS} requests`,
    remote,
    `: ${((local.seconds / remote.seconds) * 100).toFixed(0)} % of the rate from a folder, ${((local.cpuSeconds / remote.cpuSeconds) * 100).toFixed(0)} % for each CPU second (goal 80 %)`,
  )
  figure('peak memory', Math.max(...[...locals, ...remotes].map(({ peakMB }) => peakMB)), 'MB', 'goal 600')
  figure('start of the process', local.start.seconds, 's', `${local.start.cpuSeconds.toFixed(2)} s of CPU, not part of the figures above`)
  const go = goReader(list, folder)
  if (go !== null) {
    print('go-stellar-sdk, transaction reader', go)
    figure('orrery ingest for each CPU second', go.cpuSeconds / local.cpuSeconds, 'times', 'as many ledgers as Go (goal 5)')
  }
} finally {
  rmSync(folder, { recursive: true })
}
