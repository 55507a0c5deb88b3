// The texts of long answers are made in pieces, between which requests of others are served.

import { LONGEST_PIECE_MS, yieldToEventLoop } from '@orrery/service-kit'

/** Items of a list that is short. */
const ITEMS = 16
/** Items of which the text is made at once: an account with all of its positions is one. */
const TEXTS = 4

/** `JSON.stringify` of an answer: a list, or an object without `toJSON` of which a member may be a long list. */
export async function jsonInPieces(value: object): Promise<string> {
  if (Array.isArray(value)) return await listInPieces(value)
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
  const pause = yieldToEventLoop(LONGEST_PIECE_MS)
  const pieces: string[] = []
  for (let first = 0; first < items.length; first += TEXTS) {
    await pause()
    pieces.push(JSON.stringify(items.slice(first, first + TEXTS)).slice(1, -1))
  }
  return `[${pieces.join(',')}]`
}
