// What the readers of events share: shapes by topic, and texts for events that no reader knows.
// The caller checks contract identity: any contract can emit these topics.

import { type EventRecord, type EventShape, event, literal, matchEvent, type Shape, topicText } from '@orrery/ledger'

export type EventBytes = Pick<EventRecord, 'topics' | 'data'>

/** An event that no reader knows. `reason` is the notice's. */
export interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

/** Set-up and other administrative changes. */
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

/** What `make` returns for the event's values; `unknown` where it has another shape. */
export function readAs<T extends readonly unknown[], D, E>(
  shape: EventShape<T, D>,
  record: EventBytes,
  make: (topics: T, data: D) => E,
): E | Unknown {
  const read = matchEvent(shape, record)
  return read === null ? unreadable(record) : make(read.topics, read.data)
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

/** Topics are text of any contract: cut, and without what would disturb a log line. */
function topicInWords(record: EventBytes): string {
  return (topicText(record, 0)?.text ?? '(none)').replace(/[^\w.-]/g, '?').slice(0, 32)
}
