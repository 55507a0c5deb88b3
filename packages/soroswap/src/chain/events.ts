// Readers of every event of Soroswap's contracts, one for each topic. Unknown events are counted, never skipped silently.
// Protocol events have two topics, String then Symbol, and a map as data; LP share events are those of soroban-token-sdk 20: Symbol first.
// The caller checks the contract: any contract can emit these topics. Source: soroswap/core contracts/*/src/event.rs.

import {
  type Address,
  address,
  any,
  bool,
  type ContractId,
  type EventRecord,
  type EventShape,
  event,
  i128,
  literal,
  matchEvent,
  readEvent,
  type Shape,
  struct,
  topicText,
  u32,
  vec,
} from '@orrery/ledger'

type Bytes = Pick<EventRecord, 'topics' | 'data'>

const named = <D>(contract: string, name: string, data: Shape<D>): EventShape<readonly string[], D> =>
  event([literal('string', contract), literal('symbol', name)], data)

const Liquidity = struct({ amount_0: i128, amount_1: i128, liquidity: i128, to: address })

const PAIR = {
  deposit: named('SoroswapPair', 'deposit', Liquidity),
  withdraw: named('SoroswapPair', 'withdraw', Liquidity),
  swap: named(
    'SoroswapPair',
    'swap',
    struct({ amount_0_in: i128, amount_0_out: i128, amount_1_in: i128, amount_1_out: i128, to: address }),
  ),
  sync: named('SoroswapPair', 'sync', struct({ new_reserve_0: i128, new_reserve_1: i128 })),
  skim: named('SoroswapPair', 'skim', struct({ skimmed_0: i128, skimmed_1: i128 })),
}

const SHARE = {
  mint: event([literal('symbol', 'mint'), address, address], i128),
  burn: event([literal('symbol', 'burn'), address], i128),
  transfer: event([literal('symbol', 'transfer'), address, address], i128),
  approve: event([literal('symbol', 'approve'), address, address], any),
}

const FACTORY = {
  new_pair: named('SoroswapFactory', 'new_pair', struct({ new_pairs_length: u32, pair: address, token_0: address, token_1: address })),
  fee_to: named('SoroswapFactory', 'fee_to', struct({ new: address, old: address, setter: address })),
  setter: named('SoroswapFactory', 'setter', struct({ new: address, old: address })),
  fees: named('SoroswapFactory', 'fees', struct({ fees_enabled: bool })),
  init: named('SoroswapFactory', 'init', struct({ setter: address })),
}

const ROUTER = {
  add: named('SoroswapRouter', 'add', struct({ liquidity: i128, pair: address, to: address })),
  remove: named('SoroswapRouter', 'remove', struct({ liquidity: i128, pair: address, to: address })),
  swap: named('SoroswapRouter', 'swap', struct({ amounts: vec(i128), path: vec(address), to: address })),
  init: named('SoroswapRouter', 'init', struct({ factory: address })),
}

/** Raw amounts, in the pair's token order. `liquidity` are LP shares, without the 1000 that a first deposit locks. */
export interface PairLiquidity {
  readonly name: 'deposit' | 'withdraw'
  readonly amounts: readonly [bigint, bigint]
  readonly liquidity: bigint
  readonly to: Address
}

export interface PairSwap {
  readonly name: 'swap'
  readonly amountsIn: readonly [bigint, bigint]
  readonly amountsOut: readonly [bigint, bigint]
  /** Receiver of the output: on a path, the next pair. */
  readonly to: Address
}

/** The new reserves. Emitted before the swap, deposit or withdraw that it belongs to; alone it is `pair.sync()`. */
export interface PairSync {
  readonly name: 'sync'
  readonly reserves: readonly [bigint, bigint]
}

/** The balance above the reserves, which was paid out. Only the tokens' transfers have the receiver. */
export interface PairSkim {
  readonly name: 'skim'
  readonly amounts: readonly [bigint, bigint]
}

/** A movement of LP shares. A mint has `from` null, a burn `to` null. */
export interface ShareMove {
  readonly name: 'mint' | 'burn' | 'transfer'
  readonly from: Address | null
  readonly to: Address | null
  readonly shares: bigint
}

export interface ShareApproval {
  readonly name: 'approve'
}

/** Not an event of Soroswap: `reason` describes it, for the notice. */
export interface Unknown {
  readonly name: 'unknown'
  readonly reason: string
}

export type PairEvent = PairLiquidity | PairSwap | PairSync | PairSkim | ShareMove | ShareApproval | Unknown

export function readPairEvent(record: Bytes): PairEvent {
  const first = topicText(record, 0)
  if (first?.type === 'symbol') return readShareEvent(record, first.text)
  const name = protocolTopic(record, 'SoroswapPair')
  switch (name) {
    case 'deposit':
    case 'withdraw': {
      const data = matchEvent(PAIR[name], record)?.data
      return data ? { name, amounts: [data.amount_0, data.amount_1], liquidity: data.liquidity, to: data.to } : unreadable(record)
    }
    case 'swap': {
      const data = matchEvent(PAIR.swap, record)?.data
      if (!data) return unreadable(record)
      return {
        name,
        amountsIn: [data.amount_0_in, data.amount_1_in],
        amountsOut: [data.amount_0_out, data.amount_1_out],
        to: data.to,
      }
    }
    case 'sync': {
      const data = matchEvent(PAIR.sync, record)?.data
      return data ? { name, reserves: [data.new_reserve_0, data.new_reserve_1] } : unreadable(record)
    }
    case 'skim': {
      const data = matchEvent(PAIR.skim, record)?.data
      return data ? { name, amounts: [data.skimmed_0, data.skimmed_1] } : unreadable(record)
    }
    default:
      return unknown(record)
  }
}

function readShareEvent(record: Bytes, name: string): PairEvent {
  switch (name) {
    case 'mint': {
      const read = matchEvent(SHARE.mint, record)
      return read ? { name, from: null, to: read.topics[2], shares: read.data } : unreadable(record)
    }
    case 'burn': {
      const read = matchEvent(SHARE.burn, record)
      return read ? { name, from: read.topics[1], to: null, shares: read.data } : unreadable(record)
    }
    case 'transfer': {
      const read = matchEvent(SHARE.transfer, record)
      return read ? { name, from: read.topics[1], to: read.topics[2], shares: read.data } : unreadable(record)
    }
    case 'approve':
      return matchEvent(SHARE.approve, record) ? { name } : unreadable(record)
    default:
      return unknown(record)
  }
}

export type FactoryEvent =
  | { readonly name: 'new_pair'; readonly newPair: NewPair }
  | { readonly name: 'fee_to'; readonly old: Address; readonly new: Address; readonly setter: Address }
  | { readonly name: 'setter'; readonly old: Address; readonly new: Address }
  | { readonly name: 'fees'; readonly enabled: boolean }
  | { readonly name: 'init' }
  | Unknown

export function readFactoryEvent(record: Bytes): FactoryEvent {
  const name = protocolTopic(record, 'SoroswapFactory')
  switch (name) {
    case 'new_pair': {
      const data = matchEvent(FACTORY.new_pair, record)?.data
      return data ? { name, newPair: newPairOf(data) } : unreadable(record)
    }
    case 'fee_to': {
      const data = matchEvent(FACTORY.fee_to, record)?.data
      return data ? { name, old: data.old, new: data.new, setter: data.setter } : unreadable(record)
    }
    case 'setter': {
      const data = matchEvent(FACTORY.setter, record)?.data
      return data ? { name, old: data.old, new: data.new } : unreadable(record)
    }
    case 'fees': {
      const data = matchEvent(FACTORY.fees, record)?.data
      return data ? { name, enabled: data.fees_enabled } : unreadable(record)
    }
    case 'init':
      return matchEvent(FACTORY.init, record) ? { name } : unreadable(record)
    default:
      return unknown(record)
  }
}

export type RouterEvent =
  | { readonly name: 'add' | 'remove'; readonly pair: ContractId; readonly liquidity: bigint; readonly to: Address }
  | { readonly name: 'swap'; readonly path: readonly ContractId[]; readonly amounts: readonly bigint[]; readonly to: Address }
  | { readonly name: 'init' }
  | Unknown

export function readRouterEvent(record: Bytes): RouterEvent {
  const name = protocolTopic(record, 'SoroswapRouter')
  switch (name) {
    case 'add':
    case 'remove': {
      const data = matchEvent(ROUTER[name], record)?.data
      return data ? { name, pair: data.pair, liquidity: data.liquidity, to: data.to } : unreadable(record)
    }
    case 'swap': {
      const data = matchEvent(ROUTER.swap, record)?.data
      return data ? { name, path: data.path, amounts: data.amounts, to: data.to } : unreadable(record)
    }
    case 'init':
      return matchEvent(ROUTER.init, record) ? { name } : unreadable(record)
    default:
      return unknown(record)
  }
}

export interface NewPair {
  readonly pair: ContractId
  readonly token0: ContractId
  readonly token1: ContractId
  /** Place in the factory's list, from 0. */
  readonly index: number
}

/** Whether the event, coming from a factory, announces a pair. */
export function isNewPair(record: Bytes): boolean {
  return protocolTopic(record, 'SoroswapFactory') === 'new_pair'
}

/** @throws OrreryError `corrupt`/`unexpected_shape`: a pair that cannot be read would be lost with everything in it. */
export function readNewPair(record: EventRecord): NewPair {
  return newPairOf(readEvent(FACTORY.new_pair, record, { contract: record.contract, what: 'event new_pair' }).data)
}

function newPairOf(data: { new_pairs_length: number; pair: Address; token_0: Address; token_1: Address }): NewPair {
  return { pair: data.pair, token0: data.token_0, token1: data.token_1, index: data.new_pairs_length - 1 }
}

/** Topic 1 as a Symbol where topic 0 is the String `contract`, else null. */
function protocolTopic(record: Bytes, contract: string): string | null {
  const first = topicText(record, 0)
  if (first?.type !== 'string' || first.text !== contract) return null
  const second = topicText(record, 1)
  return second?.type === 'symbol' ? second.text : null
}

function unknown(record: Bytes): Unknown {
  return { name: 'unknown', reason: `unknown topic ${topicsInWords(record)}` }
}

function unreadable(record: Bytes): Unknown {
  return { name: 'unknown', reason: `unreadable ${topicsInWords(record)}` }
}

/** Topics are untrusted text: cut, and without characters that would break a log line. */
function topicsInWords(record: Bytes): string {
  const words = [topicText(record, 0)?.text ?? '(none)', topicText(record, 1)?.text].filter((word) => word !== undefined)
  return words.map((word) => word.replace(/[^\w.-]/g, '?').slice(0, 32)).join('/')
}
