// The recording that the ground-truth tests compare with. Does not import the test runner, so that a global setup can use it.

import { resolve } from 'node:path'
import { groundTruthDir } from './env.ts'
import { type Recording, recording } from './recording.ts'

/** Whether the ground-truth tests run on the recording that ships with the repository. Only then are counts of comparisons pinned. */
export const isShippedRecording = groundTruthDir === null

/**
 * The recording whose answers are the ground truth: the folder that `ORRERY_TEST_RECORDING` names (`lake/`, `registry.json`, `network.json`,
 * `expected.jsonl.zst`), else the shipped one.
 */
export function groundTruthRecording(): Recording {
  return groundTruthDir === null ? recording() : recording(resolve(groundTruthDir))
}
