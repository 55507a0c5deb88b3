// Readers of every event of Soroswap's contracts, one for each topic. Unknown events are counted, never skipped silently.
// Protocol events have two topics, String then Symbol, and a map as data; LP share events are those of soroban-token-sdk 20: Symbol first.
// The caller checks the contract: any contract can emit these topics. Source: soroswap/core contracts/*/src/event.rs.

import {
  type Address,
  address,
  any,
  bool,
  type EventRecord,
  type EventShape,
  event,
  i128,
  matchEvent,
  readEvent,
  type Shape,
  string,
  struct,
  symbol,
  topicText,
  u32,
  vec,
} from '@orrery/ledger'

type Bytes = Pick<EventRecord, 'topics' | 'data'>
/** Reads what an event has beside its name. Null: it has another shape. */
type Reader<E> = (record: Bytes) => E | null
type Readers = Readonly<Record<string, Reader<object>>>
/** The events that a table of readers reads. `name` distinguishes them. */
type EventOf<T extends Readers> = { [K in keyof T]: { readonly name: K } & NonNullable<ReturnType<T[K]>> }[keyof T]

function reader<T extends readonly unknown[], D, E>(shape: EventShape<T, D>, members: (data: D, topics: T) => E): Reader<E> {
  return (record) => {
    const read = matchEvent(shape, record)
    return read === null ? null : members(read.data, read.topics)
  }
}

function protocolEvent<D, E>(data: Shape<D>, members: (data: D) => E): Reader<E> {
  return reader(event([string, symbol], data), members)
}

/** Raw amounts, in the pair's token order. `liquidity` are LP shares, without the 1000 that a first deposit locks. */
const liquidity = protocolEvent(struct({ amount_0: i128, amount_1: i128, liquidity: i128, to: address }), (data) => ({
  amounts: [data.amount_0, data.amount_1] as const,
  liquidity: data.liquidity,
  to: data.to,
}))

const PAIR = {
  deposit: liquidity,
  withdraw: liquidity,
  /** `to` receives the output: on a path, the next pair. */
  swap: protocolEvent(struct({ amount_0_in: i128, amount_0_out: i128, amount_1_in: i128, amount_1_out: i128, to: address }), (data) => ({
    amountsIn: [data.amount_0_in, data.amount_1_in] as const,
    amountsOut: [data.amount_0_out, data.amount_1_out] as const,
    to: data.to,
  })),
  /** The new reserves. Emitted before the swap, deposit or withdraw that it belongs to; alone it is `pair.sync()`. */
  sync: protocolEvent(struct({ new_reserve_0: i128, new_reserve_1: i128 }), (data) => ({
    reserves: [data.new_reserve_0, data.new_reserve_1] as const,
  })),
  /** The balance above the reserves, which was paid out. Only the tokens' transfers have the receiver. */
  skim: protocolEvent(struct({ skimmed_0: i128, skimmed_1: i128 }), (data) => ({ amounts: [data.skimmed_0, data.skimmed_1] as const })),
}

/** A movement of LP shares. A mint has `from` null, a burn `to` null. */
interface Move {
  readonly from: Address | null
  readonly to: Address | null
  readonly shares: bigint
}

const SHARE = {
  mint: reader(event([symbol, address, address], i128), (shares, [, , to]): Move => ({ from: null, to, shares })),
  burn: reader(event([symbol, address], i128), (shares, [, from]): Move => ({ from, to: null, shares })),
  transfer: reader(event([symbol, address, address], i128), (shares, [, from, to]): Move => ({ from, to, shares })),
  approve: reader(event([symbol, address, address], any), () => ({})),
}

const NewPairData = event([string, symbol], struct({ new_pairs_length: u32, pair: address, token_0: address, token_1: address }))

const FACTORY = {
  new_pair: reader(NewPairData, newPairOf),
  fee_to: protocolEvent(struct({ new: address, old: address, setter: address }), (data) => data),
  setter: protocolEvent(struct({ new: address, old: address }), (data) => data),
  fees: protocolEvent(struct({ fees_enabled: bool }), (data) => ({ enabled: data.fees_enabled })),
  init: protocolEvent(struct({ setter: address }), () => ({})),
}

const routed = protocolEvent(struct({ liquidity: i128, pair: address, to: address }), (data) => data)

const ROUTER = {
  add: routed,
  remove: routed,
  swap: protocolEvent(struct({ amounts: vec(i128), path: vec(address), to: address }), (data) => data),
  init: protocolEvent(struct({ factory: address }), () => ({})),
}

/** Not an event of Soroswap: `reason` describes it, for the notice. */
interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

export type PairEvent = EventOf<typeof PAIR> | EventOf<typeof SHARE> | Unknown
export type PairLiquidity = Extract<PairEvent, { readonly name: 'deposit' | 'withdraw' }>
export type PairSwap = Extract<PairEvent, { readonly name: 'swap' }>
export type PairSkim = Extract<PairEvent, { readonly name: 'skim' }>
export type ShareMove = Extract<PairEvent, Move>
export type FactoryEvent = EventOf<typeof FACTORY> | Unknown
export type RouterEvent = EventOf<typeof ROUTER> | Unknown

export function readPairEvent(record: Bytes): PairEvent {
  const first = topicText(record, 0)
  return first?.type === 'symbol' ? read(SHARE, first.text, record) : read(PAIR, protocolTopic(record, 'SoroswapPair'), record)
}

export function readFactoryEvent(record: Bytes): FactoryEvent {
  return read(FACTORY, protocolTopic(record, 'SoroswapFactory'), record)
}

export function readRouterEvent(record: Bytes): RouterEvent {
  return read(ROUTER, protocolTopic(record, 'SoroswapRouter'), record)
}

function read<T extends Readers>(readers: T, name: string | null, record: Bytes): EventOf<T> | Unknown {
  const found = name !== null && Object.hasOwn(readers, name) ? readers[name] : undefined
  if (found === undefined) return { name: 'unknown', reason: `unknown topic ${topicsInWords(record)}` }
  const members = found(record)
  return members === null ? { name: 'unknown', reason: `unreadable ${topicsInWords(record)}` } : ({ name, ...members } as EventOf<T>)
}

/** Whether the event, coming from a factory, announces a pair. */
export function isNewPair(record: Bytes): boolean {
  return protocolTopic(record, 'SoroswapFactory') === 'new_pair'
}

/** @throws OrreryError `corrupt`/`unexpected_shape`: a pair that cannot be read would be lost with everything in it. */
export function readNewPair(record: EventRecord) {
  return newPairOf(readEvent(NewPairData, record, { contract: record.contract, what: 'event new_pair' }).data)
}

/** `index`: place in the factory's list, from 0. */
function newPairOf(data: { new_pairs_length: number; pair: Address; token_0: Address; token_1: Address }) {
  return { pair: data.pair, token0: data.token_0, token1: data.token_1, index: data.new_pairs_length - 1 }
}

/** Topic 1 as a Symbol where topic 0 is the String `contract`, else null. */
function protocolTopic(record: Bytes, contract: string): string | null {
  const first = topicText(record, 0)
  if (first?.type !== 'string' || first.text !== contract) return null
  const second = topicText(record, 1)
  return second?.type === 'symbol' ? second.text : null
}

/** Topics are untrusted text: cut, and without characters that would break a log line. */
function topicsInWords(record: Bytes): string {
  const words = [topicText(record, 0)?.text ?? '(none)', topicText(record, 1)?.text].filter((word) => word !== undefined)
  return words.map((word) => word.replace(/[^\w.-]/g, '?').slice(0, 32)).join('/')
}
