// What the ground-truth tests share: the recording that they compare with, and counts that are pinned for the shipped one.

import { expect } from 'vitest'
import { isShippedRecording } from './ground-truth-recording.ts'

export { testTier } from './env.ts'
export { groundTruthRecording, isShippedRecording } from './ground-truth-recording.ts'

/**
 * Holds how many comparisons of each kind a test made, so that none is left out unnoticed. The counts are those of the shipped recording; on another
 * one they are printed instead, whose counts are not known beforehand.
 */
export function expectCounts<Counts>(what: string, actual: Counts, ofShippedRecording: Counts): void {
  if (isShippedRecording) expect(actual).toEqual(ofShippedRecording)
  else process.stdout.write(`${what}: ${JSON.stringify(actual)}\n`)
}
