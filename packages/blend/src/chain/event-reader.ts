// How events are read here: a table of topics, each with its shape and what it becomes. An event that no table has becomes a notice, never a silent skip.
// All of Blend's topics begin with a Symbol. The same topic means different things in different contracts: the caller knows which contract emitted it.

import { type EventRecord, event, literal, matchEvent, type Of, type Shape, topicText } from '@orrery/ledger'

export type EventBytes = Pick<EventRecord, 'topics' | 'data'>

/** An event that has no reader, or another shape. `reason` goes into the notice. */
export interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

/** Reads an event of one topic, null when its shape is another. */
export type TopicReader<E> = (record: EventBytes) => E | null

type TopicsOf<S extends readonly Shape<unknown>[]> = { readonly [N in keyof S]: Of<S[N]> }

/** A line of a table: an event `name` with these topics after it. `make` gives null for values that no contract writes. */
export function on<const S extends readonly Shape<unknown>[], D, E>(
  name: string,
  topics: S,
  data: Shape<D>,
  make: (topics: TopicsOf<S>, data: D) => E | null,
): readonly [string, TopicReader<E>] {
  const shape = event([literal('symbol', name), ...topics], data)
  return [
    name,
    (record) => {
      const read = matchEvent(shape, record)
      return read === null ? null : make(read.topics.slice(1) as unknown as TopicsOf<S>, read.data)
    },
  ]
}

/** The event by its first topic, or why it cannot be read. */
export function readByTopic<E>(readers: ReadonlyMap<string, TopicReader<E>>, record: EventBytes): E | Unknown {
  const first = topicText(record, 0)
  const reader = first?.type === 'symbol' ? readers.get(first.text) : undefined
  if (reader === undefined) return unknown('unknown topic', record)
  return reader(record) ?? unknown('unreadable', record)
}

export function unknown(problem: 'unknown topic' | 'unreadable', record: EventBytes): Unknown {
  return { name: 'unknown', reason: `${problem} ${printableTopics(record)}` }
}

/** Topics are text of any contract: cut to 32 characters each, other than `[\w.-]` replaced. */
function printableTopics(record: EventBytes): string {
  const topics = [topicText(record, 0)?.text ?? '(none)', topicText(record, 1)?.text].filter((topic) => topic !== undefined)
  return topics.map((topic) => topic.replace(/[^\w.-]/g, '?').slice(0, 32)).join('/')
}
