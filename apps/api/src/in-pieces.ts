// Long answers are made in pieces, between which requests of others are served: thousands of points would block this process for tens of milliseconds.

import { yieldToEventLoop } from '@orrery/service-kit'

/** A fraction of what a page takes. */
const LONGEST_WORK_MS = 2
/** Items between looks at the clock. */
const ITEMS = 16

/** `items.map(of)`. */
export async function mapInPieces<Item, Result>(items: readonly Item[], of: (item: Item, n: number) => Result): Promise<Result[]> {
  if (items.length <= ITEMS) return items.map(of)
  const pause = yieldToEventLoop(LONGEST_WORK_MS)
  const results: Result[] = []
  for (const [n, item] of items.entries()) {
    if (n % ITEMS === 0) await pause()
    results.push(of(item, n))
  }
  return results
}

/** `JSON.stringify` of an answer: an object without `toJSON`, of which a member may be a long list. */
export async function jsonInPieces(value: object): Promise<string> {
  const entries = Object.entries(value)
  if (!entries.some(([, member]) => isLong(member))) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, member] of entries) {
    const text = isLong(member) ? await listInPieces(member) : JSON.stringify(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > ITEMS

async function listInPieces(items: readonly unknown[]): Promise<string> {
  const pause = yieldToEventLoop(LONGEST_WORK_MS)
  const pieces: string[] = []
  for (let first = 0; first < items.length; first += ITEMS) {
    await pause()
    pieces.push(JSON.stringify(items.slice(first, first + ITEMS)).slice(1, -1))
  }
  return `[${pieces.join(',')}]`
}
