// Long lists are made in pieces, between which other work is done: thousands of points would block a process for tens of milliseconds.

import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** A fraction of what a page of the API takes. */
export const LONGEST_PIECE_MS = 1
/** Items between looks at the clock. */
const ITEMS = 16

/** `items.map(of)`. */
export async function mapInPieces<Item, Result>(items: readonly Item[], of: (item: Item, n: number) => Result): Promise<Result[]> {
  if (items.length <= ITEMS) return items.map(of)
  const pause = yieldToEventLoop(LONGEST_PIECE_MS)
  const results: Result[] = []
  for (const [n, item] of items.entries()) {
    if (n % ITEMS === 0) await pause()
    results.push(of(item, n))
  }
  return results
}
