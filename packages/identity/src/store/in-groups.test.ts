import { expect, it } from 'vitest'
import { inGroups } from './in-groups.ts'

it('what is given during a write goes with the next one of its key, and each caller gets its own result', async () => {
  const groups: (readonly number[])[] = []
  const double = inGroups<number, number>(
    (item) => (item < 10 ? 'small' : 'large'),
    async (items) => {
      groups.push(items)
      await Promise.resolve()
      return items.map((item) => item * 2)
    },
  )
  expect(await Promise.all([1, 2, 30, 3, 40].map(double))).toEqual([2, 4, 60, 6, 80])
  expect(await double(4)).toBe(8)
  expect(groups).toEqual([[1], [30], [2, 3], [40], [4]])
})

it('a write that fails rejects its own items, and the next ones are written', async () => {
  const write = inGroups<number, string>(
    () => 'all',
    async (items) => {
      if (items.includes(2)) throw new Error('refused')
      return items.map(String)
    },
  )
  const results = await Promise.allSettled([1, 2, 3].map(write))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await write(4)).toBe('4')
})
