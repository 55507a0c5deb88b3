// A place in the stream: after which event it goes on. Its text is the id of the event, so that a client that comes back with the last id it has
// seen gets what follows, from any instance and after any restart.

import { decodeEventKey } from '@orrery/protocol-kit'

/** The order of events within a ledger. `ledger` ends it. */
export const STREAM_PARTS = ['activity', 'position', 'health_factor', 'ledger'] as const
export type StreamPart = (typeof STREAM_PARTS)[number]

export interface StreamPlace {
  readonly ledger: number
  readonly part: StreamPart
  /** Order within the part: the id of an activity; `protocol/pool/address` of a position; '' at the end of a ledger. */
  readonly key: string
}

/** The place after everything of a ledger. */
export function endOfLedger(ledger: number): StreamPlace {
  return { ledger, part: 'ledger', key: '' }
}

/** Negative if `a` comes before `b`. */
export function comparePlaces(a: StreamPlace, b: StreamPlace): number {
  if (a.ledger !== b.ledger) return a.ledger - b.ledger
  if (a.part !== b.part) return STREAM_PARTS.indexOf(a.part) - STREAM_PARTS.indexOf(b.part)
  // Code units order ASCII as the engine orders bytes.
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** The id of the event at the place: `1000123` for the end of a ledger, `1000123/activity/000f42…` for an event in it. */
export function placeText({ ledger, part, key }: StreamPlace): string {
  return part === 'ledger' ? String(ledger) : `${ledger}/${part}/${key}`
}

const LEDGER = /^(?:0|[1-9][0-9]{0,9})$/
const LARGEST_LEDGER = 4_294_967_295
const ACTIVITY = /^[0-9a-f]{32}$/
const POSITION = /^[a-z0-9]+\/[A-Za-z0-9:]+\/[GC][A-Z2-7]{55}$/

/** The place of an id. Null for a text that is no id of an event. */
export function readPlace(text: string): StreamPlace | null {
  const [ledgerText = '', part, ...rest] = text.split('/')
  const ledger = Number(ledgerText)
  if (!LEDGER.test(ledgerText) || ledger > LARGEST_LEDGER) return null
  if (part === undefined) return endOfLedger(ledger)
  const key = rest.join('/')
  if (part === 'activity') return ACTIVITY.test(key) && decodeEventKey(key).ledger === ledger ? { ledger, part, key } : null
  if (part === 'position' || part === 'health_factor') return POSITION.test(key) ? { ledger, part, key } : null
  return null
}
