// Events by shape: topics and data together, and a fast reader of the first topics to distinguish events.
// Symbol("swap") and String("swap") are different topics: compare both text and type.

import type { EventRecord } from './record.ts'
import { decode, type Of, type Shape, unexpectedShape, type Where } from './shape.ts'
import { MISMATCH, ShapeReader } from './shape-reader.ts'

export interface EventShape<T extends readonly unknown[], D> {
  readonly topics: readonly Shape<unknown>[]
  readonly data: Shape<D>
  /** Only for the type: the values of `topics`. */
  readonly read?: T
}

export interface EventValues<T extends readonly unknown[], D> {
  readonly topics: T
  readonly data: D
}

type TopicsOf<S extends readonly Shape<unknown>[]> = { readonly [N in keyof S]: Of<S[N]> }
type Bytes = Pick<EventRecord, 'topics' | 'data'>

/** An event with exactly these topics. */
export function event<const S extends readonly Shape<unknown>[], D>(topics: S, data: Shape<D>): EventShape<TopicsOf<S>, D> {
  return { topics, data }
}

/** @throws OrreryError `corrupt`/`unexpected_shape` naming contract, what and path. */
export function readEvent<T extends readonly unknown[], D>(shape: EventShape<T, D>, record: Bytes, where: Where): EventValues<T, D> {
  const reader = new ShapeReader(record.topics)
  const topics = readTopics(shape, reader)
  if (topics === null) throw unexpectedShape(`${shape.topics.length} topics`, reader, where)
  return { topics, data: decode(shape.data, record.data, where) }
}

/** The event's values, or null when it is of another shape. */
export function matchEvent<T extends readonly unknown[], D>(shape: EventShape<T, D>, record: Bytes): EventValues<T, D> | null {
  const topics = readTopics(shape, new ShapeReader(record.topics))
  if (topics === null) return null
  const reader = new ShapeReader(record.data)
  const data = shape.data.read(reader)
  if (data === MISMATCH) return null
  reader.end(shape.data.name)
  return { topics, data }
}

function readTopics<T extends readonly unknown[], D>(shape: EventShape<T, D>, reader: ShapeReader): T | null {
  const count = reader.count(4, 'topics')
  if (count !== shape.topics.length) {
    reader.mismatch(`expected ${shape.topics.length} topics, found ${count}`)
    return null
  }
  const values: unknown[] = []
  for (const [n, topic] of shape.topics.entries()) {
    const value = topic.read(reader)
    if (value === MISMATCH) {
      reader.under(`topic ${n}`)
      return null
    }
    values.push(value)
  }
  reader.end('topics')
  return values as unknown as T
}

export interface TopicText {
  readonly type: 'symbol' | 'string'
  readonly text: string
}

/** Text of topic `n` with its type, or null when there is none or it is neither symbol nor string. */
export function topicText(record: Pick<EventRecord, 'topics'>, n: number): TopicText | null {
  const reader = new ShapeReader(record.topics)
  if (n >= reader.count(4, 'topics')) return null
  for (let before = 0; before < n; before++) reader.skip()
  const arm = reader.u32('ScVal')
  if (arm !== 14 && arm !== 15) return null
  return { type: arm === 15 ? 'symbol' : 'string', text: reader.text('ScVal.symbol').text }
}

/** Text of topic 0, symbol or string, or null. Use `topicText` where the type matters. */
export function topicName(record: Pick<EventRecord, 'topics'>): string | null {
  return topicText(record, 0)?.text ?? null
}
