import { expect, it } from 'vitest'
import { RecentBodies } from './recent-bodies.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

it('a remembered body is found by its ledger and its bytes, and by nothing else', () => {
  const bodies = new RecentBodies<string>(100)
  bodies.add(7, { bytes: bytes('one'), value: 'first', size: 10 })
  bodies.add(7, { bytes: bytes('two'), value: 'second', size: 10 })
  bodies.add(8, { bytes: bytes('one'), value: 'third', size: 10 })
  expect(bodies.find(7, bytes('one'))).toBe('first')
  expect(bodies.find(7, bytes('two'))).toBe('second')
  expect(bodies.find(8, bytes('one'))).toBe('third')
  expect(bodies.find(8, bytes('two'))).toBeUndefined()
  expect(bodies.find(9, bytes('one'))).toBeUndefined()
})

it('remembered bodies of the oldest ledgers leave first, and one that is larger than the memory is not kept', () => {
  const bodies = new RecentBodies<number>(100)
  for (const ledger of [1, 2, 3, 4]) bodies.add(ledger, { bytes: bytes('same'), value: ledger, size: 40 })
  expect([1, 2, 3, 4].map((ledger) => bodies.find(ledger, bytes('same')))).toEqual([undefined, undefined, 3, 4])
  bodies.add(5, { bytes: bytes('large'), value: 5, size: 101 })
  expect(bodies.find(5, bytes('large'))).toBeUndefined()
  // Its size was given back, so the next ones stay.
  for (const ledger of [6, 7]) bodies.add(ledger, { bytes: bytes('same'), value: ledger, size: 50 })
  expect([6, 7].map((ledger) => bodies.find(ledger, bytes('same')))).toEqual([6, 7])
})
