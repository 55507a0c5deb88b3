// Visits of the explorer in a real browser: from page to page, searches, lists, requests that fail, and keys.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Explorer, expectSound, settled } from './explorer.ts'

let explorer: Explorer
let account: string
let addresses: Readonly<Record<'account' | 'lending pool' | 'asset' | 'protocol without emissions', string>>
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  account = await explorer.account()
  const { assets } = await explorer.get<{ readonly assets: readonly { readonly asset_id: string; readonly symbol: string }[] }>(
    '/v1/assets?limit=100',
  )
  addresses = {
    account: `/explore/accounts/${account}`,
    'lending pool': await explorer.pool('lending'),
    asset: `/explore/assets/${assets.find(({ symbol }) => symbol === 'XLM')?.asset_id}`,
    'protocol without emissions': '/explore/protocols/soroswap',
  }
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

describe('a visit', () => {
  it('goes from the key to an account, its pool and its transaction', async () => {
    await using opened = await explorer.open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill(explorer.at.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'DeFi on Stellar' }).waitFor()
    await settled(page)
    expect(await page.getByRole('row').count()).toBeGreaterThan(20)

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
    await using opened = await explorer.open('/explore')
    await opened.page.getByRole('searchbox').fill(addresses[name].split('/').at(-1) ?? '')
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(target)
    await settled(opened.page)
    expect(opened.complaints).toEqual([])
  })

  it('a search for a symbol opens the asset', async () => {
    await using opened = await explorer.open('/explore')
    await opened.page.getByRole('searchbox').fill('xlm')
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(`**${addresses.asset}`)
  })

  it('the filter and the order of pools are in the address, and the next page follows the cursor', async () => {
    await using opened = await explorer.open('/explore')
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
    await using opened = await explorer.open(addresses.account)
    const block = opened.page.getByRole('region', { name: 'Actions', exact: true })
    await block.getByText('Show request').click()
    await block.getByText(/curl -H/).waitFor()
    const [curl = '', typescript = ''] = await block.locator('pre').allTextContents()
    expect(`${curl}${typescript}`).not.toContain(explorer.at.apiKey)
    expect(typescript).toContain('orrery.accounts.actions(')
    const url = /'(http[^']+)'/.exec(curl)?.[1] ?? ''
    expect(url.startsWith(`${explorer.at.url}/v1/users/`)).toBe(true)
    const { actions } = await explorer.get<{ readonly actions: readonly { readonly summary: string }[] }>(url.slice(explorer.at.url.length))
    expect(await block.locator('tbody tr').count()).toBe(actions.length)
    expect(await block.locator('tbody tr').first().textContent()).toContain(actions[0]?.summary)
  })

  it('the actions are saved as CSV', async () => {
    await using opened = await explorer.open(addresses.account)
    const saving = opened.page.waitForEvent('download')
    await opened.page.getByRole('button', { name: 'Download CSV' }).click()
    const file = readFileSync(await (await saving).path(), 'utf8')
    expect(file.split('\r\n')[0]).toContain('summary')
    expect(opened.complaints).toEqual([])
  })

  it('an answer that lacks something is marked, with the reason', async () => {
    await using opened = await explorer.open(addresses['protocol without emissions'])
    await opened.page.goto(`${explorer.at.url}/explore/protocols/fxdao`)
    await settled(opened.page)
    await opened.page.getByText('Partial').first().waitFor()
    await opened.page.getByText('Unpriced asset').first().waitFor()
  })
})

describe('a request that fails', () => {
  it('leaves the rest of the page, and is repeated by its button', async () => {
    await using opened = await explorer.open('/explore')
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
    await using opened = await explorer.open('/explore/accounts/GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF')
    await opened.page.getByText('This account has no position').waitFor()
    await opened.page.getByText('This account did nothing').waitFor()
    await expectSound(opened)
  })
})

describe('a key', () => {
  it('that the API refuses is not kept, and the page asks for another one', async () => {
    await using opened = await explorer.open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill('ory_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The API refused this key.').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(await opened.findings()).toEqual([])
  })

  it('is removed from the tab by the button of the bar', async () => {
    await using opened = await explorer.open('/explore', 'light', false)
    const { page } = opened
    await page.getByLabel('API key').fill(explorer.at.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forget key' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})
