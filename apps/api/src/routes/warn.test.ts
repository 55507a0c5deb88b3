import { describe, expect, it } from 'vitest'
import type { Enrichment } from '../envelope.ts'
import { PriceUse } from '../present/price-use.ts'
import { missingValues, rowWarnings, stalePriceUse } from './warn.ts'

const asset = (symbol: string, decimals: number | null): Enrichment['assets'][string] => ({
  ...{ symbol, decimals, tags: [], price_usd: null, price_source: null, price_observed_at: null },
})
const NAMED: Enrichment = { assets: { C1: asset('AQUA', 7), C2: asset('', null) }, contracts: {} }

describe('missing values', () => {
  const data = {
    protocols: [
      {
        deposited_usd: '12',
        items: [
          {
            asset_id: 'C1',
            usd_value: null,
            metadata: { cost_basis: { cost_usd: null }, claimable: [{ asset_id: 'C1', usd_value: null }] },
          },
          { asset_id: 'C2', usd_value: null },
          { asset_id: 'C1', usd_value: '0' },
        ],
      },
    ],
  }

  it('each shown value without USD has a pointer and the reason', () => {
    expect(missingValues(false, data, NAMED)).toEqual([
      { code: 'unpriced_asset', message: expect.stringContaining('`AQUA`'), path: '/protocols/0/items/0/usd_value' },
      { code: 'unknown_decimals', message: expect.stringContaining('`C2`'), path: '/protocols/0/items/1/usd_value' },
    ])
  })

  it('a complete answer has none, whatever is null in it', () => {
    expect(missingValues(true, data, NAMED)).toEqual([])
  })

  it('an incomplete answer that shows no null has one warning without a path', () => {
    expect(missingValues(false, { emission_apy: '0' }, NAMED)).toMatchObject([{ code: 'unpriced_asset', path: null }])
  })
})

it('more than twenty rows of one code are counted in a last warning without a path', () => {
  const rows = Array.from({ length: 23 }, (_, n) => n)
  const found = rowWarnings(rows, (n) => n !== 1, { code: 'unpriced_asset', message: 'No price.', path: (n) => `/points/${n}` })
  expect(found).toHaveLength(21)
  expect(found.slice(0, 2).map(({ path }) => path)).toEqual(['/points/0', '/points/2'])
  expect(found.at(-1)).toEqual({ code: 'unpriced_asset', message: expect.stringContaining(' 2 more'), path: null })
})

it('prices up to an hour old are not reported', () => {
  const at = (ageSeconds: number) => {
    const prices = new PriceUse(10_000)
    prices.addSource('oracle:C1', ageSeconds)
    return stalePriceUse(prices)
  }
  expect(at(3_600)).toEqual([])
  expect(at(3_601)).toMatchObject([{ code: 'stale_price', path: null }])
  expect(stalePriceUse(undefined)).toEqual([])
})
