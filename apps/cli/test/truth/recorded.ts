// Answers of the recorded contracts, as the files of the ground truth lay them beside ours.

import { type ExpectedAnswer, groundTruthRecording } from '@orrery/testkit'
import { readRegistry } from './checkpoint.ts'
import { isSampled } from './sampled.ts'

/** What `raw` and the files that use it count on. */
function assertSevenDecimals(): void {
  const others = Object.entries(readRegistry().assets).filter(([, { decimals }]) => decimals !== 7)
  if (others.length === 0) return
  const named = others.map(([asset, { code, decimals }]) => `${code} ${asset}: ${decimals}`).join(', ')
  throw new Error(`these tests read amounts with 7 decimals, and assets of this recording have others: ${named}`)
}

/** Answers by ledger, in the order of the recording, of the kinds that begin with one of `prefixes`. */
export async function answersByLedger(...prefixes: string[]): Promise<Map<number, ExpectedAnswer[]>> {
  assertSevenDecimals()
  const answers = new Map<number, ExpectedAnswer[]>()
  for await (const answer of groundTruthRecording().expected()) {
    if (!isSampled(answer.ledger) || !prefixes.some((prefix) => answer.kind.startsWith(prefix))) continue
    const ofLedger = answers.get(answer.ledger) ?? []
    ofLedger.push(answer)
    answers.set(answer.ledger, ofLedger)
  }
  return answers
}

/**
 * Runs `task` over `items`, a few at a time. Items that `alike` gives one name follow each other: what the service has read for the first of
 * them, it remembers for the others.
 */
export async function each<T>(items: Iterable<T>, task: (item: T) => Promise<void>, alike?: (item: T) => unknown): Promise<void> {
  const all = [...items]
  const groups = (alike === undefined ? all.map((item) => [item]) : [...Map.groupBy(all, alike).values()]).values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const group of groups) for (const item of group) await task(item)
    }),
  )
}

/** Whole units as the wire writes them, to the smallest unit. Assets have 7 decimals: `assertSevenDecimals`. */
export function raw(units: string, decimals = 7): string {
  const [whole = '0', fraction = ''] = units.split('.')
  if (fraction.length > decimals) throw new Error(`${units} has more than ${decimals} digits`)
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString()
}
