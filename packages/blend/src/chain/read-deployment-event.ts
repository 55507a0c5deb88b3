// Readers of the events around the pools, a table for each contract and version.
// A pool of the same code under another backstop emits the same events: the caller decides by contract whose event it is.

import {
  address,
  any,
  type ContractId,
  i128,
  literal,
  type Of,
  option,
  type Shape,
  struct,
  topicText,
  tuple,
  u64,
  vec,
} from '@orrery/ledger'
import type {
  BackstopEmissionEvent,
  BackstopEvent,
  CometEvent,
  CometLiquidityEvent,
  EmitterEvent,
  EmitterSwapEvent,
  FactoryEvent,
} from './deployment-events.ts'
import { type EventBytes, on, readByTopic, type TopicReader, type Unknown, unknown } from './event-reader.ts'
import type { BlendVersion } from './values.ts'

type Table<E> = ReadonlyMap<string, TopicReader<Exclude<E, Unknown>>>

/** An event of a pool factory; both versions have the same. */
export function readFactoryEvent(record: EventBytes): FactoryEvent {
  return readByTopic(FACTORY, record)
}

export function readBackstopEvent(record: EventBytes, version: BlendVersion): BackstopEvent {
  return readByTopic(version === 'v1' ? BACKSTOP_V1 : BACKSTOP_V2, record)
}

export function readEmitterEvent(record: EventBytes): EmitterEvent {
  return readByTopic(EMITTER, record)
}

/** An event of the Comet pool: its own begin with `POOL`, those of its LP token with their name. */
export function readCometEvent(record: EventBytes): CometEvent {
  const first = topicText(record, 0)
  if (first?.type !== 'symbol' || first.text !== 'POOL') return readByTopic(LP_TOKEN, record)
  const second = topicText(record, 1)
  const reader = second?.type === 'symbol' ? COMET.get(second.text) : undefined
  if (reader === undefined) return unknown('unknown topic', record)
  return reader(record) ?? unknown('unreadable', record)
}

const FACTORY: Table<FactoryEvent> = new Map([on('deploy', [], address, (_, pool) => ({ name: 'deploy' as const, pool }))])

type BackstopLine = readonly [string, TopicReader<Exclude<BackstopEvent, Unknown>>]

const gulped = (pool: ContractId | null, amount: bigint, poolAmount: bigint | null): BackstopEmissionEvent => ({
  name: 'gulp_emissions',
  pool,
  amount,
  poolAmount,
})

const BACKSTOP_BOTH: readonly BackstopLine[] = [
  on('deposit', [address, address], tuple(i128, i128), ([pool, from], [lpTokens, shares]) => ({
    name: 'deposit',
    pool,
    from,
    shares,
    lpTokens,
  })),
  // In the opposite order of a deposit: shares first.
  on('withdraw', [address, address], tuple(i128, i128), ([pool, from], [shares, lpTokens]) => ({
    name: 'withdraw',
    pool,
    from,
    shares,
    lpTokens,
  })),
  on('queue_withdrawal', [address, address], tuple(i128, u64), ([pool, from], [shares, unlocksAtSeconds]) => ({
    name: 'queue_withdrawal',
    pool,
    from,
    shares,
    unlocksAtSeconds,
  })),
  on('dequeue_withdrawal', [address, address], i128, ([pool, from], shares) => ({
    name: 'dequeue_withdrawal',
    pool,
    from,
    shares,
    unlocksAtSeconds: null,
  })),
  on('claim', [address], i128, ([from], amount) => ({ name: 'claim', from, amount })),
  on('draw', [address], tuple(address, i128), ([pool], [account, lpTokens]) => ({ name: 'draw', pool, account, lpTokens })),
  on('donate', [address, address], i128, ([pool, account], lpTokens) => ({ name: 'donate', pool, account, lpTokens })),
]

const BACKSTOP_V1: Table<BackstopEvent> = new Map<string, TopicReader<Exclude<BackstopEvent, Unknown>>>([
  ...BACKSTOP_BOTH,
  on('gulp_emissions', [], i128, (_, amount) => gulped(null, amount, null)),
  on('rw_zone', [], tuple(address, address), (_, [added, removed]) => ({ name: 'rw_zone', added, removed })),
])

const BACKSTOP_V2: Table<BackstopEvent> = new Map<string, TopicReader<Exclude<BackstopEvent, Unknown>>>([
  ...BACKSTOP_BOTH,
  on('gulp_emissions', [address], tuple(i128, i128), ([pool], [depositors, users]) => gulped(pool, depositors + users, users)),
  on('distribute', [], i128, (_, amount) => ({ name: 'distribute', pool: null, amount, poolAmount: null })),
  on('rw_zone_add', [], tuple(address, option(address)), (_, [added, removed]) => ({ name: 'rw_zone_add', added, removed })),
  on('rw_zone_remove', [], address, (_, removed) => ({ name: 'rw_zone_remove', added: null, removed })),
])

const Swap = struct({ new_backstop: address, new_backstop_token: address, unlock_time: u64 })

const emitterSwap = (name: EmitterSwapEvent['name']) =>
  on(
    name,
    [],
    Swap,
    (_, data): EmitterSwapEvent => ({
      name,
      newBackstop: data.new_backstop,
      newBackstopToken: data.new_backstop_token,
      unlocksAtSeconds: data.unlock_time,
    }),
  )

const EMITTER: Table<EmitterEvent> = new Map<string, TopicReader<Exclude<EmitterEvent, Unknown>>>([
  on('distribute', [], tuple(address, i128), (_, [backstop, amount]) => ({ name: 'distribute', backstop, amount })),
  emitterSwap('q_swap'),
  emitterSwap('del_swap'),
  emitterSwap('swap'),
  on('drop', [], vec(tuple(address, i128)), (_, receivers) => ({ name: 'drop', receivers })),
])

/** A line of the Comet pool's own events, by their second topic. */
function inPool<D, E>(kind: string, data: Shape<D>, make: (data: D) => E): readonly [string, TopicReader<E>] {
  return [kind, on('POOL', [literal('symbol', kind)], data, (_, values) => make(values))[1]]
}

const TokenIn = struct({ caller: address, token_amount_in: i128, token_in: address })
const TokenOut = struct({ caller: address, token_amount_out: i128, token_out: address })

const COMET: Table<CometEvent> = new Map<string, TopicReader<Exclude<CometEvent, Unknown>>>([
  inPool(
    'swap',
    struct({ caller: address, token_amount_in: i128, token_amount_out: i128, token_in: address, token_out: address }),
    (it) => ({
      name: 'swap',
      caller: it.caller,
      tokenIn: it.token_in,
      amountIn: it.token_amount_in,
      tokenOut: it.token_out,
      amountOut: it.token_amount_out,
    }),
  ),
  inPool('join_pool', TokenIn, (it) => paidIn('join_pool', it)),
  inPool('deposit', TokenIn, (it) => paidIn('deposit', it)),
  inPool('exit_pool', TokenOut, (it) => paidOut('exit_pool', it, null)),
  inPool('withdraw', struct({ caller: address, pool_amount_in: i128, token_amount_out: i128, token_out: address }), (it) =>
    paidOut('withdraw', it, it.pool_amount_in),
  ),
])

function paidIn(name: CometLiquidityEvent['name'], it: Of<typeof TokenIn>): CometLiquidityEvent {
  return { name, caller: it.caller, token: it.token_in, amount: it.token_amount_in, lpTokens: null }
}

function paidOut(name: CometLiquidityEvent['name'], it: Of<typeof TokenOut>, lpTokens: bigint | null): CometLiquidityEvent {
  return { name, caller: it.caller, token: it.token_out, amount: it.token_amount_out, lpTokens }
}

// Minting emits no event; a burn emits a transfer to the Comet pool and then a burn.
const LP_TOKEN: Table<CometEvent> = new Map<string, TopicReader<Exclude<CometEvent, Unknown>>>([
  on('transfer', [address, address], i128, ([from, to], amount) => ({ name: 'transfer', from, to, amount })),
  on('burn', [address], i128, ([from], amount) => ({ name: 'burn', from, to: null, amount })),
  on('approve', [address, address], any, () => ({ name: 'approve' })),
])
