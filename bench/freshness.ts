// How soon a ledger is readable: a node closes a ledger per second, `orrery up` follows it, and `/v1` is polled until its answer is as of that
// ledger. Measures from closing at the node to that answer, by the clock of one process. Compared with Orrery's goal.
// `node bench/freshness.ts [ledgers]`. Needs Linux. Indexes half of the demo first (some seconds).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readLedgerHeader } from '@orrery/ledger'
import { type FakeRpc, readBatchFile, recording, startFakeRpc } from '@orrery/testkit'
import { type Orrery, startOrrery, total } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const LEDGERS = Number(process.argv[2] ?? 120)
const CLOSE_EVERY_MS = 1_000
/** The pause between two requests to `/v1`: measured times are late by half of it. */
const POLL_EVERY_MS = 50
/** Ledgers in the index before the first one that is measured. */
const BEFORE = 3_000
/** Ledgers after the catch-up in which the source measures the rate of the network. */
const WARM_UP = 10
const STAGES = ['extract', 'route', 'append', 'fold', 'write'] as const

/** Ledger -> when `/v1` first answered as of it or a later one, in Unix milliseconds. */
async function watchApi({ ready }: Orrery, first: number, last: number): Promise<ReadonlyMap<number, number>> {
  const readable = new Map<number, number>()
  for (let next = first; next <= last; ) {
    const response = await fetch(`${ready.url}/v1/protocols`, { headers: { 'x-service-api-key': ready.apiKey } })
    if (!response.ok) throw new Error(await response.text())
    const { meta } = (await response.json()) as { readonly meta: { readonly last_indexed_ledger: number | null } }
    for (; next <= Math.min(last, meta.last_indexed_ledger ?? 0); next++) readable.set(next, Date.now())
    await sleep(POLL_EVERY_MS)
  }
  return readable
}

/** Milliseconds from closing at the node to the request that read it. */
function untilPolledOf(node: FakeRpc, ledger: number): number {
  const served = node.servedAtMs.get(ledger) ?? Number.NaN
  const request = node.requests.find(
    ({ method, params, atMs }) => method === 'getLedgers' && atMs >= served && (params.startLedger as number) <= ledger,
  )
  return (request?.atMs ?? Number.NaN) - served
}

/** Ledgers that begin a UTC hour: every open position and pool is written at them. In the recording that is one in six, on a live network one in 700. */
async function hourStarts(): Promise<ReadonlySet<number>> {
  const starts = new Set<number>()
  let hour = 0
  for (const file of recording().batchFiles()) {
    for (const bytes of await readBatchFile(file)) {
      const { sequence, closeTimeSeconds } = readLedgerHeader(bytes)
      if (Math.floor(closeTimeSeconds / 3_600) !== hour) starts.add(sequence)
      hour = Math.floor(closeTimeSeconds / 3_600)
    }
  }
  return starts
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

async function measure(data: string): Promise<void> {
  const { lakeDir, registryFile } = recording()
  const oldest = 1_000_000
  await using node = await startFakeRpc({ ledgers: lakeDir, latest: oldest + BEFORE })
  await using orrery = await startOrrery(data, ['--network', registryFile, '--rpc', node.url])
  await orrery.caughtUp()

  node.closeEvery(CLOSE_EVERY_MS)
  const first = node.latest + 1 + WARM_UP
  await watchApi(orrery, first - 1, first - 1)
  const [before, cpuBefore, engineBefore] = [await orrery.metrics(), cpuSeconds(orrery.pid), cpuSeconds(orrery.enginePid)]
  const last = first + LEDGERS - 1
  const readable = await watchApi(orrery, first, last)
  const after = await orrery.metrics()

  const ledgers = Array.from({ length: LEDGERS }, (_, n) => first + n)
  const took = (ledger: number): number => (readable.get(ledger) ?? Number.NaN) - (node.servedAtMs.get(ledger) ?? Number.NaN)
  const tookMs = ledgers.map(took)
  const sorted = tookMs.toSorted((a, b) => a - b)
  printLine(
    `\nFrom closing at the node to an answer of /v1 as of it: ${LEDGERS} ledgers, one every ${CLOSE_EVERY_MS} ms, polled every ${POLL_EVERY_MS} ms`,
  )
  for (const share of [0.5, 0.95, 0.99, 1])
    figure(share === 1 ? 'slowest' : `p${share * 100}`, percentile(sorted, share), 'ms', share === 0.95 ? 'goal 2,000' : '')
  const hours = await hourStarts()
  const quiet = ledgers.filter((ledger) => !hours.has(ledger)).map(took)
  figure(
    'p95 of ledgers that begin no hour',
    percentile(
      quiet.toSorted((a, b) => a - b),
      0.95,
    ),
    'ms',
    `${quiet.length} ledgers`,
  )

  printLine('\nStages of a ledger, on average; partitions are folded and written in parallel, so their time is that of one')
  const grown = (name: string): number => total(after, name) - total(before, name)
  const untilPolled = mean(ledgers.map((ledger) => untilPolledOf(node, ledger)))
  figure('until the node is polled', untilPolled, 'ms')
  let known = untilPolled
  for (const stage of STAGES) {
    const name = `orrery_${stage}_duration_seconds`
    const ms = (1_000 * grown(`${name}_sum`)) / Math.max(1, grown(`${name}_count`))
    known += ms
    figure(stage, ms, 'ms', `${(grown(`${name}_count`) / LEDGERS).toFixed(1)} times a ledger`)
  }
  figure('fetching, waiting, the watermark and polling', mean(tookMs) - known, 'ms')
  figure('CPU of Orrery', (1_000 * (cpuSeconds(orrery.pid) - cpuBefore)) / LEDGERS, 'ms/ledger', 'including the polling')
  figure('CPU of the engine', (1_000 * (cpuSeconds(orrery.enginePid) - engineBefore)) / LEDGERS, 'ms/ledger', 'including the polling')
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-freshness-'))
try {
  await measure(data)
} finally {
  rmSync(data, { recursive: true })
}
