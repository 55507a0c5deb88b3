// The order in which the files of the second tier begin, for a run that a time limit may cut (`time-limit-runner.ts`): what takes minutes first, so that it does not
// begin at the end; then the small files, so that many run; last what `npm test` has run already, what `npm run test:long` does more thoroughly, and what
// other files check in part.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Part of a file's name, and its place; all others are 0. */
const PLACES: readonly (readonly [RegExp, number])[] = [
  [/simulation\.system|\/cluster\.system|\/replay\.system|verify-findings\./, -1],
  [/ground-truth-.*\.system\.|fuzz\.|cli\/test\/growing-registry\.|cluster-outage\.|verify-after-crash\./, 2],
]
/** Also in the first tier. */
const AGAIN = 1

const placeOf = ({ moduleId }: TestSpecification): number =>
  PLACES.find(([name]) => name.test(moduleId))?.[1] ?? (moduleId.includes('.system.') ? 0 : AGAIN)

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const of = Map.groupBy(sorted, placeOf)
    // `super` has the longest first.
    return [-1, 0, AGAIN, 2].flatMap((place) => (place === 0 ? (of.get(place) ?? []).reverse() : (of.get(place) ?? [])))
  }
}
