// Shared by the ground-truth tests: the recording that they compare with, and counts that are pinned for the shipped one.

import { expect } from 'vitest'
import { isShippedRecording } from './ground-truth-recording.ts'

export { testTier } from './env.ts'
export { groundTruthRecording, isShippedRecording } from './ground-truth-recording.ts'

/**
 * Checks how many comparisons of each kind a test made, so that a missing one fails. The counts are those of the shipped recording; for another
 * recording they are printed instead.
 */
export function expectCounts<Counts>(what: string, actual: Counts, ofShippedRecording: Counts): void {
  if (isShippedRecording) expect(actual).toEqual(ofShippedRecording)
  else process.stdout.write(`${what}: ${JSON.stringify(actual)}\n`)
}
