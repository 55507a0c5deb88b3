import { expect, it } from 'vitest'
import { FairBudget } from './fair-budget.ts'

function budgetAt(start: number, { capacity = 10, perSecond = 5 } = {}) {
  const clock = { ms: start, nowMs: () => clock.ms }
  return { clock, budget: new FairBudget({ capacity, perSecond, clock }) }
}

it('a single organization may use the whole budget, and no more', () => {
  const { clock, budget } = budgetAt(1_000)
  expect([budget.take('a', 10), budget.take('a', 1)]).toEqual([true, false])
  clock.ms += 1_000
  expect([budget.has('a', 6), budget.take('a', 5), budget.take('a', 1)]).toEqual([false, true, false])
})

it('two busy organizations get equal parts, and one with few calls is not refused once their savings are spent', () => {
  const { clock, budget } = budgetAt(1_000)
  const taken = { greedy: 0, greedier: 0, modest: 0 }
  budget.take('greedy', 10) // It was there before the others came.
  // A hundred seconds in steps of 50 ms: 500 calls come in.
  for (let step = 0; step < 2_000; step++) {
    clock.ms += 50
    if (budget.take('greedy', 1)) taken.greedy += 1
    for (let n = 0; n < 5; n++) if (budget.take('greedier', 1)) taken.greedier += 1
    if (step % 40 !== 39) continue
    // Every two seconds: far less than its part.
    const isGiven = budget.take('modest', 1)
    if (isGiven) taken.modest += 1
    // The newcomers begin with a part of a full supply, which the first seconds pay for.
    if (step > 200) expect(isGiven).toBe(true)
  }
  // 450 are left for the other two, who share equally but for what they had saved up.
  expect(Math.abs(taken.greedy - taken.greedier)).toBeLessThan(20)
  expect(taken.greedy + taken.greedier + taken.modest).toBeLessThanOrEqual(500)
})

it('the part of an inactive organization goes to the others', () => {
  const { clock, budget } = budgetAt(1_000)
  budget.take('a', 5)
  budget.take('b', 5)
  clock.ms += 10_000
  expect(budget.take('a', 10)).toBe(true)
  clock.ms += 1_000
  expect(budget.take('a', 5)).toBe(true)
})
