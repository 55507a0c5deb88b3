// What only some pools have, and the ranges of charts, in a real browser.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, picture, settled } from './explorer.ts'

interface Auction {
  readonly address: string
}
interface Pool {
  readonly pool_id: string
  readonly metadata: { readonly auctions: readonly Auction[] }
}

let explorer: Explorer
/** Page of a lending pool with an open auction. */
let auctioned: string
let auctions: readonly Auction[]
let concentrated: string
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  concentrated = await explorer.pool('concentrated')
  const { pools } = await explorer.get<{ readonly pools: readonly { readonly pool_id: string }[] }>('/v1/pools?type=lending&limit=100')
  for (const { pool_id } of pools) {
    const pool = await explorer.get<Pool>(`/v1/pools/${pool_id}`)
    if (pool.metadata.auctions.length === 0) continue
    auctioned = `/explore/pools/${pool_id}`
    auctions = pool.metadata.auctions
  }
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

describe('a lending pool', () => {
  it.each(EVERY_LOOK)('%s: shows its open auctions with the parts that a filler moves now, and the earlier ones', async (look) => {
    await using opened = await explorer.open(auctioned, look)
    const { page } = opened
    await picture(page, 'pool with an auction', look)
    const open = page.getByRole('region', { name: 'Open auctions', exact: true })
    expect(await open.locator('tbody tr').count()).toBe(auctions.length)
    expect(await open.locator('tbody tr').first().textContent()).toMatch(/Bad debt.*\d+\.\d\d%.*dTokens/)
    const earlier = page.getByRole('region', { name: 'Auctions and liquidations', exact: true })
    const types = await earlier.locator('tbody td[data-title=What]').allTextContents()
    expect(types.length).toBeGreaterThan(5)
    expect(types.filter((type) => !['Auction', 'Liquidation', 'Bad debt'].includes(type))).toEqual([])
    await expectSound(opened)
  })

  it('shows the interest curve of each reserve with its present utilization', async () => {
    await using opened = await explorer.open(auctioned)
    const interest = opened.page.getByRole('region', { name: 'Interest', exact: true })
    const rows = await interest.locator('tbody tr').count()
    expect(await interest.getByRole('img').count()).toBe(rows)
    expect(await interest.locator('.plot-dot').count()).toBe(rows)
    const [label] = await interest.getByRole('img').evaluateAll((images) => images.map((image) => image.getAttribute('aria-label')))
    expect(label).toMatch(/^Interest of debts in \w+: [\d.]+% at a utilization of [\d.]+%; target [\d.]+%$/)
  })

  it('shows its largest positions, or the riskiest', async () => {
    await using opened = await explorer.open(auctioned)
    const { page } = opened
    const positions = page.getByRole('region', { name: 'Top positions', exact: true })
    const first = await positions.locator('tbody tr').first().textContent()
    await positions.getByLabel('Sort by').selectOption('health_factor')
    await settled(page)
    const riskiest = await positions.locator('tbody tr').first().textContent()
    expect(riskiest).not.toBe(first)
    await page.waitForURL('**?sort=health_factor')
    await page.reload()
    await settled(page)
    expect(await positions.locator('tbody tr').first().textContent()).toBe(riskiest)
    expect(await positions.locator('tbody tr').nth(0).textContent()).toContain('Blend v2 backstop')
    expect(await positions.locator('tbody tr').nth(0).textContent()).toContain('Bad debt')
    expect(await positions.locator('tbody tr').nth(1).textContent()).toContain('Liquidation possible')
    await expectSound(opened)
  })

  it('has the yields of each reserve over time', async () => {
    await using opened = await explorer.open(auctioned)
    const { page } = opened
    const charts = page.getByRole('region', { name: 'Over time', exact: true })
    await expect.poll(() => charts.locator('figcaption').allTextContents()).toHaveLength(4)
    const before = await charts.locator('figcaption').allTextContents()
    await charts.getByLabel('Yields of').selectOption({ index: 1 })
    await expect.poll(async () => (await charts.locator('figcaption').allTextContents()).join()).not.toBe(before.join())
    const after = await charts.locator('figcaption').allTextContents()
    await page.waitForURL('**?asset=C*')
    await page.reload()
    await settled(page)
    await expect.poll(() => charts.locator('figcaption').allTextContents()).toEqual(after)
    await charts.getByLabel('Yields of').selectOption({ index: 0 })
    await page.waitForURL(`**${auctioned}`)
    await expectSound(opened)
  })
})

describe('a concentrated pool', () => {
  it.each(EVERY_LOOK)('%s: shows its liquidity around the price, and its ticks as a table', async (look) => {
    await using opened = await explorer.open(concentrated, look)
    const { page } = opened
    const liquidity = page.getByRole('region', { name: 'Liquidity by price', exact: true })
    expect(await liquidity.locator('.plot-bar.now').count()).toBe(1)
    expect(await liquidity.locator('.plot-bar').count()).toBeGreaterThan(5)
    await liquidity.getByText('Ticks as a table').click()
    const { metadata } = await explorer.get<{ readonly metadata: { readonly concentrated: { readonly ticks: readonly unknown[] } } }>(
      concentrated.replace('/explore/', '/v1/'),
    )
    expect(await liquidity.locator('tbody tr').count()).toBe(metadata.concentrated.ticks.length)
    await expectSound(opened)
  })

  it('volume and yields have the range of the address', async () => {
    await using opened = await explorer.open(`${concentrated}?range=24h`)
    const { page } = opened
    const volume = page.getByRole('region', { name: 'Over time', exact: true }).getByRole('figure').filter({ hasText: 'Volume:' })
    await volume.getByText('Values as a table').click()
    expect(await volume.getByRole('row').count()).toBe(26) // 25 hours, of which the first and the last are cut, and the head
    await page.getByRole('radio', { name: '90 d' }).check()
    await page.waitForURL('**?range=90d')
    await settled(page)
    await volume.getByText('Values as a table').click()
    await expect.poll(() => volume.getByRole('row').count()).toBeGreaterThan(40)
    await expectSound(opened)
  })
})

describe('a pool without any price', () => {
  it('has no value, instead of a value of 0', async () => {
    await using opened = await explorer.open(await explorer.pool('staking'))
    const { page } = opened
    await page.getByText('no token has a price').waitFor()
    await page.getByText('No token of this pool has a price, so there is no value to draw.').waitFor()
    const values = await page.getByRole('region', { name: 'Top positions', exact: true }).locator('tbody td:last-child').allTextContents()
    expect(new Set(values)).toEqual(new Set(['–']))
    expect(await page.getByText('$0.00').count()).toBe(0)
    await expectSound(opened)
  })
})

describe('charts', () => {
  it('of a protocol have ranges of days', async () => {
    await using opened = await explorer.open('/explore/protocols/blend')
    const { page } = opened
    const tvl = page.getByRole('region', { name: 'TVL', exact: true })
    await tvl.getByText('Values as a table').click()
    expect(await tvl.getByRole('row').count()).toBe(31)
    await tvl.getByRole('radio', { name: '7 d' }).check()
    await page.waitForURL('**?range=7d')
    await settled(page)
    // The chart of the previous range stays until the new one is there, with its table open.
    await expect.poll(() => tvl.getByRole('row').count()).toBe(8)
    await expectSound(opened)
  })

  it('of an asset have ranges, and count the points of each source', async () => {
    const { assets } = await explorer.get<{ readonly assets: readonly { readonly asset_id: string; readonly symbol: string }[] }>(
      '/v1/assets?limit=100',
    )
    await using opened = await explorer.open(`/explore/assets/${assets.find(({ symbol }) => symbol === 'XLM')?.asset_id}?range=7d`)
    const { page } = opened
    const price = page.getByRole('region', { name: 'Price over time', exact: true })
    await price.getByText('Values as a table').click()
    expect(await price.getByRole('figure').getByRole('row').count()).toBeGreaterThan(35)
    await expectSound(opened)
  })
})
