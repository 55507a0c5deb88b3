// Whether the comparisons that the list of members claims have run: checked at the end of each test file that makes them.

import { type ExpectedAnswer, isShippedRecording } from '@orrery/testkit'
import { comparedBy, memberPaths } from './compared.ts'
import { type TestName, type Through, WAYS } from './member.ts'
import { MEMBERS } from './members.ts'

/**
 * Claims of the list about a test file, against the comparisons that ran in it. Of the shipped recording every claimed member must have been
 * compared, and nothing may have been compared that is not claimed. Another recording may have a member only where a contract refuses an answer:
 * there each kind that occurs must have been compared.
 *
 * @param answers All answers of the file's kinds in the recording, without those about contracts that are not of the protocols.
 */
export function claimsThatDidNotRun(test: TestName, answers: readonly ExpectedAnswer[]): string[] {
  const wrong: string[] = []
  for (const [kind, lines] of Map.groupBy(answers, (answer) => answer.kind)) {
    const listed = Object.entries(MEMBERS[kind] ?? {})
    const occurring = new Set(lines.flatMap((line) => Object.entries(line).flatMap(([member, value]) => memberPaths(kind, member, value))))
    for (const through of WAYS) {
      const claimed = listed.filter(([, member]) => 'ways' in member && member.ways[through] === test).map(([path]) => path)
      const compared = comparedBy(through, kind)
      if (claimed.length > 0 && compared.size === 0) wrong.push(`${kind} through ${through}: nothing was compared`)
      if (!isShippedRecording) continue
      wrong.push(...claimed.filter((path) => occurring.has(path) && !compared.has(path)).map((path) => lacks(kind, path, through)))
      // Members that name the request may be compared too: they prove nothing more.
      const known = new Set([...claimed, ...listed.filter(([, member]) => 'question' in member).map(([path]) => path)])
      wrong.push(...[...compared].filter((path) => !known.has(path)).map((path) => `${kind} ${path} through ${through}: not claimed`))
    }
  }
  return wrong
}

function lacks(kind: string, path: string, through: Through): string {
  return `${kind} ${path} through ${through}: claimed, and not compared`
}
