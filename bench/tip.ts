// What happens when a new ledger ends all kept answers: a node closes a ledger each five seconds, and 64 clients of 8 organizations ask for the feed, the
// actions and the portfolio of an account each as soon as `/v1` shows the ledger. Measures their answers, and the CPU of all of them together.
// `node bench/tip.ts [ledgers]`. Needs Linux. Indexes half of the demo first (about half a minute).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recording, startFakeRpc } from '@orrery/testkit'
import { keysOfOthers, queryRows } from './src/load.ts'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const LEDGERS = Number(process.argv[2] ?? 20)
const CLOSE_EVERY_MS = 5_000
const POLL_EVERY_MS = 50
/** Ledgers in the index before the first one that is measured. */
const BEFORE = 3_000
/** Ledgers at the tip before them: the first has answers of none. */
const WARM_UP = 2
const CLIENTS = 64
const ORGANIZATIONS = 8
const PAGES = ['activities', 'actions', 'positions'] as const

interface Client {
  readonly address: string
  readonly apiKey: string
}

async function ask({ url }: Orrery['ready'], path: string, apiKey: string): Promise<{ readonly ledger: number }> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': apiKey } })
  if (!response.ok) throw new Error(await response.text())
  const { meta } = (await response.json()) as { readonly meta: { readonly last_indexed_ledger: number } }
  return { ledger: meta.last_indexed_ledger }
}

async function clientsOf({ ready }: Orrery, data: string): Promise<readonly Client[]> {
  const accounts = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM activities WHERE startsWith(address, 'G') GROUP BY address ORDER BY count() DESC, address LIMIT ${CLIENTS}`,
  )
  const keys = await keysOfOthers(data, ORGANIZATIONS)
  return Array.from({ length: CLIENTS }, (_, n) => ({
    address: accounts[n % accounts.length]?.address ?? '',
    apiKey: keys[n % keys.length] ?? '',
  }))
}

/** Waits until `/v1` is as of a ledger after this one. @returns That ledger. */
async function nextLedger({ ready }: Orrery, after: number): Promise<number> {
  for (;;) {
    const { ledger } = await ask(ready, '/v1/protocols', ready.apiKey)
    if (ledger > after) return ledger
    await sleep(POLL_EVERY_MS)
  }
}

/** The pages of all clients at once, each client's one after the other. @returns Milliseconds of each answer, by page. */
async function askAll({ ready }: Orrery, clients: readonly Client[], took: Readonly<Record<string, number[]>>): Promise<void> {
  const pagesOf = async ({ address, apiKey }: Client) => {
    for (const page of PAGES) {
      const startedMs = performance.now()
      await ask(ready, `/v1/users/${address}/${page}`, apiKey)
      took[page]?.push(performance.now() - startedMs)
    }
  }
  await Promise.all(clients.map(pagesOf))
}

async function measure(data: string): Promise<void> {
  const { lakeDir, registryFile } = recording()
  await using node = await startFakeRpc({ ledgers: lakeDir, latest: 1_000_000 + BEFORE })
  await using orrery = await startOrrery(data, ['--network', registryFile, '--rpc', node.url])
  let { ledger } = await orrery.caughtUp()
  const clients = await clientsOf(orrery, data)
  node.closeEvery(CLOSE_EVERY_MS)

  const pids = [orrery.pid, orrery.enginePid]
  const took: Record<string, number[]> = Object.fromEntries(PAGES.map((page) => [page, []]))
  const wholeMs: number[] = []
  const cpu = [0, 0]
  for (let n = -WARM_UP; n < LEDGERS; n++) {
    ledger = await nextLedger(orrery, ledger)
    const before = pids.map(cpuSeconds)
    const startedMs = performance.now()
    await askAll(orrery, clients, n < 0 ? {} : took)
    if (n < 0) continue
    wholeMs.push(performance.now() - startedMs)
    for (const [at, pid] of pids.entries()) cpu[at] = (cpu[at] ?? 0) + cpuSeconds(pid) - (before[at] ?? 0)
  }
  printLine(
    `\n${LEDGERS} ledgers, one every ${CLOSE_EVERY_MS / 1_000} s; ${CLIENTS} clients of ${ORGANIZATIONS} organizations ask as soon as a ledger is shown`,
  )
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
  for (const page of PAGES) {
    const ms = sorted(took[page] ?? [])
    figure(page, percentile(ms, 0.5), 'ms', `p50; p95 ${percentile(ms, 0.95).toFixed(0)}`)
  }
  figure(`all ${CLIENTS * PAGES.length} answers`, percentile(sorted(wholeMs), 0.5), 'ms', `p50; slowest ${Math.max(...wholeMs).toFixed(0)}`)
  figure('CPU of Orrery', (1_000 * (cpu[0] ?? 0)) / LEDGERS, 'ms/ledger', 'while they are answered')
  figure('CPU of the engine', (1_000 * (cpu[1] ?? 0)) / LEDGERS, 'ms/ledger', 'while they are answered')
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-tip-'))
try {
  await measure(data)
} finally {
  rmSync(data, { recursive: true })
}
