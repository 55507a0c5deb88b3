// Requests that Schemathesis makes from the document. A failure prints a command that repeats its request.

import { expect, it } from 'vitest'
import { fuzzDemo } from './fuzz/fuzzed-demo.ts'

it('more than 500 requests made from the document, valid and not, get answers that the document describes', async () => {
  const { cases, failures, errorLines } = await fuzzDemo(10, 20_261_127)
  expect({ failures, errorLines }).toEqual({ failures: '', errorLines: [] })
  expect(cases).toBeGreaterThan(500)
})
