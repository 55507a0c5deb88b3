import { expect, it } from 'vitest'
import { changedPrice } from './changed-price.ts'

it('a changed price has every digit of the product and no zeros after them', () => {
  expect(changedPrice('0.25', -50)).toBe('0.125')
  expect(changedPrice('0.99996941', 1)).toBe('1.0099691041')
  expect(changedPrice('56395.95087922', -90)).toBe('5639.595087922')
  expect(changedPrice('0.00000001', -99)).toBe('0.0000000001')
  expect(changedPrice('100', 0)).toBe('100')
  expect(changedPrice('100', 100)).toBe('200')
  expect(changedPrice('7', -30)).toBe('4.9')
})
