// The same as in the second tier with more requests and several seeds.

import { expect, it } from 'vitest'
import { fuzzDemo } from './fuzz/fuzzed-demo.ts'

it('more than 20,000 requests made from the document get answers that the document describes', async () => {
  const runs = []
  for (const seed of [1, 2]) runs.push(await fuzzDemo(200, seed))
  expect(runs.map(({ failures, errorLines }) => ({ failures, errorLines }))).toEqual(runs.map(() => ({ failures: '', errorLines: [] })))
  expect(runs.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThan(20_000)
})
