// What the readers of events share: shapes by topic, and words for what no reader knows.
// Contract identity is the caller's business: anybody can emit these topics.

import { type EventRecord, type EventShape, event, literal, matchEvent, type Shape, topicText } from '@orrery/ledger'

export type EventBytes = Pick<EventRecord, 'topics' | 'data'>

/** Not one of ours: `reason` says what it is, for the notice. */
export interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

/** Set-up and other changes by whoever may make them; the members of the event by our names. */
export interface AdminEvent {
  readonly name: 'admin'
  /** The contract's own name of the event. */
  readonly event: string
  /** snake_case, as it goes to `metadata`. */
  readonly details: Readonly<Record<string, unknown>>
}

/** An event `[Symbol name, …topics]`. */
export function named<const S extends readonly Shape<unknown>[], D>(name: string, topics: S, data: Shape<D>) {
  return event([literal('symbol', name), ...topics] as const, data)
}

/** The event's values by what `tell` makes of them; counted as unreadable where it has another shape. */
export function readAs<T extends readonly unknown[], D, E>(
  shape: EventShape<T, D>,
  record: EventBytes,
  tell: (topics: T, data: D) => E,
): E | Unknown {
  const read = matchEvent(shape, record)
  return read === null ? unreadable(record) : tell(read.topics, read.data)
}

/** Text of topic 0 where it is a Symbol, else null: all contracts here name their events so. */
export function eventName(record: EventBytes): string | null {
  const first = topicText(record, 0)
  return first?.type === 'symbol' ? first.text : null
}

export function unknown(record: EventBytes): Unknown {
  return { name: 'unknown', reason: `unknown topic ${topicInWords(record)}` }
}

export function unreadable(record: EventBytes): Unknown {
  return { name: 'unknown', reason: `unreadable ${topicInWords(record)}` }
}

/** Topics are somebody's text: cut, and without what would disturb a log line. */
function topicInWords(record: EventBytes): string {
  return (topicText(record, 0)?.text ?? '(none)').replace(/[^\w.-]/g, '?').slice(0, 32)
}
