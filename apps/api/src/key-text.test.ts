import { expect, it } from 'vitest'
import { keyText } from './key-text.ts'

it('parts that differ have different texts, and integers of any size a text', () => {
  const parts = [[1], [1n], ['1'], [null], [{}], [{ prices: [['C', '1']] }], [{ prices: [['C', '2']] }], [[1, 2]], [1, 2]]
  expect(new Set(parts.map(keyText)).size).toBe(parts.length)
})

it.each([new Map([['C', '1']]), new Set(['C'])])('%o is refused, which has the JSON of every other one', (value) => {
  expect(() => keyText([{ prices: value }])).toThrow('A parameter of a request must be JSON data.')
})
