import type { Meta, Warning } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { hasPartial, movedWarnings, placesWarnedOf } from './warnings.ts'

const warning = (code: Warning['code'], path: string | null): Warning => ({ code, message: '', path })

describe('warnings about items of a list', () => {
  it('name the places of the items', () => {
    const warnings = [
      warning('unpriced_asset', '/positions/2'),
      warning('unpriced_asset', '/positions/11/net_usd'),
      warning('unpriced_asset', null),
      warning('unpriced_asset', '/points/3'),
      warning('stale_price', '/positions/4'),
    ]
    expect([...placesWarnedOf({ warnings } as Meta, 'unpriced_asset', 'positions')]).toEqual([2, 11])
  })

  it('follow their items, and are left out with them', () => {
    const warnings = [
      warning('unpriced_asset', '/pools/1/tvl_usd'),
      warning('unpriced_asset', '/pools/12'),
      warning('adapter_unhealthy', null),
    ]
    expect(movedWarnings(warnings, 'pools', (place) => (place === 1 ? null : place - 10)).map(({ path }) => path)).toEqual([
      '/pools/2',
      null,
    ])
  })

  it('make an answer partial if something is missing, not if a value is qualified', () => {
    expect(hasPartial([warning('unpriced_asset', null), warning('stale_price', null)])).toBe(true)
    expect(hasPartial([warning('stale_price', null), warning('given_prices', '/pool'), warning('read_through', null)])).toBe(false)
  })
})
