// The explorer in a real browser, on the demo. ORRERY_TEST_SCREENSHOTS names a folder for pictures of every page.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screenshotsDir } from '@orrery/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import { fetchText } from '../truth/whole-network.ts'
import { launchChromium } from './launch-chromium.ts'
import { OpenedPage } from './opened-page.ts'

let at: Whereabouts
let browser: Browser
let addresses: Readonly<Record<string, string>>
beforeAll(async () => {
  at = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
  browser = await launchChromium()
  addresses = await findAddresses()
})
afterAll(() => browser?.close())

/** One page of each kind, and of each type of pool. */
const PAGES = [
  'home',
  'account',
  'lending pool',
  'concentrated pool',
  'stable pool',
  'vaults',
  'staking pool',
  'protocol',
  'protocol without emissions',
  'transaction',
  'asset',
  'asset without a price',
  'ledger',
  'index',
  'search',
  'unknown address',
] as const
type PageName = (typeof PAGES)[number]

const LOOKS = {
  light: { colorScheme: 'light', width: 1_280 },
  dark: { colorScheme: 'dark', width: 1_280 },
  phone: { colorScheme: 'light', width: 360 },
} as const
type Look = keyof typeof LOOKS

async function get<Data>(path: string): Promise<Data> {
  const response = await fetch(`${at.url}${path}`, { headers: { 'x-service-api-key': at.apiKey } })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return ((await response.json()) as { readonly data: Data }).data
}

async function findAddresses(): Promise<Record<PageName, string>> {
  const { pools } = await get<{ readonly pools: readonly { readonly pool_id: string; readonly type: string }[] }>('/v1/pools?limit=100')
  const { assets } = await get<{
    readonly assets: readonly { readonly asset_id: string; readonly symbol: string; readonly price_usd: string | null }[]
  }>('/v1/assets?limit=100')
  const { positions } = await get<{ readonly positions: readonly { readonly address: string }[] }>(
    '/v1/protocols/blend/accounts?limit=100&sort=borrowed_usd',
  )
  const account = positions.find(({ address }) => address.startsWith('G'))?.address
  const { actions } = await get<{ readonly actions: readonly { readonly tx_hash: string; readonly ledger: number }[] }>(
    `/v1/users/${account}/actions?limit=1`,
  )
  const pool = (type: string): string => `/explore/pools/${encodeURIComponent(pools.find((one) => one.type === type)?.pool_id ?? '')}`
  return {
    home: '/explore',
    account: `/explore/accounts/${account}`,
    'lending pool': pool('lending'),
    'concentrated pool': pool('concentrated'),
    'stable pool': pool('stable'),
    vaults: pool('vault'),
    'staking pool': pool('staking'),
    protocol: '/explore/protocols/blend',
    'protocol without emissions': '/explore/protocols/soroswap',
    transaction: `/explore/transactions/${actions[0]?.tx_hash}`,
    asset: `/explore/assets/${assets.find(({ symbol }) => symbol === 'XLM')?.asset_id}`,
    'asset without a price': `/explore/assets/${assets.find(({ price_usd }) => price_usd === null)?.asset_id}`,
    ledger: `/explore/ledgers/${actions[0]?.ledger}`,
    index: '/explore/index',
    search: '/explore/search?q=usd',
    'unknown address': '/explore/nothing',
  }
}

/** Adds up how far parts of the page move by themselves, as Chromium measures it (cumulative layout shift). */
const MEASURE_SHIFT = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })`
/** What the authors of the measure call good. */
const MOST_SHIFT = 0.1
/** Pages with parts that may be empty, short or long, which no page knows before the answer. */
const UNEVEN: ReadonlySet<PageName> = new Set(['transaction', 'staking pool', 'asset without a price', 'search'])

/** Opens an address of the explorer with the key in the session, and waits until every part of the page has its answer. */
async function open(path: string, look: Look = 'light', hasKey = true): Promise<OpenedPage> {
  const { colorScheme, width } = LOOKS[look]
  const options = { colorScheme, viewport: { width, height: 900 }, locale: 'en-US', timezoneId: 'UTC', acceptDownloads: true }
  const keyScript = hasKey ? `sessionStorage.setItem('orrery-api-key', ${JSON.stringify(at.apiKey)})` : ''
  const opened = await OpenedPage.open(browser, at.url, path, options, `${MEASURE_SHIFT}\n${keyScript}`)
  await settled(opened.page)
  return opened
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The policy of the page lets no text be evaluated in it, so the test counts from outside.
  await expect.poll(() => page.locator('[aria-busy=true], .line, .previous').count(), { interval: 50 }).toBe(0)
}

describe('every page', () => {
  const looks = PAGES.flatMap((name) => (Object.keys(LOOKS) as Look[]).map((look) => ({ name, look })))

  it.each(looks)(
    '$name, $look: fits its width, hardly moves while it loads, breaks no rule of axe, and the browser has no complaint',
    async ({ name, look }) => {
      await using opened = await open(addresses[name] ?? '', look)
      if (screenshotsDir !== null) {
        // Charts are drawn after their script is loaded.
        await opened.page.waitForLoadState('networkidle')
        await opened.page.screenshot({ path: join(screenshotsDir, `explore-${name.replaceAll(' ', '-')}-${look}.png`), fullPage: true })
      }
      if (!UNEVEN.has(name)) expect(await opened.page.evaluate('window.shift')).toBeLessThan(MOST_SHIFT)
      expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
        findings: [],
        overflow: 0,
        complaints: [],
      })
    },
  )

  it.each(Object.keys(LOOKS) as Look[])('the page that asks for the key, %s', async (look) => {
    await using opened = await open('/explore', look, false)
    expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
      findings: [],
      overflow: 0,
      complaints: [],
    })
  })

  it('has a title of its own', async () => {
    const titles = new Set<string>()
    for (const name of PAGES) {
      await using opened = await open(addresses[name] ?? '')
      titles.add(await opened.page.title())
    }
    expect(titles.size).toBe(PAGES.length)
  })

  it('a chart is drawn, and has its values as a table', async () => {
    await using opened = await open(addresses.account ?? '')
    const figure = opened.page.getByRole('figure').first()
    await figure.locator('canvas').waitFor()
    await figure.getByText('Values as a table').click()
    expect(await figure.getByRole('row').count()).toBeGreaterThan(20)
    expect({ findings: await opened.findings(), complaints: opened.complaints }).toEqual({ findings: [], complaints: [] })
  })
})

describe('a visit', () => {
  it('goes from the key to an account, its pool and its transaction', async () => {
    await using opened = await open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill(at.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'DeFi on Stellar' }).waitFor()
    await settled(page)
    expect(await page.getByRole('row').count()).toBeGreaterThan(20)

    const account = addresses.account?.split('/').at(-1) ?? ''
    await page.keyboard.press('/')
    await page.keyboard.type(account)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/explore/accounts/${account}`)
    await settled(page)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')

    await page.locator('a[href^="/explore/pools/"]').first().click()
    await page.waitForURL('**/explore/pools/*')
    await settled(page)
    await page.getByRole('heading', { name: 'Composition' }).waitFor()

    await page.goBack()
    await settled(page)
    const sentence = page.locator('a[href^="/explore/transactions/"]').first()
    const text = (await sentence.textContent()) ?? ''
    await sentence.click()
    await page.waitForURL('**/explore/transactions/*')
    await settled(page)
    await page.locator('.sentences').getByText(text).waitFor()
    expect(opened.complaints).toEqual([])
  })

  it.each([
    ['a pool', 'lending pool', /\/explore\/pools\/C/],
    ['an asset', 'asset', /\/explore\/assets\/C/],
  ] as const)('a search for the contract of %s opens its page', async (_, name, target) => {
    await using opened = await open('/explore')
    await opened.page.getByRole('searchbox').fill(addresses[name]?.split('/').at(-1) ?? '')
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(target)
    await settled(opened.page)
    expect(opened.complaints).toEqual([])
  })

  it('a search for a symbol opens the asset', async () => {
    await using opened = await open('/explore')
    await opened.page.getByRole('searchbox').fill('xlm')
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(`**${addresses.asset}`)
  })

  it('the filter and the order of pools are in the address, and the next page follows the cursor', async () => {
    await using opened = await open('/explore')
    const { page } = opened
    const pools = page.getByRole('region', { name: 'Pools', exact: true })
    const first = await pools.getByRole('row').nth(1).textContent()
    await pools.getByRole('button', { name: 'Next' }).click()
    await settled(page)
    expect(await pools.getByRole('row').nth(1).textContent()).not.toBe(first)
    await pools.getByLabel('Protocol').selectOption('soroswap')
    await pools.getByLabel('Sort by').selectOption('volume')
    await page.waitForURL('**/explore?protocol=soroswap&sort=volume')
    await settled(page)
    await page.reload()
    await settled(page)
    expect(await pools.getByLabel('Protocol').inputValue()).toBe('soroswap')
  })

  it('the request of a part is shown for curl and TypeScript without the key, and curl gets the same answer', async () => {
    await using opened = await open(addresses.account ?? '')
    const block = opened.page.getByRole('region', { name: 'Actions', exact: true })
    await block.getByText('Show request').click()
    await block.getByText(/curl -H/).waitFor()
    const [curl = '', typescript = ''] = await block.locator('pre').allTextContents()
    expect(`${curl}${typescript}`).not.toContain(at.apiKey)
    expect(typescript).toContain('orrery.accounts.actions(')
    const url = /'(http[^']+)'/.exec(curl)?.[1] ?? ''
    expect(url.startsWith(`${at.url}/v1/users/`)).toBe(true)
    const { actions } = await get<{ readonly actions: readonly { readonly summary: string }[] }>(url.slice(at.url.length))
    expect(await block.locator('tbody tr').count()).toBe(actions.length)
    expect(await block.locator('tbody tr').first().textContent()).toContain(actions[0]?.summary)
  })

  it('the actions are saved as CSV', async () => {
    await using opened = await open(addresses.account ?? '')
    const saving = opened.page.waitForEvent('download')
    await opened.page.getByRole('button', { name: 'Download CSV' }).click()
    const file = readFileSync(await (await saving).path(), 'utf8')
    expect(file.split('\r\n')[0]).toContain('summary')
    expect(opened.complaints).toEqual([])
  })

  it('an answer that lacks something is marked, with the reason', async () => {
    await using opened = await open(addresses['protocol without emissions'] ?? '')
    await opened.page.goto(`${at.url}/explore/protocols/fxdao`)
    await settled(opened.page)
    await opened.page.getByText('Partial').first().waitFor()
    await opened.page.getByText('unpriced_asset').first().waitFor()
  })
})

describe('a request that fails', () => {
  it('leaves the rest of the page, and is repeated by its button', async () => {
    await using opened = await open('/explore')
    const { page } = opened
    await page.route('**/v1/pools?**', (route) => route.fulfill({ status: 500, body: 'broken' }))
    await page.reload()
    await settled(page)
    const pools = page.getByRole('region', { name: 'Pools', exact: true })
    await pools.getByRole('alert').waitFor()
    expect(await page.locator('.card').count()).toBe(4)
    expect(await opened.findings()).toEqual([])
    await page.unroute('**/v1/pools?**')
    await pools.getByRole('button', { name: 'Try again' }).click()
    await pools.getByRole('row').nth(1).waitFor()
  })

  it('about an account without positions shows that there are none', async () => {
    await using opened = await open('/explore/accounts/GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF')
    await opened.page.getByText('This account has no position').waitFor()
    await opened.page.getByText('This account did nothing').waitFor()
    expect({ findings: await opened.findings(), complaints: opened.complaints }).toEqual({ findings: [], complaints: [] })
  })
})

describe('a key', () => {
  it('that the API refuses is not kept, and the page asks for another one', async () => {
    await using opened = await open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill('ory_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The API refused this key.').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(await opened.findings()).toEqual([])
  })

  it('is removed from the tab by the button of the bar', async () => {
    await using opened = await open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill(at.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forget key' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})
