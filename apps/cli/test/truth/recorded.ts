// Answers of the recorded contracts, as the files of the ground truth lay them beside ours.

import { type ExpectedAnswer, recording } from '@orrery/testkit'
import { expect } from 'vitest'

/** Answers by ledger, in the order of the recording, of the kinds that begin with one of `prefixes`. */
export async function answersByLedger(...prefixes: string[]): Promise<Map<number, ExpectedAnswer[]>> {
  const answers = new Map<number, ExpectedAnswer[]>()
  for await (const answer of recording().expected()) {
    if (!prefixes.some((prefix) => answer.kind.startsWith(prefix))) continue
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

/** Whole units as the wire writes them, to the smallest unit. Every asset of the recording has 7 decimals. */
export function raw(units: string, decimals = 7): string {
  const [whole = '0', fraction = ''] = units.split('.')
  if (fraction.length > decimals) throw new Error(`${units} has more than ${decimals} digits`)
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString()
}

/** How many answers of each kind were compared, and in which ways. */
export class Compared {
  readonly counts: Record<string, number> = {}

  /** One answer, with what it is about in the message. */
  equal(what: string, about: object, ours: unknown, theirs: unknown): void {
    expect({ what, ...about, says: ours }).toEqual({ what, ...about, says: theirs })
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  print(how: string): void {
    process.stderr.write(`Compared ${how}: ${JSON.stringify(this.counts)}\n`)
  }
}
