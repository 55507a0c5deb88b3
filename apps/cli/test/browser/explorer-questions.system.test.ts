// What a user of the explorer asks beyond what the pages show: other prices, and the statements behind a series.

import { join } from 'node:path'
import { screenshotsDir } from '@orrery/testkit'
import type { Browser, Locator } from 'playwright-core'
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

async function get<Data>(path: string): Promise<Data> {
  const response = await fetch(`${at.url}${path}`, { headers: { 'x-service-api-key': at.apiKey } })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return ((await response.json()) as { readonly data: Data }).data
}

async function open(path: string, width = 1_280): Promise<OpenedPage> {
  const options = { viewport: { width, height: 900 }, locale: 'en-US', timezoneId: 'UTC' }
  const opened = await OpenedPage.open(
    browser,
    at.url,
    path,
    options,
    `sessionStorage.setItem('orrery-api-key', ${JSON.stringify(at.apiKey)})`,
  )
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

async function shot(part: Locator, name: string): Promise<void> {
  if (screenshotsDir !== null) await part.screenshot({ path: join(screenshotsDir, `explore-${name}.png`) })
}

describe('the SQL of a series', () => {
  it.each([1_280, 360])('is shown with the parameters of the series, and gives an analyst its rows, at %d pixels', async (width) => {
    const { pools } = await get<{ readonly pools: readonly { readonly pool_id: string }[] }>('/v1/pools?protocol=blend&limit=1')
    const pool = pools[0]?.pool_id ?? ''
    await using opened = await open(`/explore/pools/${pool}`, width)
    const block = opened.page
      .getByRole('region')
      .filter({ has: opened.page.getByText('Show SQL') })
      .first()
    await block.getByText('Show SQL').click()
    // Each statement is asked for alone, so the second may be there before the first.
    for (const name of ['pool_history', 'pool_reserve_history']) await block.getByText(name, { exact: true }).waitFor()
    const [text = ''] = await block.locator('pre').allTextContents()
    const [, query = '', sql = ''] = /^curl "\$CLICKHOUSE_URL\/\?(\S+)" --data-binary @- <<'SQL'\n([\s\S]+)\nSQL$/.exec(text) ?? []
    expect(new URLSearchParams(query).get('param_pool')).toBe(pool)
    await shot(block, `sql-${width}`)
    expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
      findings: [],
      overflow: 0,
      complaints: [],
    })

    if (at.clickhouseUrl === null) return
    const { origin, username, password } = new URL(at.clickhouseUrl)
    const body = sql.replace('FORMAT PrettyCompact', 'FORMAT JSONEachRow')
    const authorization = `Basic ${btoa(`${username}:${password}`)}`
    const answer = await fetch(`${origin}/?${query}`, { method: 'POST', body, headers: { authorization } })
    expect(answer.status).toBe(200)
    const rows = (await answer.text()).trim().split('\n')
    const { points } = await get<{ readonly points: readonly unknown[] }>(`/v1/pools/${pool}/history?range=30d`)
    expect(Math.abs(rows.length - points.length)).toBeLessThanOrEqual(1)
  })
})

/** With two fractional digits, so that a health factor below 1 never looks like 1. */
const roundedDown = (factor: string): string => /^\d+\.\d\d/.exec(`${factor}${factor.includes('.') ? '' : '.'}00`)?.[0] ?? ''

describe('other prices', () => {
  interface Position {
    readonly pool: {
      readonly health_factor: string
      readonly borrow: readonly { readonly asset_address: string; readonly symbol: string }[]
    }
  }

  it.each([1_280, 360])('sliders show the health factor that the API computes, and reset restores it, at %d pixels', async (width) => {
    const { positions } = await get<{
      readonly positions: readonly { readonly address: string; readonly pool_id: string; readonly pool_name: string }[]
    }>('/v1/protocols/blend/accounts?limit=100&sort=borrowed_usd')
    const { address, pool_id } = positions.find((one) => one.address.startsWith('G')) ?? { address: '', pool_id: '' }
    const path = `/v1/users/${address}/positions/blend/${pool_id}`
    const { pool: before } = await get<Position>(path)
    const debt = before.borrow[0] ?? { asset_address: '', symbol: '' }

    await using opened = await open(`/explore/accounts/${address}`, width)
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('prices=') && asked.push(request.url()))
    const { name } = await get<{ readonly name: string }>(`/v1/pools/${pool_id}`)
    const block = page.locator('.what-if').filter({ has: page.getByText(`What if prices change: ${name}`, { exact: true }) })
    await block.locator('summary').first().click()
    const slider = block.getByLabel(`Price of ${debt.symbol}`)
    await slider.waitFor()
    const shown = block.locator('dt:has-text("Health factor") + dd .value')
    expect(await shown.textContent()).toContain(roundedDown(before.health_factor))
    expect(await block.getByRole('button', { name: 'Reset prices' }).isDisabled()).toBe(true)

    // Steps with the keyboard that follow each other are one request; a busy machine may pause between them.
    await slider.focus()
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await expect
      .poll(async () => {
        const { pathname, search } = new URL(asked.at(-1) ?? '')
        expect(decodeURIComponent(search)).toMatch(new RegExp(`^\\?prices=${debt.asset_address}:[0-9.]+$`))
        const { pool: after } = await get<Position>(pathname + search)
        const isWorse = Number(after.health_factor) < Number(before.health_factor)
        return isWorse && (await shown.textContent())?.includes(roundedDown(after.health_factor))
      })
      .toBe(true)
    expect(asked.length).toBeLessThan(20)
    await block.getByText('Given prices').waitFor()
    await shot(block, `what-if-${width}`)
    expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
      findings: [],
      overflow: 0,
      complaints: [],
    })

    // The address has them too.
    const percent = await slider.inputValue()
    expect(new URL(page.url()).searchParams.get(`what_if.${pool_id}`)).toBe(`${debt.asset_address}:${percent}`)
    const changed = await shown.textContent()
    await page.reload()
    await slider.waitFor()
    expect(await slider.inputValue()).toBe(percent)
    await expect.poll(() => shown.textContent()).toBe(changed)

    await block.getByRole('button', { name: 'Reset prices' }).click()
    await expect.poll(() => shown.textContent()).toContain(roundedDown(before.health_factor))
    expect(asked.length).toBeLessThan(20)
    await expect.poll(() => new URL(page.url()).searchParams.get(`what_if.${pool_id}`)).toBe('')
    await block.locator('summary').first().click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })
})
