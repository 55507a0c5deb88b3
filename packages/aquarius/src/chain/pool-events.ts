// Every event of a pool, one declaration a topic. Any other event is counted, never skipped in silence.
// Topic 0 is a Symbol; data is a Vec. Amounts are i128 here and u128 in the router's events.
// Source: soroban-amm liquidity_pool_events/src/lib.rs, rewards/src/events.rs, liquidity_pool_concentrated/src/{events,contract/internal}.rs.

import { address, bool, type ContractId, event, i32, i128, matchEvent, symbol, u64, u128, u256, vec } from '@orrery/ledger'
import { type AdminEvent, readAdminEvent } from './admin-events.ts'
import { type EventBytes, type EventOf, mapped, readEvent, type Unknown, withList, withValue } from './event-reader.ts'

const POOL = {
  deposit_liquidity: readLiquidity,
  withdraw_liquidity: readLiquidity,
  trade: withList(
    {
      tokenIn: address,
      tokenOut: address,
      /** The caller of the pool: an account, the router on a path, or another contract. */
      user: address,
    },
    {
      amountIn: i128,
      amountOut: i128,
      /** Its token and meaning depend on the pool's kind and release: `swap-fee.ts`. */
      fee: i128,
    },
  ),
  position_update: withList({ user: address }, { tickLower: i32, tickUpper: i32, liquidityDelta: i128 }),
  claim_fees: mapped(withList({ owner: address, token0: address, token1: address }, { amount0: i128, amount1: i128 }), (it) => ({
    owner: it.owner,
    tokens: [it.token0, it.token1] as const,
    amounts: [it.amount0, it.amount1] as const,
  })),
  claim_reward: withList({ token: address, user: address }, { amount: i128 }),
  rewards_gauge_claim: withList({ token: address, user: address }, { amount: u128 }),
  /** A holder opted in to or out of rewards. */
  set_rewards_state: withList({ user: address }, { optsIn: bool }),
  claim_protocol_fee: withList({ token: address }, { destination: address, amount: i128 }),
  /** The reserves after the operation that emitted it: the entries must be equal. */
  update_reserves: withValue({}, { reserves: vec(i128) }),
  /** Of one token. The entries have it too. */
  reserves_sync: withList({ token: address }, { oldReserve: i128, newReserve: i128 }),
  /** The entries have it in more detail. */
  pool_state: withList({}, { sqrtPrice: u256, tick: i32, liquidity: i128 }),
}

const ADMIN = { set_rewards_config: withList({}, { expires_at: u64, tokens_per_second: u128 }) }

/** Shares and amounts of a deposit or withdraw; of a concentrated pool `shares` is liquidity, and what is withdrawn includes the range's fees. */
export type PoolLiquidity = EventOf<typeof POOL, 'deposit_liquidity' | 'withdraw_liquidity'>
export type PoolTrade = EventOf<typeof POOL, 'trade'>
/** Liquidity between two ticks that came or went. */
export type RangeChange = EventOf<typeof POOL, 'position_update'>
/** Fees of ranges that were paid out; before a withdraw of the same range they are part of what it pays. */
export type FeesClaim = EventOf<typeof POOL, 'claim_fees'>
export type RewardClaim = EventOf<typeof POOL, 'claim_reward' | 'rewards_gauge_claim'>
export type RewardsChoice = EventOf<typeof POOL, 'set_rewards_state'>
export type ProtocolFeeClaim = EventOf<typeof POOL, 'claim_protocol_fee'>

export type PoolEvent = EventOf<typeof POOL> | AdminEvent | Unknown

export function readPoolEvent(record: EventBytes): PoolEvent {
  return readEvent(POOL, record) ?? readAdminEvent(record, ADMIN)
}

interface LiquidityAmounts {
  readonly tokens: readonly ContractId[]
  readonly shares: bigint
  /** Of each token, zeros included. */
  readonly amounts: readonly bigint[]
}

/** Tokens are topics, two to four of them and perhaps more one day: their number is that of the amounts. */
function readLiquidity(record: EventBytes): LiquidityAmounts | null {
  for (const shape of LIQUIDITY) {
    const read = matchEvent(shape, record)
    if (read === null) continue
    const [, ...tokens] = read.topics
    const [shares, ...amounts] = read.data
    if (shares !== undefined && amounts.length === tokens.length) return { tokens, shares, amounts }
  }
  return null
}

const LIQUIDITY = [2, 3, 4, 5, 6, 7, 8].map((count) => event([symbol, ...Array.from({ length: count }, () => address)], vec(i128)))
