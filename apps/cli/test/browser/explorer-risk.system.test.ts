// Positions at risk, in a real browser: the list of the API, its filters in the address, and the ways to it.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Explorer, expectSound, settled } from './explorer.ts'

interface Position {
  readonly address: string
  readonly pool_id: string
  readonly health_factor: string
}

let explorer: Explorer
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

const positions = async (query: string): Promise<readonly Position[]> =>
  (await explorer.get<{ readonly positions: readonly Position[] }>(`/v1/protocols/${query}&sort=health_factor&limit=25`)).positions

describe('positions at risk', () => {
  it('are those of the API below 1.1, the riskiest first, each with its account', async () => {
    await using opened = await explorer.open('/explore/risk')
    const expected = await positions('blend/accounts?health_factor_below=1.1')
    expect(expected.length).toBeGreaterThan(3)
    const rows = opened.page.locator('tbody tr')
    const shown = await rows.locator('td:first-child a').evaluateAll((links) => links.map((link) => link.getAttribute('title')))
    expect(shown).toEqual(expected.map(({ address }) => address))
    expect(await rows.nth(0).textContent()).toContain('Bad debt')
    expect(await rows.nth(1).textContent()).toContain('Liquidation possible')
  })

  it('have their filters in the address, also a threshold that is not offered', async () => {
    await using opened = await explorer.open('/explore/risk?below=1.3')
    const { page } = opened
    await page.getByLabel('Protocol').selectOption('fxdao')
    await page.waitForURL('**/explore/risk?below=1.3&protocol=fxdao')
    await page.getByRole('combobox', { name: 'Pool', exact: true }).selectOption('fxdao:USD')
    await page.waitForURL('**/explore/risk?below=1.3&protocol=fxdao&pool=fxdao%3AUSD')
    await page.getByLabel('Health factor below').selectOption('5')
    await page.waitForURL('**/explore/risk?below=5&protocol=fxdao&pool=fxdao%3AUSD')
    await settled(page)
    await page.reload()
    await settled(page)
    expect(await page.getByRole('combobox', { name: 'Pool', exact: true }).inputValue()).toBe('fxdao:USD')
    const expected = await positions('fxdao/accounts?health_factor_below=5&pool=fxdao:USD')
    expect(await page.locator('tbody tr').count()).toBe(expected.length)
    await expectSound(opened)
  })

  it('that do not exist are named as such', async () => {
    await using opened = await explorer.open('/explore/risk?below=0.00000001&protocol=fxdao')
    await opened.page.getByText('No position has a health factor below').waitFor()
    await expectSound(opened)
  })

  it('are reached from the bar, from a protocol and from a pool', async () => {
    await using opened = await explorer.open('/explore')
    const { page } = opened
    await page.getByRole('link', { name: 'Risk' }).click()
    await page.waitForURL('**/explore/risk')
    await page.goto(`${explorer.at.url}/explore/protocols/fxdao`)
    await page.getByRole('link', { name: 'Positions at risk' }).click()
    await page.waitForURL('**/explore/risk?protocol=fxdao')
    const pool = await explorer.pool('lending')
    await page.goto(`${explorer.at.url}${pool}`)
    await page.getByRole('link', { name: 'Positions at risk' }).click()
    await page.waitForURL(`**/explore/risk?protocol=blend&pool=${pool.split('/').at(-1)}`)
    await settled(page)
    expect(opened.complaints).toEqual([])
  })
})
