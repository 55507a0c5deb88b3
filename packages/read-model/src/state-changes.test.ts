// What changed in the newest ledgers, with readings that fail, wait for each other or come late.

import type { StateRow } from '@orrery/protocol-kit'
import { afterEach, expect, it, vi } from 'vitest'
import { HOLDS_FOR_MS, type KnownChanges, MOST_CHANGED_ROWS, StateChanges } from './state-changes.ts'
import { stateRow } from './testing/example-rows.ts'

afterEach(() => {
  vi.useRealTimers()
})

function follow() {
  const changes = new StateChanges()
  const asked: number[] = []
  let next: () => Promise<readonly StateRow[]> = async () => []
  const at = (ledger: number) =>
    changes.upTo('soroswap', 1, ledger, {
      rows: (after) => {
        asked.push(after)
        return next()
      },
      // What the tables would say of the same rows.
      contracts: async (after) => {
        asked.push(-after)
        return (await next()).map((row) => ({ contract: row.contract, last_ledger: row.ledger + Number(row.inferred) }))
      },
    })
  const known = (ledger: number) => changes.known('soroswap', 1, ledger)
  const answers = (...list: readonly Partial<StateRow>[]) => {
    const rows = list.map((of) => stateRow({ key: 'pair', owner: '', ...of }))
    next = async () => rows
  }
  const fails = () => {
    next = () => Promise.reject(new Error('The engine is away.'))
  }
  return { at, known, asked, answers, fails }
}

it('ledgers before the first one are not followed', async () => {
  const { at, asked } = follow()
  expect((await at(100))?.noneSince('C1', 100)).toBe(true)
  expect((await at(100))?.noneSince('C1', 99)).toBe(false)
  expect(await at(99)).toBeNull()
  expect(asked).toEqual([])
})

it('a contract is unchanged since the ledger of its last change, which may be after the watermark', async () => {
  const { at, asked, answers } = follow()
  await at(100)
  answers({ contract: 'C1', ledger: 101 }, { contract: 'C2', ledger: 103 })
  const changes = await at(102)
  expect([100, 101].map((ledger) => changes?.noneSince('C1', ledger))).toEqual([false, true])
  expect([100, 101, 102].map((ledger) => changes?.noneSince('C2', ledger))).toEqual([false, false, false])
  expect(changes?.noneSince('C3', 100)).toBe(true)
  answers({ contract: 'C1', ledger: 101 })
  expect((await at(104))?.noneSince('C2', 103)).toBe(true)
  expect(asked).toEqual([100, 102])
})

it('requests at the same time wait for one reading, and where it was of an earlier ledger, for one more', async () => {
  const { at, asked } = follow()
  await at(100)
  await Promise.all([at(101), at(101), at(103), at(102)])
  expect(asked.at(0)).toBe(100)
  expect(asked.length).toBeLessThanOrEqual(3)
  await at(103)
  expect(asked.length).toBeLessThanOrEqual(3)
})

it('after a failure following begins anew, and nothing that was read before holds on', async () => {
  const { at, asked, answers, fails } = follow()
  await at(100)
  fails()
  expect((await Promise.all([at(101), at(101)])).map((changes) => changes?.noneSince('C1', 100))).toEqual([false, false])
  answers({ contract: 'C1', ledger: 102 })
  const changes = await at(102)
  expect(['C1', 'C2'].map((contract) => changes?.noneSince(contract, 101))).toEqual([false, true])
  expect(changes?.noneSince('C2', 100)).toBe(false)
  expect(asked).toEqual([100, 101])
})

it('after a minute without a request, and after a thousand ledgers, following begins anew', async () => {
  vi.useFakeTimers()
  const { at, asked } = follow()
  await at(100)
  vi.advanceTimersByTime(HOLDS_FOR_MS)
  expect((await at(101))?.noneSince('C1', 100)).toBe(false)
  expect((await at(1_101))?.noneSince('C1', 101)).toBe(true)
  expect((await at(2_102))?.noneSince('C1', 1_101)).toBe(false)
  expect(await at(1_101)).toBeNull()
  // Over such a distance contracts alone are read.
  expect(asked).toEqual([-101])
})

const valuesOf = (rows: readonly StateRow[] | null | undefined) => rows?.map(({ key, value }) => `${key} ${value}`)

it('has the newest row of each entry that changed, and none where an entry has a row after the ledger that is asked about', async () => {
  const { at, answers } = follow()
  await at(100)
  answers({ contract: 'C1', ledger: 101, value: 'a' }, { contract: 'C1', key: 'counters', ledger: 101, value: 'b' })
  expect(valuesOf((await at(101))?.rowsSince('C1', 100))).toEqual(['pair a', 'counters b'])
  answers({ contract: 'C1', ledger: 102, value: 'c' }, { contract: 'C2', ledger: 103, value: 'd' })
  const changes = await at(102)
  expect(valuesOf(changes?.rowsSince('C1', 100))).toEqual(['pair c', 'counters b'])
  expect(valuesOf(changes?.rowsSince('C1', 101))).toEqual(['pair c'])
  expect(changes?.rowsSince('C1', 99)).toBeNull()
  expect(changes?.rowsSince('C2', 101)).toBeNull()
  expect(changes?.rowsSince('C3', 100)).toEqual([])
  answers({ contract: 'C2', ledger: 103, value: 'd' })
  expect(valuesOf((await at(103))?.rowsSince('C2', 102))).toEqual(['pair d'])
})

it('a row about what an entry had been before is a change of the ledger after its own', async () => {
  const { at, answers } = follow()
  await at(100)
  answers(
    { contract: 'C1', ledger: 100, inferred: true, value: 'a' },
    { contract: 'C1', key: '@GA:a', owner: 'GA', ledger: 100, inferred: true },
  )
  const changes = await at(101)
  expect([changes?.noneSince('C1', 100), changes?.noneOfOwnerSince('GA', 100)]).toEqual([false, false])
  expect([changes?.noneSince('C1', 101), changes?.noneOfOwnerSince('GA', 101)]).toEqual([true, true])
  expect(valuesOf(changes?.rowsSince('C1', 100))).toEqual(['pair a'])
})

it('rows of accounts change the account and its contract, and are not among the rows of the contract', async () => {
  const { at, answers } = follow()
  await at(100)
  answers({ contract: 'C1', key: '@GA:shares', owner: 'GA', ledger: 101 })
  const changes = await at(101)
  expect(['GA', 'GB'].map((owner) => changes?.noneOfOwnerSince(owner, 100))).toEqual([false, true])
  expect(changes?.noneOfOwnerSince('GB', 99)).toBe(false)
  expect(changes?.noneSince('C1', 100)).toBe(false)
  expect(changes?.rowsSince('C1', 100)).toEqual([])
})

const rowsOf = (count: number): Partial<StateRow>[] =>
  Array.from({ length: count }, (_, n) => ({ contract: 'C1', key: `k${n}`, ledger: 101 }))
const knows = (changes: KnownChanges | null, ledger: number) => [
  changes?.noneSince('C9', ledger),
  changes?.noneOfOwnerSince('G9', ledger),
  changes?.rowsSince('C9', ledger)?.length === 0,
]

it('over a longer distance, and where too many rows changed, only the contracts are known', async () => {
  const { at, answers, asked } = follow()
  await at(100)
  answers(...rowsOf(MOST_CHANGED_ROWS + 1))
  expect(knows(await at(101), 100)).toEqual([true, false, false])
  answers()
  expect(knows(await at(117), 101)).toEqual([true, true, true])
  expect(knows(await at(134), 117)).toEqual([true, false, false])
  expect(knows(await at(135), 134)).toEqual([true, true, true])
  expect(asked).toEqual([100, -100, 101, -117, 134])
})

it('forgets rows where those of several readings are too many', async () => {
  const { at, answers } = follow()
  await at(100)
  answers(...rowsOf(MOST_CHANGED_ROWS))
  expect(knows(await at(101), 100)).toEqual([true, true, true])
  answers({ contract: 'C1', key: 'another', ledger: 102 })
  const changes = await at(102)
  expect(knows(changes, 100)).toEqual([true, false, false])
  expect(knows(changes, 102)).toEqual([true, true, true])
  expect(changes?.noneSince('C1', 101)).toBe(false)
  // Accounts count as well.
  answers(...Array.from({ length: MOST_CHANGED_ROWS }, (_, n) => ({ key: '@G:a', owner: `A${n}`, ledger: 103 })))
  expect(knows(await at(103), 102)).toEqual([true, true, true])
  answers({ key: '@G:a', owner: 'another', ledger: 104 })
  expect(knows(await at(104), 102)).toEqual([true, false, false])
})

it('remembers a change for at least a minute, and not for ever', async () => {
  vi.useFakeTimers()
  const { at, answers } = follow()
  await at(100)
  answers({ contract: 'C1', ledger: 101, value: 'a' }, { contract: 'C1', key: '@GA:a', owner: 'GA', ledger: 101 })
  await at(101)
  answers()
  vi.advanceTimersByTime(HOLDS_FOR_MS - 1)
  await at(102)
  vi.advanceTimersByTime(HOLDS_FOR_MS - 1)
  const changes = await at(103)
  expect(knows(changes, 100)).toEqual([true, true, true])
  expect(changes?.noneSince('C1', 100)).toBe(false)
  expect(changes?.noneOfOwnerSince('GA', 100)).toBe(false)
  expect(valuesOf(changes?.rowsSince('C1', 100))).toEqual(['pair a'])
  vi.advanceTimersByTime(HOLDS_FOR_MS - 1)
  await at(104)
  vi.advanceTimersByTime(1)
  expect(knows(await at(105), 101)).toEqual([false, false, false])
})

it('without a reading is known up to the ledger that was read last; what was not followed is from then on', async () => {
  const { at, known } = follow()
  expect(known(100)?.noneOfOwnerSince('GA', 100)).toBe(true)
  expect(known(101)).toBeNull()
  expect((await at(101))?.noneOfOwnerSince('GA', 100)).toBe(true)
  expect(known(101)?.noneOfOwnerSince('GA', 100)).toBe(true)
  expect(known(99)).toBeNull()
})
