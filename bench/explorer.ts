// How soon a page of the explorer is there: Chromium without a cache, `orrery up` with the demo; each page several times in a session of its own.
// Measures the first paint with content, as Chromium reports it, and the time from the request until every part of the page has its answer.
// Compared with Orrery's goal. `node bench/explorer.ts [views of each page]`. Needs Chromium (`apt-get install chromium`). Indexes the demo first
// (half a minute).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { queryRows } from './src/load.ts'
import { type ReadyEvent, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'
import { percentile } from './src/statistics.ts'

const VIEWS = Number(process.argv[2] ?? 10)
/** Parts that wait for an answer, or show the one before. */
const WAITING = '[aria-busy=true], .line, .previous'
const POLL_MS = 10

interface View {
  /** Milliseconds after the request. */
  readonly painted: number
  readonly whole: number
}

async function view(browser: Browser, { url, apiKey }: ReadyEvent, path: string): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  await context.addInitScript(`sessionStorage.setItem('orrery-api-key', ${JSON.stringify(apiKey)})`)
  const page = await context.newPage()
  const startedMs = performance.now()
  await page.goto(`${url}${path}`, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  while ((await page.locator(WAITING).count()) > 0) await delay(POLL_MS)
  const whole = performance.now() - startedMs
  const painted = Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
  await context.close()
  return { painted, whole }
}

async function pagesOf(ready: ReadyEvent): Promise<Record<string, string>> {
  const first = async (column: string, rest: string): Promise<string> => {
    const [row] = await queryRows<{ found: string }>(
      ready,
      `SELECT ${column} AS found FROM ${rest} GROUP BY ${column} ORDER BY count() DESC LIMIT 1`,
    )
    if (row === undefined) throw new Error(`The index has no ${column}.`)
    return encodeURIComponent(row.found)
  }
  const pool = (protocol: string): Promise<string> => first('pool', `pool_snapshots WHERE protocol = '${protocol}'`)
  return {
    home: '/explore',
    account: `/explore/accounts/${await first('address', "position_snapshots WHERE protocol = 'blend' AND borrowed_usd > 0")}`,
    'lending pool': `/explore/pools/${await pool('blend')}`,
    'pool of an AMM': `/explore/pools/${await pool('aquarius')}`,
    protocol: '/explore/protocols/blend',
    transaction: `/explore/transactions/${await first('tx_hash', 'activities')}`,
    asset: `/explore/assets/${await first('asset', 'prices')}`,
    risk: '/explore/risk',
    index: '/explore/index',
  }
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-explorer-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  printLine(`Indexed up to ledger ${ledger}. Milliseconds after the request, ${VIEWS} views of each page; goal 1,000\n`)
  printLine(`${''.padEnd(20)}${['painted p50', 'slowest', 'whole p50', 'slowest'].map((name) => name.padStart(14)).join('')}`)
  for (const [name, path] of Object.entries(await pagesOf(orrery.ready))) {
    const views: View[] = []
    for (let n = 0; n < VIEWS; n++) views.push(await view(browser, orrery.ready, path))
    const figures = [views.map(({ painted }) => painted), views.map(({ whole }) => whole)].flatMap((values) => {
      const sorted = values.toSorted((a, b) => a - b)
      return [percentile(sorted, 0.5), sorted.at(-1) ?? 0]
    })
    printLine(`${name.padEnd(20)}${figures.map((value) => value.toFixed(0).padStart(14)).join('')}`)
  }
  await browser.close()
} finally {
  rmSync(data, { recursive: true })
}
