// The order in which the files of a run begin, for a run that a time limit may cut (`time-limit-runner.ts`): what takes minutes first, so that it does not begin
// last, and last what `npm run test:long` does more thoroughly.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Part of a file's name, and its place; all others are 0. */
const PLACES: readonly (readonly [RegExp, number])[] = [
  [/simulation\.|fuzz\.|cluster\.system|replay\.|verify-findings\./, -1],
  [/ground-truth-.*\.system\./, 1],
]

const placeOf = ({ moduleId }: TestSpecification): number => PLACES.find(([name]) => name.test(moduleId))?.[1] ?? 0

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
