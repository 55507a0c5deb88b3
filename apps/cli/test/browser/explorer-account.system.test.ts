// An account as of a past ledger, and the ranges of its chart, in a real browser.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { EVERY_LOOK, Explorer, expectSound, expectStill, picture, settled } from './explorer.ts'

const PAST = 1_003_000

let explorer: Explorer
let account: string
let path: string
beforeAll(async () => {
  explorer = await Explorer.start(inject('wholeNetworkUrl'))
  account = await explorer.account()
  path = `/explore/accounts/${account}`
})
afterAll(() => explorer?.[Symbol.asyncDispose]())

const usd = (decimal: string): string => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(decimal))

describe('an account as of a past ledger', () => {
  it.each(EVERY_LOOK)('%s: shows the portfolio that the API has as of that ledger, marked in every part', async (look) => {
    await using opened = await explorer.open(`${path}?ledger=${PAST}`, look)
    const { page } = opened
    await picture(page, 'account past', look)
    await expectStill(opened)
    const { portfolios } = await explorer.get<{ readonly portfolios: readonly { readonly total_value_usd: string }[] }>(
      `/v1/positions?addresses=${account}&as_of_ledger=${PAST}`,
    )
    const positions = page.getByRole('region', { name: 'Positions', exact: true })
    await positions.getByText(usd(portfolios[0]?.total_value_usd ?? ''), { exact: true }).waitFor()
    expect(await page.locator('h2').getByText('Ledger 1,003,000', { exact: true }).count()).toBe(3)
    await page.getByText('Past ledger').waitFor()
    await expectSound(opened)
  })

  it('its actions, also as CSV, end at that ledger', async () => {
    await using opened = await explorer.open(`${path}?ledger=${PAST}`)
    const { page } = opened
    const newest = page.getByRole('region', { name: 'Actions', exact: true }).locator('tbody tr').first().locator('td').last()
    expect(Number((await newest.textContent())?.replaceAll(',', ''))).toBeLessThanOrEqual(PAST)
    const asked = page.waitForRequest((request) => request.headers().accept === 'text/csv')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect(new URL((await asked).url()).searchParams.get('to_ledger')).toBe(String(PAST))
  })

  it('the slider moves by keyboard, asks once when it rests, keeps its ledger in the address, and has a way back', async () => {
    await using opened = await explorer.open(path)
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('as_of_ledger=')) asked.push(request.url())
    })
    const slider = page.getByRole('slider', { name: 'Ledger' })
    const last = Number(await slider.getAttribute('max'))
    await slider.focus()
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowLeft')
    await page.waitForURL(`**?ledger=${last - 3}`)
    await settled(page)
    expect(asked).toHaveLength(1)
    expect(await page.evaluate('document.activeElement.type')).toBe('range')
    await page.reload()
    await settled(page)
    expect(await slider.inputValue()).toBe(String(last - 3))

    await page.getByRole('button', { name: 'Back to the newest ledger' }).click()
    await page.waitForURL(`**${path}`)
    await settled(page)
    expect(await page.getByText('Past ledger').count()).toBe(0)
    await expectSound(opened)
  })

  it('a ledger can be typed, and stays while the range of the chart changes', async () => {
    await using opened = await explorer.open(path)
    const { page } = opened
    await page.getByRole('spinbutton', { name: 'Ledger' }).fill('1002000')
    await page.keyboard.press('Enter')
    await page.waitForURL('**?ledger=1002000')
    await settled(page)
    await page.getByRole('radio', { name: '7 d' }).check()
    await page.waitForURL('**?ledger=1002000&range=7d')
    await settled(page)
    await expectSound(opened)
  })

  it('an account that had nothing yet shows that', async () => {
    await using opened = await explorer.open(`/explore/accounts/GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF?ledger=${PAST}`)
    await opened.page.getByText('no position and no reward in a protocol of this index at that ledger').waitFor()
    await expectSound(opened)
  })
})

describe('the chart of the net worth', () => {
  it.each([
    ['24 h', 20],
    ['7 d', 35],
    ['90 d', 40],
    ['1 y', 40],
  ] as const)('has a range of %s', async (range, fewest) => {
    await using opened = await explorer.open(path)
    const { page } = opened
    await page.getByRole('radio', { name: range }).check()
    await settled(page)
    const figure = page.getByRole('region', { name: 'Net worth', exact: true }).getByRole('figure')
    await figure.getByText('Values as a table').click()
    expect(await figure.getByRole('row').count()).toBeGreaterThan(fewest)
    await expectSound(opened)
  })

  it('of one protocol has its part of the same points', async () => {
    await using opened = await explorer.open(path)
    const { page } = opened
    const figure = page.getByRole('region', { name: 'Net worth', exact: true }).getByRole('figure')
    const all = await figure.locator('figcaption').textContent()
    await page.getByLabel('Net worth of').selectOption('soroswap')
    await expect.poll(() => figure.locator('figcaption').textContent()).not.toBe(all)
    const part = await figure.locator('figcaption').textContent()
    await page.waitForURL('**?of=soroswap')
    await page.reload()
    await settled(page)
    expect(await page.getByLabel('Net worth of').inputValue()).toBe('soroswap')
    expect(await figure.locator('figcaption').textContent()).toBe(part)
    await expectSound(opened)
  })
})

describe('the prices of positions', () => {
  it.each(EVERY_LOOK)('%s: have their sources below them', async (look) => {
    await using opened = await explorer.open(path, look)
    const prices = opened.page.getByRole('region', { name: 'Positions', exact: true }).locator('td .prices', { hasText: /^at / })
    expect(await prices.count()).toBeGreaterThan(3)
    for (const price of await prices.all()) {
      const source = price.locator('xpath=following-sibling::*[1]')
      expect(await source.isVisible()).toBe(true)
      expect(await source.textContent()).toMatch(/^(oracle C\w{5}…\w{4}|(pool )?\S.*)$/)
    }
  })
})
