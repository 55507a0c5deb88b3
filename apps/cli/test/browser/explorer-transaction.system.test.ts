// The flow of assets of a transaction as a picture, in a real browser.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, picture, settled } from './explorer.ts'

interface Row {
  readonly tx_hash: string
  readonly contract: string
  readonly metadata: { readonly pools?: readonly string[]; readonly path_step?: number }
}

let explorer: Explorer
let path: string
let liquidation: string
/** Pools of the path, in its order. */
let pools: readonly string[]
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  const rowsOf = async (pool: string, type: string): Promise<readonly Row[]> =>
    (await explorer.get<{ readonly activities: readonly Row[] }>(`/v1/pools/${pool}/activities?activity_type=${type}&limit=100`)).activities
  const found = (await rowsOf((await explorer.pool('stable')).split('/').at(-1) ?? '', 'swap')).find(
    ({ metadata }) => metadata.pools?.length === 3,
  )
  pools = found?.metadata.pools ?? []
  path = `/explore/transactions/${found?.tx_hash}`
  const [vaults] = await rowsOf('fxdao:EUR', 'liquidation')
  liquidation = `/explore/transactions/${vaults?.tx_hash}`
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

describe('the flow of assets of a transaction', () => {
  it.each(EVERY_LOOK)(
    '%s: a path has an arrow from the account through each of its pools and back, and the same as sentences',
    async (look) => {
      await using opened = await explorer.open(path, look)
      const { page } = opened
      await picture(page, 'transaction path', look)
      const flow = page.getByRole('region', { name: 'Flow of assets', exact: true })
      expect(await flow.locator('.flow-head').count()).toBe(4)
      const targets = await flow.locator('.flow-head a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      expect(targets.slice(1)).toEqual(pools.map((pool) => `/explore/contracts/${pool}`))
      expect(await flow.locator('line.flow-arrow').count()).toBe(4)
      expect(await flow.getByRole('listitem').count()).toBe(4)
      expect(await flow.getByRole('img').getAttribute('aria-label')).toMatch(/^4 movements: [\d.,]+ \w+ from G\w{5}…\w{4} to /)
      expect(await flow.locator('.flow-event').allTextContents()).toEqual(['trade', 'trade', 'trade', 'trade'])
      await expectSound(opened)
    },
  )

  it.each(EVERY_LOOK)('%s: a liquidation has an arrow in each direction, and what came after the fee', async (look) => {
    await using opened = await explorer.open(liquidation, look)
    const { page } = opened
    await picture(page, 'transaction liquidation', look)
    const flow = page.getByRole('region', { name: 'Flow of assets', exact: true })
    expect(await flow.locator('line.flow-arrow').count()).toBe(2)
    await flow.getByText(/, which received [\d,.]+/).waitFor()
    await expectSound(opened)
  })

  it('leads to the positions of an account after its ledger', async () => {
    await using opened = await explorer.open(liquidation)
    const { page } = opened
    await page.getByRole('link', { name: 'Its positions after this ledger' }).first().click()
    await page.waitForURL('**/explore/accounts/G*?ledger=*')
    await settled(page)
    await page.getByText('Past ledger').waitFor()
    expect(opened.complaints).toEqual([])
  })
})
