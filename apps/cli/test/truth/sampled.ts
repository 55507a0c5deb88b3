// How much of the recording the ground truth of `/v1` asks about. Every answer of the contracts is compared with what the folds hold by the tests
// of the protocols' packages, in `npm test`. Asking the service for all of them takes hours: `npm test` and `npm run test:system` ask as of one
// checkpoint in 32, each in its own files, and `npm run test:long` as of every one in all of them.

import { expectCounts as expectAllCounts, isShippedRecording, testTier } from '@orrery/testkit/ground-truth'
import { expect } from 'vitest'

const ONE_IN = testTier === 'long' ? 1 : 32

/** Whether everything is asked. */
const isWhole = ONE_IN === 1

/** Moves the choice of ledgers: with this one a sample of the shipped recording has most of the kinds of answers that few of its ledgers have. */
const OFFSET = 134

/** Whether `/v1` is asked as of this ledger. Neighbours are in different classes, and no period of the recording falls together with the choice. */
export function isSampled(ledger: number): boolean {
  return Math.imul(ledger + OFFSET, 0x9e3779b1) >>> 0 < 2 ** 32 / ONE_IN
}

/** Of things that are no ledgers: the first of each so many, and all of them where everything is asked. */
export function sampleOf<T>(items: readonly T[], oneIn = ONE_IN): T[] {
  return isWhole ? [...items] : items.filter((_, n) => n % oneIn === 0)
}

/** A kind with at least so many answers must occur in a sample too. Answers of a rarer kind stand together in few ledgers, which a sample may miss. */
const MUST_OCCUR = 20 * ONE_IN

/**
 * Holds how many comparisons of each kind a test made: those of the shipped recording, when everything is asked. Of a sample every kind that is
 * not rare must have been compared, and none more often than in the whole.
 */
export function expectCounts<Counts extends number | Readonly<Record<string, number>>>(
  what: string,
  actual: Counts,
  ofShippedRecording: Counts,
): void {
  if (isWhole) expectAllCounts(what, actual, ofShippedRecording)
  else if (isShippedRecording) expectSample(what, byKind(actual), byKind(ofShippedRecording))
}

function byKind(counts: number | Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return typeof counts === 'number' ? { all: counts } : counts
}

function expectSample(what: string, found: Readonly<Record<string, number>>, all: Readonly<Record<string, number>>): void {
  expect(Object.keys(all), `${what}: kinds that were compared`).toEqual(expect.arrayContaining(Object.keys(found)))
  for (const [kind, count] of Object.entries(all)) {
    const sampled = found[kind] ?? 0
    expect(sampled, `${what}: ${kind}, in a sample of ${count}`).toBeLessThanOrEqual(count)
    if (count >= MUST_OCCUR) expect(sampled, `${what}: ${kind}, in a sample of ${count}`).toBeGreaterThan(0)
  }
}
