// Every event of the router. Those of deposits, withdraws, swaps and claims repeat a pool's event and add the caller.
// Amounts are u128 here; `deposit` and `withdraw` have their members in different orders.
// Source: soroban-amm liquidity_pool_router/src/events.rs.

import { type Address, address, any, bool, type ContractId, matchEvent, tuple, u64, u128, vec } from '@orrery/ledger'
import { type AdminEvent, type EventBytes, eventName, named, readAs, type Unknown, unknown, unreadable } from './event-reader.ts'
import { readPoolAdminEvent } from './pool-admin-events.ts'

export interface NewPool {
  readonly pool: ContractId
  /** By raw address bytes. */
  readonly tokens: readonly ContractId[]
  /** `constant`, `stable`, `concentrated`, or a kind that came later. */
  readonly kind: string
  /** 64 hex characters. */
  readonly index: string
}

/** A call that went through the router. `user`: its caller, an account or a contract. */
export interface Routed {
  readonly name: 'deposit' | 'withdraw' | 'swap'
  readonly pool: ContractId
  readonly user: Address
}

/** Before v1.4 the only event of a claim of rewards. */
export interface RoutedClaim {
  readonly name: 'claim'
  readonly pool: ContractId
  readonly user: Address
  readonly token: ContractId
  readonly amount: bigint
}

/** What a pool pays from now on. Pools emit it too, except for concentrated ones. */
export interface RewardsRate {
  readonly name: 'config_rewards'
  readonly pool: ContractId
  readonly tokensPerSecond: bigint
  readonly expiresAt: bigint
}

export type RouterEvent =
  | { readonly name: 'add_pool'; readonly newPool: NewPool }
  | Routed
  | RoutedClaim
  | RewardsRate
  | AdminEvent
  | Unknown

const ROUTER = {
  add_pool: named('add_pool', [vec(address)], vec(any)),
  deposit: named('deposit', [vec(address), address], tuple(address, vec(u128), u128)),
  withdraw: named('withdraw', [vec(address), address], tuple(address, u128, vec(u128))),
  swap: named('swap', [vec(address), address], tuple(address, address, address, u128, u128)),
  claim: named('claim', [vec(address), address], tuple(address, address, u128)),
  config_rewards: named('config_rewards', [vec(address)], tuple(address, u128, u64)),
  pool_gauge_switch_token: named('pool_gauge_switch_token', [address], tuple(bool)),
}

export function readRouterEvent(record: EventBytes): RouterEvent {
  const name = eventName(record)
  switch (name) {
    case 'add_pool':
      return readAddPool(record)
    case 'deposit':
    case 'withdraw':
    case 'swap':
      return readAs<readonly unknown[], readonly [Address, ...unknown[]], Routed>(ROUTER[name], record, ([, , user], [pool]) => ({
        name,
        pool,
        user: user as Address,
      }))
    case 'claim':
      return readAs(ROUTER.claim, record, ([, , user], [pool, token, amount]) => ({ name, pool, user, token, amount }))
    case 'config_rewards':
      return readAs(ROUTER.config_rewards, record, (_, [pool, tokensPerSecond, expiresAt]) => ({ name, pool, tokensPerSecond, expiresAt }))
    case 'pool_gauge_switch_token':
      return readAs(ROUTER.pool_gauge_switch_token, record, ([, token], [enabled]) => ({
        name: 'admin',
        event: name,
        details: { reward_token: token, enabled },
      }))
    default:
      return readPoolAdminEvent(record) ?? unknown(record)
  }
}

/** Whether the event, coming from a router, announces a pool. */
export function isNewPool(record: EventBytes): boolean {
  return eventName(record) === 'add_pool'
}

/**
 * Null where it cannot be read: then the router's list, an entry, still makes the pool known. What a later router adds behind the pool, its
 * kind and its index does not matter.
 */
export function readNewPool(record: EventBytes): NewPool | null {
  const read = matchEvent(ROUTER.add_pool, record)
  const [pool, kind, index] = read?.data ?? []
  if (read === null || pool?.type !== 'address' || kind?.type !== 'symbol' || index?.type !== 'bytes') return null
  return { pool: pool.value, tokens: read.topics[1], kind: kind.value, index: Buffer.from(index.value).toString('hex') }
}

function readAddPool(record: EventBytes): RouterEvent {
  const newPool = readNewPool(record)
  return newPool === null ? unreadable(record) : { name: 'add_pool', newPool }
}

/** Whether the router's event only repeats one of a pool: it travels with the pool's. */
export function isRouted(record: EventBytes): boolean {
  const name = eventName(record)
  return name === 'deposit' || name === 'withdraw' || name === 'swap' || name === 'claim'
}

/** A wrapper's cut of a swap, by the contract that called the router. */
const PROVIDER_FEE = named('charge_provider_fee', [], tuple(address, u128))

export function isProviderFee(record: EventBytes): boolean {
  return eventName(record) === 'charge_provider_fee' && matchEvent(PROVIDER_FEE, record) !== null
}
