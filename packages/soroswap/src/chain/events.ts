// Readers of every event of Soroswap's contracts, one for each topic. Unknown events are counted, never skipped silently.
// Protocol events have two topics, String then Symbol, and a map as data; LP share events are those of soroban-token-sdk 20: Symbol first.
// The caller checks the contract: any contract can emit these topics. Source: soroswap/core contracts/*/src/event.rs.

import { type EventBytes, eventReader, on } from '@orrery/fold-kit'
import {
  type Address,
  address,
  any,
  bool,
  type EventRecord,
  event,
  i128,
  readEvent,
  string,
  struct,
  symbol,
  topicText,
  u32,
  vec,
} from '@orrery/ledger'

/** Raw amounts, in the pair's token order. `liquidity` are LP shares, without the 1000 that a first deposit locks. */
const liquidity = on([], struct({ amount_0: i128, amount_1: i128, liquidity: i128, to: address }), (_, data) => ({
  amounts: [data.amount_0, data.amount_1] as const,
  liquidity: data.liquidity,
  to: data.to,
}))

const readOwnEvent = eventReader(
  {
    deposit: liquidity,
    withdraw: liquidity,
    /** `to` receives the output: on a path, the next pair. */
    swap: on([], struct({ amount_0_in: i128, amount_0_out: i128, amount_1_in: i128, amount_1_out: i128, to: address }), (_, data) => ({
      amountsIn: [data.amount_0_in, data.amount_1_in] as const,
      amountsOut: [data.amount_0_out, data.amount_1_out] as const,
      to: data.to,
    })),
    /** The new reserves. Emitted before the swap, deposit or withdraw that it belongs to; alone it is `pair.sync()`. */
    sync: on([], struct({ new_reserve_0: i128, new_reserve_1: i128 }), (_, data) => ({
      reserves: [data.new_reserve_0, data.new_reserve_1] as const,
    })),
    /** The balance above the reserves, which was paid out. Only the tokens' transfers have the receiver. */
    skim: on([], struct({ skimmed_0: i128, skimmed_1: i128 }), (_, data) => ({ amounts: [data.skimmed_0, data.skimmed_1] as const })),
  },
  { type: 'string', text: 'SoroswapPair' },
)

/** A movement of LP shares. A mint has `from` null, a burn `to` null. */
interface Move {
  readonly from: Address | null
  readonly to: Address | null
  readonly shares: bigint
}

const readShareEvent = eventReader({
  mint: on([address, address], i128, ([, to], shares): Move => ({ from: null, to, shares })),
  burn: on([address], i128, ([from], shares): Move => ({ from, to: null, shares })),
  transfer: on([address, address], i128, ([from, to], shares): Move => ({ from, to, shares })),
  approve: on([address, address], any, () => ({})),
})

const NewPairData = struct({ new_pairs_length: u32, pair: address, token_0: address, token_1: address })

export const readFactoryEvent = eventReader(
  {
    new_pair: on([], NewPairData, (_, data) => newPairOf(data)),
    fee_to: on([], struct({ new: address, old: address, setter: address }), (_, data) => data),
    setter: on([], struct({ new: address, old: address }), (_, data) => data),
    fees: on([], struct({ fees_enabled: bool }), (_, data) => ({ enabled: data.fees_enabled })),
    init: on([], struct({ setter: address }), () => ({})),
  },
  { type: 'string', text: 'SoroswapFactory' },
)

const routed = on([], struct({ liquidity: i128, pair: address, to: address }), (_, data) => data)

export const readRouterEvent = eventReader(
  {
    add: routed,
    remove: routed,
    swap: on([], struct({ amounts: vec(i128), path: vec(address), to: address }), (_, data) => data),
    init: on([], struct({ factory: address }), () => ({})),
  },
  { type: 'string', text: 'SoroswapRouter' },
)

export type PairEvent = ReturnType<typeof readOwnEvent | typeof readShareEvent>
export type PairLiquidity = Extract<PairEvent, { readonly name: 'deposit' | 'withdraw' }>
export type PairSwap = Extract<PairEvent, { readonly name: 'swap' }>
export type PairSkim = Extract<PairEvent, { readonly name: 'skim' }>
export type ShareMove = Extract<PairEvent, Move>
export type FactoryEvent = ReturnType<typeof readFactoryEvent>
export type RouterEvent = ReturnType<typeof readRouterEvent>

export function readPairEvent(record: EventBytes): PairEvent {
  return topicText(record, 0)?.type === 'symbol' ? readShareEvent(record) : readOwnEvent(record)
}

/** Whether the event, coming from a factory, announces a pair. */
export function isNewPair(record: EventBytes): boolean {
  const [contract, name] = [topicText(record, 0), topicText(record, 1)]
  return contract?.type === 'string' && contract.text === 'SoroswapFactory' && name?.type === 'symbol' && name.text === 'new_pair'
}

/** @throws OrreryError `corrupt`/`unexpected_shape`: a pair that cannot be read would be lost with everything in it. */
export function readNewPair(record: EventRecord) {
  return newPairOf(readEvent(event([string, symbol], NewPairData), record, { contract: record.contract, what: 'event new_pair' }).data)
}

/** `index`: place in the factory's list, from 0. */
function newPairOf(data: { new_pairs_length: number; pair: Address; token_0: Address; token_1: Address }) {
  return { pair: data.pair, token0: data.token_0, token1: data.token_1, index: data.new_pairs_length - 1 }
}
