// Live activities and the search over all assets, in a real browser.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, picture, settled } from './explorer.ts'

let explorer: Explorer
let account: string
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  account = await explorer.account()
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

/** Answers streams with an activity of the account and its ledger, and then ends the connection. Returns the requests, which are added to. */
async function streamOf(page: Page): Promise<URL[]> {
  const { activities } = await explorer.get<{ readonly activities: readonly { readonly ledger: number; readonly timestamp: string }[] }>(
    `/v1/users/${account}/activities?limit=1`,
  )
  const [activity] = activities
  const { ledger, timestamp } = activity ?? { ledger: 0, timestamp: '' }
  const asked: URL[] = []
  const body = [
    `id: ${ledger}/activity/1\nevent: activity\ndata: ${JSON.stringify(activity)}\n\n`,
    `id: ${ledger}\nevent: ledger\ndata: ${JSON.stringify({ ledger, partial: false, timestamp })}\n\n`,
  ].join('')
  await page.route('**/v1/stream?**', (route) => {
    asked.push(new URL(route.request().url()))
    return route.fulfill({ status: 200, headers: { 'content-type': 'text/event-stream' }, body })
  })
  return asked
}

const setVisibility = (page: Page, state: 'visible' | 'hidden'): Promise<unknown> =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

describe('live activities', () => {
  it('are requested only after a click, and the API opens the stream', async () => {
    await using opened = await explorer.open(`/explore/accounts/${account}`)
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/stream')) asked.push(request.url())
    })
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    const response = page.waitForResponse('**/v1/stream?**')
    const button = page.getByRole('button', { name: 'Follow live' })
    await button.click()
    expect((await response).status()).toBe(200)
    expect(new URL((await response).url()).searchParams.get('addresses')).toBe(account)
    await page.getByText('Following. No new ledger has come yet.').waitFor()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    await button.click()
    await page.getByText('Shows new activity as soon as it is indexed.').waitFor()
    await expectSound(opened)
  })

  it.each(EVERY_LOOK)('%s: stand once in the list, also where they come again after a lost connection', async (look) => {
    await using opened = await explorer.open(`/explore/accounts/${account}`, look)
    const { page } = opened
    const asked = await streamOf(page)
    const live = page.getByRole('region', { name: 'Live', exact: true })
    await live.getByRole('button', { name: 'Follow live' }).click()
    await live.getByText('Everything up to ledger').waitFor()
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    expect(await live.locator('tbody tr').count()).toBe(1)
    await expectSound(opened)
    await live.getByRole('button', { name: 'Follow live' }).click()
    await picture(page, 'account with live', look)
  })

  it('pause while the tab is hidden, and go on where they were', async () => {
    await using opened = await explorer.open('/explore/protocols/blend')
    const { page } = opened
    const asked = await streamOf(page)
    const live = page.getByRole('region', { name: 'Live', exact: true })
    await live.getByRole('button', { name: 'Follow live' }).click()
    await live.getByText('Everything up to ledger').waitFor()
    expect(asked[0]?.searchParams.get('protocols')).toBe('blend')
    await setVisibility(page, 'hidden')
    await live.getByText('Paused while the tab is hidden').waitFor()
    const before = asked.length
    const again = page.waitForRequest('**/v1/stream?**')
    await setVisibility(page, 'visible')
    expect((await again).headers()['last-event-id']).toMatch(/^\d+$/)
    expect(asked.length).toBeGreaterThanOrEqual(before)
  })

  it('that are refused are named with the reason, and can be tried again', async () => {
    await using opened = await explorer.open(`/explore/accounts/${account}`)
    const { page } = opened
    const error = { code: 'invalid_parameter', message: 'The stream is refused.', docs: '/docs/errors/invalid_parameter' }
    await page.route('**/v1/stream?**', (route) => route.fulfill({ status: 400, json: { error, meta: {} } }))
    const live = page.getByRole('region', { name: 'Live', exact: true })
    await live.getByRole('button', { name: 'Follow live' }).click()
    await live.getByRole('alert').getByText('The stream is refused.').waitFor()
    expect(await opened.findings()).toEqual([])
    await page.unroute('**/v1/stream?**')
    await live.getByRole('button', { name: 'Try again' }).click()
    await live.getByText('Following. No new ledger has come yet.').waitFor()
  })

  it('have no part in a page of a past ledger', async () => {
    await using opened = await explorer.open(`/explore/accounts/${account}?ledger=1003000`)
    expect(await opened.page.getByRole('button', { name: 'Follow live' }).count()).toBe(0)
  })
})

describe('the search', () => {
  it('goes through all pages of the lists', async () => {
    await using opened = await explorer.open('/explore')
    const { page } = opened
    // Pages of two items, as if the index had many more assets and pools.
    const sizes = { assets: 0, pools: 0 }
    await page.route(/\/v1\/(assets|pools)\?/, async (route) => {
      const url = new URL(route.request().url())
      sizes[url.pathname.endsWith('assets') ? 'assets' : 'pools'] += 1
      url.searchParams.set('limit', '2')
      await route.continue({ url: url.href })
    })
    await page.getByRole('searchbox').fill('usd')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore/search?q=usd')
    await settled(page)
    const { assets } = await explorer.get<{ readonly assets: readonly { readonly symbol: string }[] }>('/v1/assets?limit=100')
    const named = assets.filter(({ symbol }) => symbol.toLowerCase().includes('usd'))
    expect(await page.getByRole('region', { name: 'Assets', exact: true }).locator('tbody tr').count()).toBe(named.length)
    expect(sizes.assets).toBe(Math.ceil(assets.length / 2))
    expect(sizes.pools).toBeGreaterThan(2)
    expect(opened.complaints).toEqual([])
  })
})
