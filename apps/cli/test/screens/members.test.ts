import { expect, it } from 'vitest'
import { missingFrom } from './members.ts'

it('a member counts as missing if no element has it, one element lacks it, or it is null in all of them', () => {
  const body = {
    rows: [
      { a: 1, b: null, d: null },
      { a: 2, c: 3, d: 4 },
    ],
    none: [],
  }
  expect(missingFrom(body, ['rows.*.a', 'rows.*.b', 'rows.*.c', 'rows.*.d', 'none.*.a', 'other', 'rows.*.a.b'])).toEqual([
    ...['rows.*.b', 'rows.*.c', 'none.*.a', 'other', 'rows.*.a.b'],
  ])
})
