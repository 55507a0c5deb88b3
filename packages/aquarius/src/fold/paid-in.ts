// What a trade's caller really sent. A concentrated pool that runs out of liquidity before all is swapped keeps the rest, for its holders and the
// protocol: its `trade` event has the part that was swapped, and only the transfers (and the router's event) have the whole.
// Source: soroban-amm liquidity_pool_concentrated/src/contract/internal.rs; docs/protocols/aquarius.md, "Activities".

import type { PoolTrade } from '../chain/pool-events.ts'
import type { Operation, PoolSeen } from './operation.ts'

/** Raw amounts of the token that went in. */
export interface PaidIn {
  /** What the caller sent, less what the pool sent back: what the pool has more than before. */
  readonly amount: bigint
  /** The part of `amount` that was not swapped: 0n but for a partial fill. */
  readonly kept: bigint
}

/**
 * Transfers between the caller and the pool since the pool's event before, which ended another call, or took a gift into the reserves. Never less
 * than what was swapped: for a token that emits no transfers only the trade is known.
 */
export function paidIn({ pool, index, user, tokenIn, amountIn }: PoolSeen<PoolTrade>, { events, transfers }: Operation): PaidIn {
  const start = events.findLast((it) => it.contract === pool && it.index < index)?.index ?? -1
  const moved = transfers.filter((it) => it.index > start && it.index < index && it.token === tokenIn)
  const sumOf = (from: string, to: string) => moved.reduce((sum, it) => (it.from === from && it.to === to ? sum + it.amount : sum), 0n)
  const sent = sumOf(user, pool) - sumOf(pool, user)
  return sent > amountIn ? { amount: sent, kept: sent - amountIn } : { amount: amountIn, kept: 0n }
}
