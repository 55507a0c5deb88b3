// Every event of a pool, one reader a topic. Any other event is counted, never skipped in silence.
// Topic 0 is a Symbol; data is a Vec. Amounts are i128 here and u128 in the router's events.
// Source: soroban-amm liquidity_pool_events/src/lib.rs, rewards/src/events.rs, liquidity_pool_concentrated/src/{events,contract/internal}.rs.

import { type Address, address, bool, type ContractId, i32, i128, matchEvent, tuple, u64, u128, u256, vec } from '@orrery/ledger'
import { type AdminEvent, type EventBytes, eventName, named, readAs, type Unknown, unknown, unreadable } from './event-reader.ts'
import { readPoolAdminEvent } from './pool-admin-events.ts'

/** Shares and amounts of a deposit or withdraw; of a concentrated pool `shares` is liquidity, and what is withdrawn includes the range's fees. */
export interface PoolLiquidity {
  readonly name: 'deposit_liquidity' | 'withdraw_liquidity'
  readonly tokens: readonly ContractId[]
  readonly shares: bigint
  /** Of each token, zeros included. */
  readonly amounts: readonly bigint[]
}

export interface PoolTrade {
  readonly name: 'trade'
  readonly tokenIn: ContractId
  readonly tokenOut: ContractId
  /** The caller of the pool: an account, the router on a path, or another contract. */
  readonly user: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Its token and meaning depend on the pool's kind and release: `swap-fee.ts`. */
  readonly fee: bigint
}

/** Liquidity between two ticks that came or went. */
export interface RangeChange {
  readonly name: 'position_update'
  readonly user: Address
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidityDelta: bigint
}

/** Fees of ranges that were paid out; before a withdraw of the same range they are part of what it pays. */
export interface FeesClaim {
  readonly name: 'claim_fees'
  readonly owner: Address
  readonly tokens: readonly [ContractId, ContractId]
  readonly amounts: readonly [bigint, bigint]
}

export interface RewardClaim {
  readonly name: 'claim_reward' | 'rewards_gauge_claim'
  readonly token: ContractId
  readonly user: Address
  readonly amount: bigint
}

/** A holder opted in to or out of rewards. */
export interface RewardsChoice {
  readonly name: 'set_rewards_state'
  readonly user: Address
  readonly optsIn: boolean
}

export interface ProtocolFeeClaim {
  readonly name: 'claim_protocol_fee'
  readonly token: ContractId
  readonly destination: Address
  readonly amount: bigint
}

/** The reserves after the operation that emitted it: the entries must be equal. */
export interface ReservesUpdate {
  readonly name: 'update_reserves'
  readonly reserves: readonly bigint[]
}

/** State that the entries have in more detail. */
export interface PoolStateEvent {
  readonly name: 'reserves_sync' | 'pool_state'
}

export type PoolEvent =
  | PoolLiquidity
  | PoolTrade
  | RangeChange
  | FeesClaim
  | RewardClaim
  | RewardsChoice
  | ProtocolFeeClaim
  | ReservesUpdate
  | PoolStateEvent
  | AdminEvent
  | Unknown

const POOL = {
  trade: named('trade', [address, address, address], tuple(i128, i128, i128)),
  update_reserves: named('update_reserves', [], vec(i128)),
  reserves_sync: named('reserves_sync', [address], tuple(i128, i128)),
  pool_state: named('pool_state', [], tuple(u256, i32, i128)),
  position_update: named('position_update', [address], tuple(i32, i32, i128)),
  claim_fees: named('claim_fees', [address, address, address], tuple(i128, i128)),
  claim_protocol_fee: named('claim_protocol_fee', [address], tuple(address, i128)),
  claim_reward: named('claim_reward', [address, address], tuple(i128)),
  rewards_gauge_claim: named('rewards_gauge_claim', [address, address], tuple(u128)),
  set_rewards_state: named('set_rewards_state', [address], tuple(bool)),
  set_rewards_config: named('set_rewards_config', [], tuple(u64, u128)),
}

export function readPoolEvent(record: EventBytes): PoolEvent {
  const name = eventName(record)
  switch (name) {
    case 'deposit_liquidity':
    case 'withdraw_liquidity':
      return readLiquidity(record, name)
    case 'trade':
      return readAs(POOL.trade, record, ([, tokenIn, tokenOut, user], [amountIn, amountOut, fee]) => ({
        name,
        tokenIn,
        tokenOut,
        user,
        amountIn,
        amountOut,
        fee,
      }))
    case 'position_update':
      return readAs(POOL.position_update, record, ([, user], [tickLower, tickUpper, liquidityDelta]) => ({
        name,
        user,
        tickLower,
        tickUpper,
        liquidityDelta,
      }))
    case 'claim_fees':
      return readAs(POOL.claim_fees, record, ([, owner, token0, token1], amounts) => ({ name, owner, tokens: [token0, token1], amounts }))
    case 'claim_reward':
    case 'rewards_gauge_claim':
      return readAs<readonly unknown[], readonly [bigint], RewardClaim>(POOL[name], record, ([, token, user], [amount]) => ({
        name,
        token: token as Address,
        user: user as Address,
        amount,
      }))
    case 'set_rewards_state':
      return readAs(POOL.set_rewards_state, record, ([, user], [optsIn]) => ({ name, user, optsIn }))
    case 'claim_protocol_fee':
      return readAs(POOL.claim_protocol_fee, record, ([, token], [destination, amount]) => ({ name, token, destination, amount }))
    case 'update_reserves':
      return readAs(POOL.update_reserves, record, (_, reserves) => ({ name, reserves }))
    case 'reserves_sync':
    case 'pool_state':
      return matchEvent<readonly unknown[], unknown>(POOL[name], record) === null ? unreadable(record) : { name }
    case 'set_rewards_config':
      return readAs(POOL.set_rewards_config, record, (_, [expiresAt, tokensPerSecond]) => ({
        name: 'admin',
        event: name,
        details: { expires_at: expiresAt.toString(), tokens_per_second: tokensPerSecond.toString() },
      }))
    default:
      return readPoolAdminEvent(record) ?? unknown(record)
  }
}

/** Tokens are topics, two to four of them and perhaps more one day: their number is that of the amounts. */
function readLiquidity(record: EventBytes, name: PoolLiquidity['name']): PoolLiquidity | Unknown {
  for (const shape of LIQUIDITY) {
    const read = matchEvent(shape[name], record)
    if (read === null) continue
    const [shares, ...amounts] = read.data
    const tokens = read.topics.slice(1)
    if (shares !== undefined && amounts.length === tokens.length) return { name, tokens, shares, amounts }
  }
  return unreadable(record)
}

const LIQUIDITY = [2, 3, 4, 5, 6, 7, 8].map((count) => {
  const tokens = Array.from({ length: count }, () => address)
  return {
    deposit_liquidity: named('deposit_liquidity', tokens, vec(i128)),
    withdraw_liquidity: named('withdraw_liquidity', tokens, vec(i128)),
  }
})
