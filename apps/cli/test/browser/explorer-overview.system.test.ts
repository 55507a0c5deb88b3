// What the pages of all protocols and of one show beside each protocol's value, in a real browser: lists of pools, volume, emissions, adapters.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, expectStill, settled } from './explorer.ts'

interface Pool {
  readonly name: string
  readonly protocol: string
  readonly volume_24h_usd: string | null
}

let explorer: Explorer
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const namesOf = (pools: Locator): Promise<string[]> => pools.locator('tbody td:first-child a').allTextContents()
async function poolsOf(query: string): Promise<readonly Pool[]> {
  return (await explorer.get<{ readonly pools: readonly Pool[] }>(`/v1/pools?${query}`)).pools
}

const usdShort = (usd: number): string =>
  new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency: 'USD', notation: 'compact' },
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  } as Intl.NumberFormatOptions).format(usd)

describe('a list of pools', () => {
  it.each([
    ['/explore', 'type=stable', 'Type', 'stable'],
    ['/explore', 'status=on_ice', 'Status', 'on_ice'],
    ['/explore', 'min_tvl_usd=100000', 'TVL from', '100000'],
    ['/explore/protocols/aquarius', 'type=concentrated', 'Type', 'concentrated'],
    ['/explore/protocols/aquarius', 'status=retired', 'Status', 'retired'],
    ['/explore/protocols/aquarius', 'min_tvl_usd=10000', 'TVL from', '10000'],
    ['/explore/protocols/aquarius', 'sort=volume', 'Sort by', 'volume'],
  ])('of %s with %s has the pools of the same request, and keeps the choice in its address', async (path, query, label, value) => {
    await using opened = await explorer.open(path)
    const { page } = opened
    const pools = part(page, 'Pools')
    const all = await namesOf(pools)
    await pools.getByLabel(label).selectOption(value)
    await page.waitForURL(`**${path}?${query}`)
    await settled(page)
    const protocol = path.split('/')[3]
    const expected = await poolsOf(`limit=25&${query}${protocol === undefined ? '' : `&protocol=${protocol}`}`)
    expect(await namesOf(pools)).toEqual(expected.map(({ name }) => name))
    expect(await namesOf(pools)).not.toEqual(all)
    await page.reload()
    await settled(page)
    expect(await pools.getByLabel(label).inputValue()).toBe(value)
    expect(await namesOf(pools)).toEqual(expected.map(({ name }) => name))
    await expectSound(opened)
  })

  it('is filtered by the keyboard alone', async () => {
    await using opened = await explorer.open('/explore/protocols/aquarius')
    const { page } = opened
    const type = part(page, 'Pools').getByLabel('Type')
    await type.focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL('**?type=constant_product')
    await settled(page)
    expect(await page.evaluate('document.activeElement.value')).toBe('constant_product')
  })

  it('offers the types of its protocol only, and takes no filter that the API would refuse', async () => {
    await using opened = await explorer.open('/explore/protocols/fxdao?type=lending&status=nothing&min_tvl_usd=-1&sort=name')
    const pools = part(opened.page, 'Pools')
    expect(await pools.getByLabel('Type').locator('option').allTextContents()).toEqual(['All', 'Vault', 'Staking'])
    expect(await namesOf(pools)).toEqual((await poolsOf('protocol=fxdao')).map(({ name }) => name))
    await expectSound(opened)
  })

  it('shows that no pool matches its filters', async () => {
    await using opened = await explorer.open('/explore/protocols/blend?status=frozen&min_tvl_usd=123456')
    await part(opened.page, 'Pools').getByText('No pool matches these filters.').waitFor()
    expect(await part(opened.page, 'Pools').getByLabel('TVL from').inputValue()).toBe('123456')
    await expectSound(opened)
  })
})

describe('the volume', () => {
  it.each([
    ['all protocols', '/explore', ''],
    ['one protocol', '/explore/protocols/aquarius', '&protocol=aquarius'],
  ])('of %s is the sum of the pools in one request, whose number is named', async (_, path, query) => {
    const amms = (await poolsOf(`limit=100&sort=volume${query}`)).filter(({ volume_24h_usd }) => volume_24h_usd !== null)
    const total = amms.reduce((sum, { volume_24h_usd }) => sum + Number(volume_24h_usd), 0)
    await using opened = await explorer.open(path)
    const figure = part(opened.page, 'Volume').locator('dl > div').first()
    expect(await figure.textContent()).toBe(`Volume 24\u00a0h${usdShort(total)}sum of ${amms.length} pools`)
  })

  it('is marked where the request has not all pools with a volume', async () => {
    await using opened = await explorer.open('/explore', 'light', false)
    const { page } = opened
    // As on a network with more than a hundred pools: the answer of the server, with one pool and the cursor of the next.
    await page.route('**/v1/pools?limit=100&sort=volume', async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, data: { pools: answer.data.pools.slice(0, 1), next_cursor: 'next' } } })
    })
    await page.getByLabel('API key').fill(explorer.at.apiKey)
    await page.keyboard.press('Enter')
    await part(page, 'Volume').getByText('not all: 1 pool with the most').waitFor()
  })

  it('of a protocol without AMMs does not exist', async () => {
    await using opened = await explorer.open('/explore/protocols/blend')
    await part(opened.page, 'Volume').getByText('No pool of this protocol is an AMM').waitFor()
  })
})

describe('the card of a protocol', () => {
  it.each(EVERY_LOOK)('%s: has the emissions, the sources of the value and the SQL of its series', async (look) => {
    interface Emission {
      readonly supply_tokens_per_second: string
      readonly borrow_tokens_per_second: string
    }
    const { pools } = await explorer.get<{ readonly pools: readonly { readonly assets: readonly Emission[] }[] }>(
      '/v1/protocols/blend/emissions',
    )
    const perSecond = pools
      .flatMap(({ assets }) => assets)
      .reduce((sum, one) => sum + Number(one.supply_tokens_per_second) + Number(one.borrow_tokens_per_second), 0)
    await using opened = await explorer.open('/explore', look)
    const card = opened.page.locator('.card').filter({ has: opened.page.getByRole('link', { name: 'Blend', exact: true }) })
    await card.getByText(`Emissions: ${perSecond.toPrecision(4)} BLND per second`).waitFor()
    await card.getByText(/As of ledger .* · Sources: clickhouse, oracle .* · Oldest price in this answer: 10 minutes old/).waitFor()
    await expectStill(opened)
    await card.getByText('Show SQL').click()
    await card.getByText('protocol_tvl_by_day', { exact: true }).waitFor()
    await expectSound(opened)
  })

  it('of a protocol that pays nothing says so', async () => {
    await using opened = await explorer.open('/explore')
    const card = opened.page.locator('.card').filter({ has: opened.page.getByRole('link', { name: 'Soroswap', exact: true }) })
    await card.getByText('No emissions now').waitFor()
  })
})

describe('the adapter of a protocol', () => {
  it('is shown with its status and how far it is', async () => {
    await using opened = await explorer.open('/explore/protocols/blend')
    const text = (await part(opened.page, 'Adapter').locator('dl').textContent()) ?? ''
    expect(text).toContain('StatusHealthyat most a minute behind its source')
    expect(text).toContain('Behind its source0 ledgersno lag')
  })

  it('that does not work is shown with the meaning of its status and its error', async () => {
    await using opened = await explorer.open('/explore', 'light', false)
    const { page } = opened
    await page.route('**/v1/index', async (route) => {
      const answer = await (await route.fetch()).json()
      const adapters = answer.data.adapters.map((one: { readonly adapter: object; readonly partitions: readonly object[] }) => ({
        ...{ ...one, lag_ledgers: 120, lag_seconds: 600 },
        adapter: { ...one.adapter, status: 'stalled', error: 'Partition 0: slow disk' },
        partitions: one.partitions.map((partition, n) => (n === 0 ? { ...partition, status: 'stalled' } : partition)),
      }))
      await route.fulfill({ json: { ...answer, data: { ...answer.data, adapters } } })
    })
    await page.getByLabel('API key').fill(explorer.at.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Blend', exact: true }).first().click()
    await page.waitForURL('**/explore/protocols/blend')
    await settled(page)
    const adapter = part(page, 'Adapter')
    const text = (await adapter.textContent()) ?? ''
    expect(text).toContain('StatusStalledno progress or report for a minute')
    expect(text).toContain('120 ledgers10 minutes')
    expect(text).toContain('1 not healthy')
    await adapter.getByText('Partition 0: slow disk').waitFor()
    await expectSound(opened)
  })
})
