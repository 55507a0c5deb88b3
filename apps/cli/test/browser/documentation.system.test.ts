// The documentation in a real browser, on the demo. ORRERY_TEST_SCREENSHOTS names a folder for pictures of every page.

import { join } from 'node:path'
import { screenshotsDir } from '@orrery/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import { fetchText } from '../truth/whole-network.ts'
import { launchChromium } from './launch-chromium.ts'
import { OpenedPage } from './opened-page.ts'

let at: Whereabouts
let browser: Browser
beforeAll(async () => {
  at = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
  browser = await launchChromium()
})
afterAll(() => browser?.close())

/** One page of each kind. */
const PAGES = [
  '/docs',
  '/docs/plain',
  '/docs/errors',
  '/docs/errors/not_found',
  '/docs/guides',
  '/docs/guides/portfolio',
  '/docs/analysts',
] as const
const WIDTHS = { phone: 375, desktop: 1_280 } as const
const LOOKS = PAGES.flatMap((path) =>
  (['light', 'dark'] as const).flatMap((scheme) => (['phone', 'desktop'] as const).map((device) => ({ path, scheme, device }))),
)

/** Opens a page; the reference is there when it has drawn its introduction, or the operation that the address names. */
async function open(path: string, scheme: 'light' | 'dark' = 'light', device: keyof typeof WIDTHS = 'desktop'): Promise<OpenedPage> {
  const viewport = { width: WIDTHS[device], height: 900 }
  const opened = await OpenedPage.open(browser, at.url, path, { colorScheme: scheme, viewport })
  if (path === '/docs') await opened.page.getByRole('heading', { name: 'Orrery', level: 1 }).waitFor()
  return opened
}

describe('every kind of page', () => {
  it.each(LOOKS)('$path on a $device, $scheme: fits its width, breaks no rule of axe, and the browser has no complaint', async (look) => {
    const { path, scheme, device } = look
    await using opened = await open(path, scheme, device)
    if (screenshotsDir !== null) {
      await opened.page.screenshot({ path: join(screenshotsDir, `${path.slice(1).replaceAll('/', '-')}-${scheme}-${device}.png`) })
    }
    expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
      findings: [],
      overflow: 0,
      complaints: [],
    })
  })

  it.each(PAGES)('the background of %s follows the colours of the system', async (path) => {
    const colours = []
    for (const scheme of ['light', 'dark'] as const) {
      await using opened = await open(path, scheme)
      const rgb: string = await opened.page.evaluate('getComputedStyle(document.body).backgroundColor')
      colours.push(Number(/\d+/.exec(rgb)?.[0]) > 127 ? 'light' : 'dark')
    }
    expect(colours).toEqual(['light', 'dark'])
  })

  it('no page may be framed, runs inline script or evaluates text', async () => {
    for (const path of PAGES) {
      const policy = (await fetch(`${at.url}${path}`)).headers.get('content-security-policy') ?? ''
      const scripts = /(?:script-src|default-src) ([^;]+)/.exec(policy.replace(/default-src 'none'; (?=script-src)/, ''))?.[1]
      expect({ path, framed: policy.includes("frame-ancestors 'none'"), scripts }).toEqual({
        path,
        framed: true,
        scripts: path === '/docs' ? "'self'" : "'none'",
      })
    }
  })
})

describe('the reference', () => {
  it('is where the root leads', async () => {
    await using opened = await OpenedPage.open(browser, at.url, '/')
    await opened.page.getByRole('heading', { name: 'Orrery', level: 1 }).waitFor()
    expect(new URL(opened.page.url()).pathname).toBe('/docs')
  })

  it('search finds an operation and leads to it', async () => {
    await using opened = await open('/docs')
    const { page } = opened
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.keyboard.type('net worth')
    await page.getByText('/v1/users/{address}/history').last().click()
    await page.waitForURL(/#tag\/positions\/GET\/v1\/users\/\{address\}\/history$/)
    await page.getByRole('heading', { name: 'Net worth of an account over time' }).waitFor()
    expect({ findings: await opened.findings(), complaints: opened.complaints }).toEqual({ findings: [], complaints: [] })
  })

  it('an operation has samples in curl, TypeScript and Python, which name this server', async () => {
    await using opened = await open('/docs#tag/health/GET/v1/health')
    const { page } = opened
    const operation = page.locator('section', { has: page.getByRole('button', { name: '(get /v1/health)' }) })
    for (const [language, text] of [
      ['curl', `curl '${at.url}/v1/health'`],
      ['TypeScript', 'orrery.service.health()'],
      ['Python', 'requests.get('],
    ] as const) {
      await operation.getByRole('button', { name: /^Change code sample language/ }).click()
      await page.getByRole('option', { name: language, exact: true }).click()
      const sample = operation.locator('code').filter({ hasText: text }).first()
      await sample.waitFor()
      expect(await sample.textContent(), language).toContain(at.url)
    }
  })

  it('a request from the page has the key and shows the real answer', async () => {
    await using opened = await open('/docs#tag/health/GET/v1/health')
    const { page } = opened
    await page.locator('input.scalar-password-input').first().fill(at.apiKey)
    await page.getByRole('button', { name: '(get /v1/health)' }).click()
    const answered = page.waitForResponse(`${at.url}/v1/health`)
    const client = page.getByRole('dialog')
    await client.getByRole('button', { name: /^Send/ }).first().click()
    const response = await answered
    expect({ status: response.status(), key: response.request().headers()['x-service-api-key'] }).toEqual({ status: 200, key: at.apiKey })
    await client.getByText('200 OK').waitFor()
    const { data } = await response.json()
    await client.getByText(`"last_sync_ledger": ${data.adapters[0].last_sync_ledger}`).first().waitFor()
    expect(opened.complaints).toEqual([])
  })
})

describe('without script', () => {
  it('the reference names the page that needs none, and errors, guides and that page are complete', async () => {
    for (const [path, text] of [
      ['/docs', 'This page needs JavaScript. <a href="/docs/plain">'],
      ['/docs/plain', '/v1/users/{address}/history'],
      ['/docs/errors/not_found', 'There is no endpoint at this path'],
      ['/docs/guides/portfolio', 'orrery.accounts.portfolio(account)'],
    ] as const) {
      await using opened = await OpenedPage.open(browser, at.url, path, { javaScriptEnabled: false })
      expect(await opened.page.content(), path).toContain(text)
      expect(opened.complaints, path).toEqual([])
    }
  })

  it('the code of a refusal is the anchor of its page', async () => {
    const refusal = (await (await fetch(`${at.url}/v1/health`)).json()) as {
      readonly error: { readonly code: string; readonly docs: string }
    }
    await using opened = await OpenedPage.open(browser, at.url, refusal.error.docs, { javaScriptEnabled: false })
    await opened.page.getByRole('heading', { name: refusal.error.code, level: 1 }).waitFor()
    await opened.page.goto(`${at.url}/docs/errors#${refusal.error.code}`)
    expect(await opened.page.locator(`#${refusal.error.code}`).count()).toBe(1)
  })
})
