// Every page of the explorer in a real browser, on the demo, light, dark and on a phone.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, expectStill, picture } from './explorer.ts'

let explorer: Explorer
let addresses: Readonly<Record<string, string>>
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  addresses = await findAddresses()
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

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
  'risk',
  'index',
  'search',
  'unknown address',
] as const
type PageName = (typeof PAGES)[number]

async function findAddresses(): Promise<Record<PageName, string>> {
  const { pools } = await explorer.get<{ readonly pools: readonly { readonly pool_id: string; readonly type: string }[] }>(
    '/v1/pools?limit=100',
  )
  const { assets } = await explorer.get<{
    readonly assets: readonly { readonly asset_id: string; readonly symbol: string; readonly price_usd: string | null }[]
  }>('/v1/assets?limit=100')
  const account = await explorer.account()
  const { actions } = await explorer.get<{ readonly actions: readonly { readonly tx_hash: string; readonly ledger: number }[] }>(
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
    risk: '/explore/risk?below=1.5',
    index: '/explore/index',
    search: '/explore/search?q=usd',
    'unknown address': '/explore/nothing',
  }
}

describe('every page', () => {
  const looks = PAGES.flatMap((name) => EVERY_LOOK.map((look) => ({ name, look })))

  it.each(looks)(
    '$name, $look: fits its width, hardly moves while it loads, breaks no rule of axe, and the browser has no complaint',
    async ({ name, look }) => {
      await using opened = await explorer.open(addresses[name] ?? '', look)
      await picture(opened.page, name, look)
      await expectStill(opened)
      await expectSound(opened)
    },
  )

  it.each(EVERY_LOOK)('the page that asks for the key, %s', async (look) => {
    await using opened = await explorer.open('/explore', look, false)
    await expectSound(opened)
  })

  it('has a title of its own', async () => {
    const titles = new Set<string>()
    for (const name of PAGES) {
      await using opened = await explorer.open(addresses[name] ?? '')
      titles.add(await opened.page.title())
    }
    expect(titles.size).toBe(PAGES.length)
  })

  it('a chart is drawn, and has its values as a table', async () => {
    await using opened = await explorer.open(addresses.account ?? '')
    const figure = opened.page.getByRole('figure').first()
    await figure.locator('canvas').waitFor()
    await figure.getByText('Values as a table').click()
    expect(await figure.getByRole('row').count()).toBeGreaterThan(20)
    await expectSound(opened)
  })
})
