// The events of the contracts around the pools: factory, backstop of both versions, emitter and the Comet pool of the backstop's token.
// The same name means different things in each of them: `claim` counts BLND in the backstop of v1 and LP tokens in that of v2.
// A pool of the same code under another backstop emits the same events: the caller decides by contract whose event it is. Amounts are raw.
// Source: blend-contracts-v2 pool-factory/src/events.rs, backstop/src/events.rs; blend-contracts (v1) backstop/src/contract.rs,
// emitter/src/contract.rs; comet-contracts-v1 contracts/src/c_pool/{event,token_utility}.rs.

import { type EventBytes, eventReader, on } from '@orrery/fold-kit'
import { type Address, address, any, type ContractId, i128, option, struct, topicText, tuple, u64, vec } from '@orrery/ledger'
import type { BlendVersion } from './values.ts'

/** An event of a pool factory; both versions have the same. */
export const readFactoryEvent = eventReader({ deploy: on([], address, (_, pool) => ({ pool })) })
export type FactoryEvent = ReturnType<typeof readFactoryEvent>

export type BackstopEvent = ReturnType<typeof readBackstopV1 | typeof readBackstopV2>

export function readBackstopEvent(record: EventBytes, version: BlendVersion): BackstopEvent {
  return version === 'v1' ? readBackstopV1(record) : readBackstopV2(record)
}

/** BLND on its way to depositors and pools. */
interface BackstopEmission {
  /** Null: for the whole reward zone. */
  readonly pool: ContractId | null
  /** For depositors and pools together. */
  readonly amount: bigint
  /** What of it is for the pool's own users. Null where the event does not have it. */
  readonly poolAmount: bigint | null
}

const forZone = on([], i128, (_, amount): BackstopEmission => ({ pool: null, amount, poolAmount: null }))

interface RewardZoneChange {
  readonly added: ContractId | null
  readonly removed: ContractId | null
}

const BACKSTOP = {
  /** LP tokens against shares. In v1 `from` is the receiver where a claim is deposited for another account. */
  deposit: on([address, address], tuple(i128, i128), ([pool, from], [lpTokens, shares]) => ({ pool, from, shares, lpTokens })),
  /** In the opposite order of a deposit: shares first. */
  withdraw: on([address, address], tuple(i128, i128), ([pool, from], [shares, lpTokens]) => ({ pool, from, shares, lpTokens })),
  queue_withdrawal: on([address, address], tuple(i128, u64), ([pool, from], [shares, unlocksAtSeconds]) => ({
    pool,
    from,
    shares,
    unlocksAtSeconds,
  })),
  dequeue_withdrawal: on([address, address], i128, ([pool, from], shares) => ({ pool, from, shares, unlocksAtSeconds: null })),
  /** BLND in v1, LP tokens in v2. */
  claim: on([address], i128, ([from], amount) => ({ from, amount })),
  /** LP tokens that leave a pool's backstop for `account`. */
  draw: on([address], tuple(address, i128), ([pool], [account, lpTokens]) => ({ pool, account, lpTokens })),
  /** LP tokens that `account` gives to all depositors. */
  donate: on([address, address], i128, ([pool, account], lpTokens) => ({ pool, account, lpTokens })),
}

const readBackstopV1 = eventReader({
  ...BACKSTOP,
  gulp_emissions: forZone,
  rw_zone: on([], tuple(address, address), (_, [added, removed]): RewardZoneChange => ({ added, removed })),
})

const readBackstopV2 = eventReader({
  ...BACKSTOP,
  gulp_emissions: on([address], tuple(i128, i128), ([pool], [depositors, users]): BackstopEmission => {
    return { pool, amount: depositors + users, poolAmount: users }
  }),
  distribute: forZone,
  rw_zone_add: on([], tuple(address, option(address)), (_, [added, removed]): RewardZoneChange => ({ added, removed })),
  rw_zone_remove: on([], address, (_, removed): RewardZoneChange => ({ added: null, removed })),
})

const Swap = struct({ new_backstop: address, new_backstop_token: address, unlock_time: u64 })
const emitterSwap = on([], Swap, (_, swap) => ({
  newBackstop: swap.new_backstop,
  newBackstopToken: swap.new_backstop_token,
  unlocksAtSeconds: swap.unlock_time,
}))

export const readEmitterEvent = eventReader({
  distribute: on([], tuple(address, i128), (_, [backstop, amount]) => ({ backstop, amount })),
  q_swap: emitterSwap,
  del_swap: emitterSwap,
  swap: emitterSwap,
  drop: on([], vec(tuple(address, i128)), (_, receivers) => ({ receivers })),
})
export type EmitterEvent = ReturnType<typeof readEmitterEvent>

/** One token that goes in or out for LP tokens: of `join_pool` and `exit_pool` there is one for each token. */
interface CometLiquidity {
  readonly caller: Address
  readonly token: ContractId
  readonly amount: bigint
  /** LP tokens that were burnt. Null where the event does not have it; a mint never has. */
  readonly lpTokens: bigint | null
}

const TokenIn = { caller: address, token_amount_in: i128, token_in: address }
const TokenOut = { caller: address, token_amount_out: i128, token_out: address }

const paidIn = on([], struct(TokenIn), (_, it): CometLiquidity => {
  return { caller: it.caller, token: it.token_in, amount: it.token_amount_in, lpTokens: null }
})

/** The Comet pool's own events: all begin with `POOL`. */
const readOwnEvent = eventReader(
  {
    swap: on([], struct({ ...TokenIn, ...TokenOut }), (_, it) => ({
      caller: it.caller,
      tokenIn: it.token_in,
      amountIn: it.token_amount_in,
      tokenOut: it.token_out,
      amountOut: it.token_amount_out,
    })),
    join_pool: paidIn,
    deposit: paidIn,
    exit_pool: on([], struct(TokenOut), (_, it): CometLiquidity => {
      return { caller: it.caller, token: it.token_out, amount: it.token_amount_out, lpTokens: null }
    }),
    withdraw: on([], struct({ ...TokenOut, pool_amount_in: i128 }), (_, it): CometLiquidity => {
      return { caller: it.caller, token: it.token_out, amount: it.token_amount_out, lpTokens: it.pool_amount_in }
    }),
  },
  { type: 'symbol', text: 'POOL' },
)

/** Of its LP token. Minting emits no event; a burn emits a transfer to the Comet pool and then a burn from it. */
const readLpTokenEvent = eventReader({
  transfer: on([address, address], i128, ([from, to], amount) => ({ from, to, amount })),
  burn: on([address], i128, ([from], amount) => ({ from, to: null, amount })),
  approve: on([address, address], any, () => ({})),
})

export type CometEvent = ReturnType<typeof readOwnEvent | typeof readLpTokenEvent>

export function readCometEvent(record: EventBytes): CometEvent {
  const first = topicText(record, 0)
  return first?.type === 'symbol' && first.text === 'POOL' ? readOwnEvent(record) : readLpTokenEvent(record)
}
