// A pool at the end of a ledger. What is not lent out is its TVL, as DefiLlama counts it; the backstop is apart.

import { usdText } from '@orrery/fold-kit'
import type { PoolSnapshotRow, Slice } from '@orrery/protocol-kit'
import { lpTokensOf } from '../math/backstop-math.ts'
import { usdOrNull, type ValuedPool } from '../view/valuation.ts'

export function poolSnapshot(valued: ValuedPool, slice: Slice, heartbeat: boolean): PoolSnapshotRow {
  const { pool, instance, deployment } = valued
  return {
    protocol: slice.protocol,
    pool: pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    tvlUsd: usdText(valued.suppliedUsd - valued.borrowedUsd),
    unpricedAssets: valued.unpricedAssets,
    shareSupply: 0n,
    native: {
      version: deployment.version,
      status: instance.status.toString(),
      supplied_usd: usdText(valued.suppliedUsd),
      borrowed_usd: usdText(valued.borrowedUsd),
      backstop_take_rate: instance.backstopTakeRate.toString(),
      backstop: backstopOf(valued),
    },
  }
}

/** Null before the first deposit. Queued LP tokens still cover losses. */
function backstopOf({ pool, lp }: ValuedPool): Readonly<Record<string, string | null>> | null {
  const balance = pool.backstop.balance?.value
  if (balance === undefined) return null
  const value = lp?.token.value(balance.tokens) ?? null
  return {
    shares: balance.shares.toString(),
    queued_shares: balance.queuedShares.toString(),
    lp_tokens: balance.tokens.toString(),
    queued_lp_tokens: lpTokensOf(balance.queuedShares, balance).toString(),
    lp_price_usd: lp?.token.price?.usd ?? null,
    usd_value: usdOrNull(value),
  }
}
