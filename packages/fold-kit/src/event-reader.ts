// How events are read: a table has for each event's name its further topics, its data and what it becomes. The events' types come from the tables.
// An event that no table has becomes a notice, never a silent skip.
// The same topic means different things in different contracts: the caller knows which contract emitted it.

import { type EventRecord, event, literal, matchEvent, type Of, type Shape, topicText } from '@orrery/ledger'

export type EventBytes = Pick<EventRecord, 'topics' | 'data'>

/** An event that has no reader, or another shape. `reason` goes into the notice. */
interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

/** Reads the members of one event, null when its shape is another. */
type Reader<E> = (record: EventBytes) => E | null

/** A line of a table: makes the reader of the event that begins with these topics, the last of which is its name. */
type Line<E> = (leading: readonly Shape<string>[]) => Reader<E>

type TopicsOf<S extends readonly Shape<unknown>[]> = { readonly [N in keyof S]: Of<S[N]> }

/** An event with these topics after its name. `make` gives null for values that no contract writes. */
export function on<const S extends readonly Shape<unknown>[], D, E extends object>(
  topics: S,
  data: Shape<D>,
  make: (topics: TopicsOf<S>, data: D) => E | null,
): Line<E> {
  return (leading) => {
    const shape = event([...leading, ...topics], data)
    return (record) => {
      const read = matchEvent(shape, record)
      return read === null ? null : make(read.topics.slice(leading.length) as unknown as TopicsOf<S>, read.data)
    }
  }
}

/** An event that has one of two shapes. */
export function either<E>(first: Line<E>, second: Line<E>): Line<E> {
  return (leading) => {
    const [readFirst, readSecond] = [first(leading), second(leading)]
    return (record) => readFirst(record) ?? readSecond(record)
  }
}

/** The events of a table: each has its name and the members of its line. */
type EventsOf<T> = { [N in keyof T]: T[N] extends Line<infer E> ? { readonly name: N } & Readonly<E> : never }[keyof T]

/** Reads an event by its name: its first topic, or the one after `prefix`. An event that cannot be read gives the reason. */
export function eventReader<T extends Readonly<Record<string, Line<object>>>>(
  table: T,
  prefix: { readonly type: 'string' | 'symbol'; readonly text: string } | null = null,
): (record: EventBytes) => EventsOf<T> | Unknown {
  const leading = prefix === null ? [] : [literal(prefix.type, prefix.text)]
  const readers = new Map(Object.entries(table).map(([name, line]) => [name, line([...leading, literal('symbol', name)])]))
  return (record) => {
    const first = topicText(record, 0)
    const topic = topicText(record, leading.length)
    const isOwn = prefix === null || (first?.type === prefix.type && first.text === prefix.text)
    const name = isOwn && topic?.type === 'symbol' ? topic.text : ''
    const reader = readers.get(name)
    if (reader === undefined) return unknown('unknown topic', record)
    const members = reader(record)
    return members === null ? unknown('unreadable', record) : ({ name, ...members } as EventsOf<T>)
  }
}

function unknown(problem: 'unknown topic' | 'unreadable', record: EventBytes): Unknown {
  return { name: 'unknown', reason: `${problem} ${printableTopics(record)}` }
}

/** Topics are text of any contract: cut to 32 characters each, other than `[\w.-]` replaced. */
function printableTopics(record: EventBytes): string {
  const topics = [topicText(record, 0)?.text ?? '(none)', topicText(record, 1)?.text].filter((topic) => topic !== undefined)
  return topics.map((topic) => topic.replace(/[^\w.-]/g, '?').slice(0, 32)).join('/')
}
