// What the readers of events share: an event is declared once, by the names of its members, and that gives its type and its reader.
// The caller checks contract identity: any contract can emit these topics.

import { type EventRecord, event, matchEvent, nothing, type Of, type Shape, symbol, topicText, tuple } from '@orrery/ledger'

export type EventBytes = Pick<EventRecord, 'topics' | 'data'>

/** An event that no reader knows. `reason` is the notice's. */
export interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

/** Reads what an event has beside its name. Null: it has another shape. */
export type Reader<E> = (record: EventBytes) => E | null

type Readers = Readonly<Record<string, Reader<object>>>
type Shapes = Readonly<Record<string, Shape<unknown>>>
type Values<S extends Shapes> = { readonly [K in keyof S]: Of<S[K]> }

/** One of the events `N` that a table declares. */
export type EventOf<T extends Readers, N extends keyof T = keyof T> = {
  [K in N]: { readonly name: K } & NonNullable<ReturnType<T[K]>>
}[N]

/** An event `[Symbol name, …topics]` whose data is a list. Members in the order of the chain. */
export function withList<const T extends Shapes, const D extends Shapes>(topics: T, data: D): Reader<Values<T> & Values<D>> {
  return reader(topics, Object.keys(data), tuple(...Object.values(data)))
}

/** An event `[Symbol name, …topics]` whose data is one value, or void. */
export function withValue<const T extends Shapes, const D extends Shapes>(topics: T, data: D): Reader<Values<T> & Values<D>> {
  const [[name, shape] = []] = Object.entries(data)
  return name === undefined || shape === undefined ? reader(topics, [], nothing) : reader(topics, [name], shape, (value) => [value])
}

function reader<E>(topics: Shapes, names: readonly string[], data: Shape<unknown>, valuesOf = (it: unknown) => it as unknown[]): Reader<E> {
  const shape = event<readonly Shape<unknown>[], unknown>([symbol, ...Object.values(topics)], data)
  const members = [...Object.keys(topics), ...names]
  return (record) => {
    const read = matchEvent(shape, record)
    if (read === null) return null
    const values = [...read.topics.slice(1), ...(names.length === 0 ? [] : valuesOf(read.data))]
    return Object.fromEntries(members.map((name, n) => [name, values[n]])) as E
  }
}

/** What another reader reads, in other members. */
export function mapped<E, F>(read: Reader<E>, make: (event: E) => F | null): Reader<F> {
  return (record) => {
    const event = read(record)
    return event === null ? null : make(event)
  }
}

/** The event by the table's reader of its name: null without one, `unknown` where it has another shape. */
export function readEvent<const T extends Readers>(readers: T, record: EventBytes): EventOf<T> | Unknown | null {
  const found = readMembers(readers, record)
  if (found === null || found.name === 'unknown') return found
  return { name: found.event, ...found.members } as EventOf<T>
}

/** Likewise, with name and members apart. */
export function readMembers(readers: Readers, record: EventBytes): EventMembers | Unknown | null {
  const event = eventName(record)
  const read = event === null || !Object.hasOwn(readers, event) ? undefined : readers[event]
  if (event === null || read === undefined) return null
  const members = read(record)
  return members === null ? { name: 'unknown', reason: `unreadable ${topicInWords(record)}` } : { name: 'known', event, members }
}

interface EventMembers {
  readonly name: 'known'
  readonly event: string
  readonly members: object
}

/** Text of topic 0 where it is a Symbol, else null: all contracts here name their events so. */
export function eventName(record: EventBytes): string | null {
  const first = topicText(record, 0)
  return first?.type === 'symbol' ? first.text : null
}

export function unknown(record: EventBytes): Unknown {
  return { name: 'unknown', reason: `unknown topic ${topicInWords(record)}` }
}

/** Topics are text of any contract: cut, and without what would disturb a log line. */
function topicInWords(record: EventBytes): string {
  return (topicText(record, 0)?.text ?? '(none)').replace(/[^\w.-]/g, '?').slice(0, 32)
}
