import { expect, it } from 'vitest'
import { requestCost } from './request-cost.ts'

it.each([
  [1, {}],
  [1, { buckets: 0 }],
  [2, { buckets: 1 }],
  [2, { buckets: 500 }],
  [3, { buckets: 501 }],
  [11, { buckets: 5_000 }],
  [2, { addresses: 1 }],
  [2, { addresses: 5 }],
  [3, { addresses: 6 }],
  [21, { addresses: 100 }],
  [11, { csv: true }],
  [12, { buckets: 1, csv: true }],
  [21, { buckets: 5_000, csv: true }],
  // 50 / 500 + 2 / 5 = 0.5; 450 / 500 + 3 / 5 = 1.5; 300 / 500 + 2 / 5 = 1. The sum is rounded, not each part.
  [2, { buckets: 50, addresses: 2 }],
  [3, { buckets: 450, addresses: 3 }],
  [2, { buckets: 300, addresses: 2 }],
])('a request costs %i units with %j', (cost, load) => {
  expect(requestCost(load)).toBe(cost)
})

it('a request costs at most 30 units', () => {
  expect(requestCost({ addresses: 145 })).toBe(30)
  expect(requestCost({ addresses: 146 })).toBe(30)
  expect(requestCost({ addresses: 100, buckets: 5_000, csv: true })).toBe(30)
})
