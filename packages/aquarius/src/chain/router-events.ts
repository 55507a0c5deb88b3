// Every event of the router. Those of deposits, withdraws, swaps and claims repeat a pool's event and add the caller.
// Amounts are u128 here; `deposit` and `withdraw` have their members in different orders.
// Source: soroban-amm liquidity_pool_router/src/events.rs.

import { address, any, bool, type ContractId, u64, u128, vec } from '@orrery/ledger'
import { type AdminEvent, readAdminEvent } from './admin-events.ts'
import { type EventBytes, type EventOf, eventName, mapped, readEvent, type Unknown, withList, withValue } from './event-reader.ts'

export interface NewPool {
  readonly pool: ContractId
  /** By raw address bytes. */
  readonly tokens: readonly ContractId[]
  /** `constant`, `stable`, `concentrated`, or a kind that came later. */
  readonly kind: string
  /** 64 hex characters. */
  readonly index: string
}

/**
 * Null where it cannot be read: then the router's list, an entry, still makes the pool known. What a later router adds behind the pool, its
 * kind and its index does not matter.
 */
export const readNewPool = mapped(withValue({ tokens: vec(address) }, { data: vec(any) }), ({ tokens, data }): NewPool | null => {
  const [pool, kind, index] = data
  if (pool?.type !== 'address' || kind?.type !== 'symbol' || index?.type !== 'bytes') return null
  return { pool: pool.value, tokens, kind: kind.value, index: Buffer.from(index.value).toString('hex') }
})

/** `user`: the caller of the router, an account or a contract. */
const ROUTED = { tokens: vec(address), user: address }

const ROUTER = {
  add_pool: mapped(readNewPool, (newPool) => ({ newPool })),
  deposit: withList(ROUTED, { pool: address, amounts: vec(u128), shares: u128 }),
  withdraw: withList(ROUTED, { pool: address, shares: u128, amounts: vec(u128) }),
  swap: withList(ROUTED, { pool: address, tokenIn: address, tokenOut: address, amountIn: u128, amountOut: u128 }),
  /** Before v1.4 the only event of a claim of rewards. */
  claim: withList(ROUTED, { pool: address, token: address, amount: u128 }),
  /** What a pool pays from now on. Pools emit it too, except for concentrated ones. */
  config_rewards: withList({ tokens: vec(address) }, { pool: address, tokensPerSecond: u128, expiresAt: u64 }),
}

const ADMIN = { pool_gauge_switch_token: withList({ reward_token: address }, { enabled: bool }) }

export type RoutedClaim = EventOf<typeof ROUTER, 'claim'>
export type RewardsRate = EventOf<typeof ROUTER, 'config_rewards'>
export type RouterEvent = EventOf<typeof ROUTER> | AdminEvent | Unknown

export function readRouterEvent(record: EventBytes): RouterEvent {
  return readEvent(ROUTER, record) ?? readAdminEvent(record, ADMIN)
}

/** Whether the event, coming from a router, announces a pool. */
export function isNewPool(record: EventBytes): boolean {
  return eventName(record) === 'add_pool'
}

/** Whether the router's event only repeats one of a pool: it travels with the pool's. */
export function isRouted(record: EventBytes): boolean {
  const name = eventName(record)
  return name === 'deposit' || name === 'withdraw' || name === 'swap' || name === 'claim'
}

const readProviderFee = withList({}, { provider: address, amount: u128 })

/** A wrapper's cut of a swap, by the contract that called the router. */
export function isProviderFee(record: EventBytes): boolean {
  return eventName(record) === 'charge_provider_fee' && readProviderFee(record) !== null
}
