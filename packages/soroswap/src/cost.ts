// Average cost of LP shares, in USD of the ledgers at which they came and went.
// A value that nobody knows makes the cost unknown, not zero; it is known again when the position begins anew.

import type { Cost } from './state.ts'
import type { UsdUnits } from './usd-units.ts'

const NOTHING: Cost = { units: 0n, costUsd: 0n, realizedUsd: 0n, openedLedger: 0, confidence: 'exact' }

/** Shares came in and cost `valueUsd`: a deposit, a fee mint (0), or a transfer at market value, which is `inferred`. */
export function acquire(
  cost: Cost | null,
  shares: bigint,
  valueUsd: UsdUnits | null,
  ledger: number,
  confidence: Cost['confidence'],
): Cost {
  const before = cost ?? NOTHING
  if (shares === 0n) return before
  const opens = before.units === 0n
  return {
    units: before.units + shares,
    costUsd: before.costUsd === null || valueUsd === null ? null : before.costUsd + valueUsd,
    realizedUsd: before.realizedUsd,
    openedLedger: opens ? ledger : before.openedLedger,
    confidence: (opens || before.confidence === 'exact') && confidence === 'exact' ? 'exact' : 'inferred',
  }
}

/**
 * Shares went out for `proceedsUsd` (0 when they were burnt for nothing): their part of the cost is released, half up, and the difference
 * realised. The last share takes the whole rest, so no cost of nothing stays behind.
 */
export function release(cost: Cost, shares: bigint, proceedsUsd: UsdUnits | null): Cost {
  if (shares === 0n) return cost
  if (shares >= cost.units) {
    return {
      ...cost,
      units: 0n,
      costUsd: 0n,
      realizedUsd: realize(cost.realizedUsd, proceedsUsd, cost.costUsd),
    }
  }
  const released = cost.costUsd === null ? null : (cost.costUsd * shares * 2n + cost.units) / (cost.units * 2n)
  return {
    ...cost,
    units: cost.units - shares,
    costUsd: cost.costUsd === null || released === null ? null : cost.costUsd - released,
    realizedUsd: realize(cost.realizedUsd, proceedsUsd, released),
  }
}

function realize(realized: UsdUnits | null, proceeds: UsdUnits | null, released: UsdUnits | null): UsdUnits | null {
  return realized === null || proceeds === null || released === null ? null : realized + proceeds - released
}
