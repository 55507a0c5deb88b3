// Which contracts changed in the newest ledgers, with readings that fail, wait for each other or come late.

import { afterEach, expect, it, vi } from 'vitest'
import { type ContractChange, HOLDS_FOR_MS, StateChanges } from './state-changes.ts'

afterEach(() => {
  vi.useRealTimers()
})

function follow() {
  const changes = new StateChanges()
  const asked: number[] = []
  let next: () => Promise<readonly ContractChange[]> = async () => []
  const at = (ledger: number) =>
    changes.upTo('soroswap', 1, ledger, (after) => {
      asked.push(after)
      return next()
    })
  const answers = (...list: readonly ContractChange[]) => {
    next = async () => list
  }
  const fails = () => {
    next = () => Promise.reject(new Error('The engine is away.'))
  }
  return { at, asked, answers, fails }
}

it('ledgers before the first one are not followed', async () => {
  const { at, asked } = follow()
  expect((await at(100))?.since('C1', 100)).toBe(true)
  expect((await at(100))?.since('C1', 99)).toBe(false)
  expect(await at(99)).toBeNull()
  expect(asked).toEqual([])
})

it('a contract is unchanged since the ledger of its last change, which may be after the watermark', async () => {
  const { at, asked, answers } = follow()
  await at(100)
  answers({ contract: 'C1', last_ledger: 101 }, { contract: 'C2', last_ledger: 103 })
  const unchanged = await at(102)
  expect([100, 101].map((ledger) => unchanged?.since('C1', ledger))).toEqual([false, true])
  expect([100, 101, 102].map((ledger) => unchanged?.since('C2', ledger))).toEqual([false, false, false])
  expect(unchanged?.since('C3', 100)).toBe(true)
  answers({ contract: 'C1', last_ledger: 101 })
  expect((await at(104))?.since('C2', 103)).toBe(true)
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
  expect((await Promise.all([at(101), at(101)])).map((unchanged) => unchanged?.since('C1', 100))).toEqual([false, false])
  answers({ contract: 'C1', last_ledger: 102 })
  const unchanged = await at(102)
  expect(['C1', 'C2'].map((contract) => unchanged?.since(contract, 101))).toEqual([false, true])
  expect(unchanged?.since('C2', 100)).toBe(false)
  expect(asked).toEqual([100, 101])
})

it('after a minute without a request, and after a thousand ledgers, following begins anew', async () => {
  vi.useFakeTimers()
  const { at, asked } = follow()
  await at(100)
  vi.advanceTimersByTime(HOLDS_FOR_MS)
  expect((await at(101))?.since('C1', 100)).toBe(false)
  expect((await at(1_101))?.since('C1', 101)).toBe(true)
  expect((await at(2_102))?.since('C1', 1_101)).toBe(false)
  expect(await at(1_101)).toBeNull()
  expect(asked).toEqual([101])
})
