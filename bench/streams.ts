// How soon every stream has a ledger: a node closes a ledger each five seconds, `orrery up` follows it, and thousands of clients read
// `/v1/stream`, each with an account of its own. Measures from closing at the node to the event `ledger` of each stream, by the clock of the
// process that has both. Compared with Orrery's goal. `node bench/streams.ts [streams]`. Needs Linux and file descriptors for both ends of all
// streams (`ulimit -n`). Indexes half of the demo first (some seconds).

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeRpc, recording, startFakeRpc } from '@orrery/testkit'
import { keysOfOthers, liftLimit, queryRows } from './src/load.ts'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const STREAMS = Number(process.argv[2] ?? 5_000)
const LEDGERS = 12
const CLOSE_EVERY_MS = 5_000
/** Ledgers in the index before the first one that is measured. */
const BEFORE = 3_000
const FIRST_LEDGER = 1_000_000
/** Ledgers after the catch-up in which the source measures the rate of the network. */
const WARM_UP = 10
/** An address has at most 1,024 connections, and an organization of the plan of these keys 2,000 streams. */
const STREAMS_OF_ADDRESS = 1_000
const STREAMS_OF_KEY = 1_000
/** Opened at the same time: more would wait in the queue of the listening socket. */
const OPENED_AT_ONCE = 100

interface Reader {
  readonly opened: ClientRequest
  readonly response: IncomingMessage
}

/** Calls back at each event `ledger`. Other events are counted. */
async function openStream(
  url: URL,
  key: string,
  localAddress: string,
  onLedger: (ledger: number) => void,
  onEvent: () => void,
): Promise<Reader> {
  const opened = request(url, { headers: { 'x-service-api-key': key }, localAddress, agent: false })
  opened.end()
  const [response] = (await once(opened, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}.`)
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    for (const [, name, ledger] of text.matchAll(/event: (\w+)\ndata: (?:\{"ledger":(\d+))?/g)) {
      if (name === 'ledger') onLedger(Number(ledger))
      else onEvent()
    }
  })
  response.on('error', () => undefined)
  opened.on('error', () => undefined)
  return { opened, response }
}

async function measure(data: string): Promise<void> {
  const { lakeDir, registryFile } = recording()
  await using node = await startFakeRpc({ ledgers: lakeDir, latest: FIRST_LEDGER + BEFORE })
  await using orrery = await startOrrery(data, ['--network', registryFile, '--rpc', node.url])
  await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  const accounts = await queryRows<{ address: string }>(orrery.ready, "SELECT DISTINCT address FROM activities WHERE address != ''")
  const keys = await keysOfOthers(data, Math.ceil(STREAMS / STREAMS_OF_KEY))
  await report(node, orrery, accounts, keys)
}

async function report(
  node: FakeRpc,
  orrery: Orrery,
  accounts: readonly { readonly address: string }[],
  keys: readonly string[],
): Promise<void> {
  const tookMs: number[] = []
  let events = 0
  let firstMeasured = Number.POSITIVE_INFINITY
  const onLedger = (ledger: number): void => {
    const closedMs = node.servedAtMs.get(ledger)
    if (closedMs !== undefined && ledger >= firstMeasured) tookMs.push(Date.now() - closedMs)
  }
  const readers: Reader[] = []
  const startedMs = performance.now()
  for (let n = 0; n < STREAMS; n += OPENED_AT_ONCE) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, STREAMS - n) }, (_, i) => n + i)
    const opened = some.map((of) => {
      const url = new URL(`/v1/stream?addresses=${accounts[of % accounts.length]?.address}`, orrery.ready.url)
      const key = keys[Math.floor(of / STREAMS_OF_KEY)] ?? ''
      const localAddress = `127.0.1.${1 + Math.floor(of / STREAMS_OF_ADDRESS)}`
      return openStream(url, key, localAddress, onLedger, () => {
        events++
      })
    })
    readers.push(...(await Promise.all(opened)))
  }
  const openedSeconds = (performance.now() - startedMs) / 1000
  node.closeEvery(CLOSE_EVERY_MS)
  await new Promise((next) => setTimeout(next, WARM_UP * CLOSE_EVERY_MS))
  firstMeasured = node.latest + 1
  const last = node.latest + LEDGERS
  const memory = watchMemory(orrery.pid)
  const before = [orrery.pid, orrery.enginePid].map(cpuSeconds)
  const seenByAll = () => tookMs.length >= LEDGERS * STREAMS
  for (let waited = 0; !seenByAll() && waited < (LEDGERS + 6) * CLOSE_EVERY_MS; waited += 100)
    await new Promise((next) => setTimeout(next, 100))
  const cpu = [orrery.pid, orrery.enginePid].map((pid, n) => (1000 * (cpuSeconds(pid) - (before[n] ?? 0))) / LEDGERS)
  const { ownMB } = memory.stop()
  for (const { opened } of readers) opened.destroy()

  const sorted = tookMs.toSorted((a, b) => a - b)
  printLine(
    `\n${STREAMS} streams, ${LEDGERS} ledgers up to ${last}, one every ${CLOSE_EVERY_MS / 1000} s: from closing at the node to the event at the client`,
  )
  for (const share of [0.5, 0.95, 0.99, 1]) {
    figure(share === 1 ? 'slowest' : `p${share * 100}`, percentile(sorted, share), 'ms', share === 0.95 ? 'goal 2,500' : '')
  }
  figure('events `ledger`', tookMs.length, 'events', `of ${LEDGERS * STREAMS} at most: a stream may pass several ledgers with one`)
  figure('other events', events, 'events')
  figure('opening all streams', openedSeconds, 's')
  figure('CPU of Orrery', cpu[0] ?? Number.NaN, 'ms/ledger')
  figure('CPU of the engine', cpu[1] ?? Number.NaN, 'ms/ledger')
  figure('memory of Orrery', ownMB, 'MB')
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-streams-'))
try {
  await measure(data)
} finally {
  rmSync(data, { recursive: true })
}
