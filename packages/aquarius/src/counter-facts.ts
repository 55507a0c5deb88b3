// The counters of every pool: fees and volume of swaps, and the integral of its value over time.
// Written when something of the pool changed and at the first ledger of an hour, so that what they say does not hang on batches.

import { countersAt, newCounters } from '@orrery/fold-kit'
import type { Changes } from './changes.ts'
import { encode } from './encode.ts'
import type { Moment } from './moment.ts'
import type { Operation } from './operation.ts'
import type { PoolTrade } from './pool-events.ts'
import { stateKey } from './state-keys.ts'
import { swapFee } from './swap-fee.ts'
import type { ValuedPool } from './valuation.ts'

export function applyCounters(moment: Moment, operations: readonly Operation[], changes: Changes): void {
  const { state, slice, journal } = moment
  const trades = new Map<string, PoolTrade[]>()
  for (const { events } of operations) {
    for (const { pool, owned, event } of events) {
      if (owned && event.name === 'trade') trades.set(pool, [...(trades.get(pool) ?? []), event])
    }
  }
  const changed = [...changes.pools, ...[...trades.keys()].flatMap((pool) => state.pools.get(pool) ?? [])]
  for (const pool of slice.hourStart ? state.pools.values() : new Set(changed)) {
    // Without its instance a pool is worth nothing that we know, and a restart could not tell that it is ours.
    const valued = pool.owned ? moment.value(pool) : null
    if (valued === null) continue
    const carried = countersAt(pool.counters ?? newCounters(slice.closeTimeSeconds), slice.closeTimeSeconds)
    const earned = (trades.get(pool.pool) ?? []).map((trade) => valueTrade(trade, valued))
    const sum = (of: (it: ReturnType<typeof valueTrade>) => bigint) => earned.reduce((total, it) => total + of(it), 0n)
    pool.counters = {
      ...carried,
      feesUsd: carried.feesUsd + sum((it) => it.feesUsd),
      lpFeesUsd: carried.lpFeesUsd + sum((it) => it.lpFeesUsd),
      volumeUsd: carried.volumeUsd + sum((it) => it.volumeUsd),
      tvlUsd: valued.tvlUsd,
    }
    journal.write({ contract: pool.pool, key: stateKey.counters, durability: 'fact', value: encode.counters(pool.counters) })
  }
}

/** An unpriced token counts nothing. */
function valueTrade(trade: PoolTrade, valued: ValuedPool): { feesUsd: bigint; lpFeesUsd: bigint; volumeUsd: bigint } {
  const { token, total, lp } = swapFee(trade, valued.instance)
  const fees = valued.rewardToken(token)
  return {
    feesUsd: fees.value(total) ?? 0n,
    lpFeesUsd: fees.value(lp) ?? 0n,
    volumeUsd: valued.rewardToken(trade.tokenIn).value(trade.amountIn) ?? 0n,
  }
}
