// The counters of every pool: fees and volume of swaps, and the integral of its value over time.
// Written when something of the pool changed and at the first ledger of an hour, so that they do not depend on batches.

import { countSwaps, type SwapSums } from '@orrery/fold-kit'
import type { PoolTrade } from '../chain/pool-events.ts'
import { swapFee } from '../math/swap-fee.ts'
import type { Changes } from '../state/changes.ts'
import { counters } from '../state/entries.ts'
import type { ValuedPool } from '../view/valuation.ts'
import type { Moment } from './ledger-end.ts'
import type { Operation } from './operation.ts'

export function applyCounters(moment: Moment, operations: readonly Operation[], changes: Changes): void {
  const { state, slice } = moment
  const trades = new Map<string, PoolTrade[]>()
  for (const { events } of operations) {
    for (const seen of events) {
      if (seen.owned && seen.name === 'trade') trades.set(seen.pool, [...(trades.get(seen.pool) ?? []), seen])
    }
  }
  const changed = [...changes.pools, ...[...trades.keys()].flatMap((pool) => state.pools.get(pool) ?? [])]
  for (const pool of slice.hourStart ? state.pools.values() : new Set(changed)) {
    // The value of a pool without its instance is unknown, and after a restart nothing would show that it is owned.
    const valued = pool.owned ? moment.value(pool) : null
    if (valued === null) continue
    const swaps = (trades.get(pool.pool) ?? []).map((trade) => valueTrade(trade, valued))
    counters.write(moment, { contract: pool.pool }, countSwaps(pool.counters, slice.closeTimeSeconds, swaps, valued.tvlUsd))
  }
}

/** An unpriced token counts nothing. */
function valueTrade(trade: PoolTrade, valued: ValuedPool): SwapSums {
  const { token, total, lp } = swapFee(trade, valued.instance)
  const fees = valued.rewardToken(token)
  return {
    feesUsd: fees.value(total) ?? 0n,
    lpFeesUsd: fees.value(lp) ?? 0n,
    volumeUsd: valued.rewardToken(trade.tokenIn).value(trade.amountIn) ?? 0n,
  }
}
