import { expect, it } from 'vitest'
import { presentPrice, presentThreshold } from './price.ts'

const price = (usd: string) => ({ usd, source: 'oracle:C', observedAtSeconds: 0 })

it('a price has at most 8 fractional digits, rounded half up once, whatever its oracle has', () => {
  expect(presentPrice(price('0.99996940615772'))).toEqual({ price_usd: '0.99996941', price_source: 'oracle:C' })
  expect(presentPrice(price('56395.950879215')).price_usd).toBe('56395.95087922')
  expect(presentPrice(price('0.000064904999999999')).price_usd).toBe('0.0000649')
  expect(presentPrice(price('0.000000004999999999')).price_usd).toBe('0')
  expect(presentPrice(price('1.000000005')).price_usd).toBe('1.00000001')
  expect(presentPrice(price('1.25')).price_usd).toBe('1.25')
})

it('a missing price has no source', () => {
  expect(presentPrice(null)).toEqual({ price_usd: null, price_source: null })
})

it('a liquidation price is rounded like a price, and null if there is none', () => {
  expect(presentThreshold('2.272727272727272727')).toBe('2.27272727')
  expect(presentThreshold(null)).toBeNull()
})
