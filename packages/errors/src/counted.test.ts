import { expect, it } from 'vitest'
import { counted, numbered } from './counted.ts'

it('one thing is singular, and any other number of them plural', () => {
  expect([0, 1, 4].map((count) => counted(count, 'partition'))).toEqual(['0 partitions', '1 partition', '4 partitions'])
  expect([1, 4].map((count) => numbered(count, 'partition'))).toEqual(['partition 0', 'partitions 0 to 3'])
})
