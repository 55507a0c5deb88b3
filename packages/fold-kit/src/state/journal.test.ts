import type { Slice } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { Journal } from './journal.ts'

const slice = { protocol: 'blend', partition: 2, ledger: 7, closeTimeSeconds: 100 } as Slice
const rowsOf = (journal: Journal) => journal.state().map(({ contract, key, ledger, value }) => `${contract} ${key} ${ledger} ${value}`)

function written(...names: string[]): Journal {
  const journal = new Journal(slice)
  for (const [nth, name] of names.entries()) {
    const [contract = '', key = ''] = name.split(' ')
    journal.write({ contract, key, value: `${nth}`, durability: 'fact' })
  }
  return journal
}

it('the rows of a ledger are in the order of contracts and keys, in whatever order they were written', () => {
  const sorted = ['A a 7 0', 'A b 7 1', 'A c 7 2', 'B a 7 3']
  expect(rowsOf(written('A a', 'A b', 'A c', 'B a'))).toEqual(sorted)
  expect(rowsOf(written('B c', 'A b', 'B a', 'A c', 'B b'))).toEqual(['A b 7 1', 'A c 7 3', 'B a 7 2', 'B b 7 4', 'B c 7 0'])
})

it('the last write of a key wins, next to its earlier write and after writes of later keys', () => {
  expect(rowsOf(written('A a', 'A a', 'A b', 'A b'))).toEqual(['A a 7 1', 'A b 7 3'])
  expect(rowsOf(written('A a', 'A b', 'A c', 'A a', 'A d', 'A b'))).toEqual(['A a 7 3', 'A b 7 5', 'A c 7 2', 'A d 7 4'])
})

it('an inferred row stands before the row of its key', () => {
  const journal = written('A b', 'A a')
  journal.infer({ contract: 'A', key: 'b', value: 'before', durability: 'fact' })
  expect(rowsOf(journal)).toEqual(['A a 7 1', 'A b 6 before', 'A b 7 0'])
})
