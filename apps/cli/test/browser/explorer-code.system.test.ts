// The one-time code of the demo: `orrery up` on a terminal prints it in the address of the explorer, which exchanges it for a key.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from './launch-chromium.ts'
import { OpenedPage } from './opened-page.ts'

const BIN = fileURLToPath(new URL('../../bin/orrery.mjs', import.meta.url))
const LINK = /(http:\/\/[\w.]+:\d+\/explore)(#code=([\w-]{22}))/
const CTRL_C = '\u0003'

const folder = mkdtempSync(join(tmpdir(), 'orrery-code-'))
let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `orrery up` with the demo, on a terminal of its own (script of util-linux). */
function upOnTerminal(data: string) {
  const command = [process.execPath, BIN, 'up', '--port', '0', '--internal-port', '0', '--data', data].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere', TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const exited = once(child, 'close')
  return {
    shown: () => shown,
    async [Symbol.asyncDispose]() {
      child.stdin.write(CTRL_C)
      await exited
    },
  }
}

it('the printed address opens the explorer with a key, once, and leaves no code behind', async () => {
  const data = join(folder, 'data')
  await using run = upOnTerminal(data)
  await expect.poll(run.shown, { timeout: 120_000, interval: 200 }).toMatch(LINK)
  const [, address = '', fragment = '', code = ''] = LINK.exec(run.shown()) ?? []
  const { origin, pathname } = new URL(address)
  // Until the first ledger is indexed each part of the page is refused, tries again, and the browser reports the refusal.
  const headers = { 'x-service-api-key': readFileSync(join(data, 'demo-key'), 'utf8').trim() }
  await expect.poll(async () => (await fetch(`${origin}/v1/pools`, { headers })).status, { timeout: 30_000 }).toBe(200)

  await using first = await OpenedPage.open(browser, origin, `${pathname}${fragment}`)
  await first.page.getByRole('heading', { name: 'DeFi on Stellar' }).waitFor()
  expect(new URL(first.page.url()).hash).toBe('')
  const key = await first.page.evaluate<string>(`sessionStorage.getItem('orrery-api-key')`)
  expect(key).toMatch(/^ory_/)
  expect(key).not.toBe(readFileSync(join(data, 'demo-key'), 'utf8').trim())
  expect(await first.page.evaluate('[localStorage.length, document.cookie, sessionStorage.length]')).toEqual([0, '', 1])
  expect(first.complaints).toEqual([])

  // A second visit, and another page of the first one: the code is in neither, and buys nothing more.
  await using second = await OpenedPage.open(browser, origin, `${pathname}${fragment}`)
  await second.page.getByText('This code is wrong, was used before, or is older than 10 minutes.').waitFor()
  await second.page.getByLabel('API key').waitFor()
  expect(await second.page.evaluate('sessionStorage.length')).toBe(0)
  expect(await second.findings()).toEqual([])
  expect(run.shown().split(code)).toHaveLength(2)
})
