// Average cost of units (LP shares, or the units of any position), in USD of the ledgers at which they were acquired and released.
// An unknown value makes the cost unknown, not zero; it is known again when the position is opened again.

import type { CostBasisFact } from '@orrery/protocol-kit'
import { type UsdUnits, usdText } from './usd-units.ts'

/** Average cost of the units of a holder. Null: a part was acquired without a price. */
export interface Cost {
  /** Raw. */
  readonly units: bigint
  readonly costUsd: UsdUnits | null
  readonly realizedUsd: UsdUnits | null
  /** Ledger at which the holder last went from nothing to something. */
  readonly openedLedger: number
  readonly confidence: 'exact' | 'inferred'
}

const NOTHING: Cost = { units: 0n, costUsd: 0n, realizedUsd: 0n, openedLedger: 0, confidence: 'exact' }
/** Units are released that were never acquired: the events contradict themselves, or the index began later. */
const NEVER: Cost = { ...NOTHING, confidence: 'inferred' }

/** Units came in and cost `valueUsd`: a deposit, a fee mint (0), or a transfer at market value, which is `inferred`. */
export function acquire(cost: Cost | null, units: bigint, valueUsd: UsdUnits | null, ledger: number, confidence: Cost['confidence']): Cost {
  const before = cost ?? NOTHING
  if (units === 0n) return before
  const opens = before.units === 0n
  return {
    units: before.units + units,
    costUsd: before.costUsd === null || valueUsd === null ? null : before.costUsd + valueUsd,
    realizedUsd: before.realizedUsd,
    openedLedger: opens ? ledger : before.openedLedger,
    confidence: (opens || before.confidence === 'exact') && confidence === 'exact' ? 'exact' : 'inferred',
  }
}

/**
 * Units went out for `proceedsUsd` (0 when they were burnt for nothing): their part of the cost is released, half up, and the difference
 * realised. The last unit takes the whole rest, so no cost remains without units.
 */
export function release(cost: Cost | null, units: bigint, proceedsUsd: UsdUnits | null): Cost {
  const before = cost ?? NEVER
  if (units === 0n) return before
  if (units >= before.units) {
    return {
      ...before,
      units: 0n,
      costUsd: 0n,
      realizedUsd: realize(before.realizedUsd, proceedsUsd, before.costUsd),
    }
  }
  const released = before.costUsd === null ? null : (before.costUsd * units * 2n + before.units) / (before.units * 2n)
  return {
    ...before,
    units: before.units - units,
    costUsd: before.costUsd === null || released === null ? null : before.costUsd - released,
    realizedUsd: realize(before.realizedUsd, proceedsUsd, released),
  }
}

/** The position paid out and released no unit: fees of liquidity that stays. */
export function earn(cost: Cost | null, valueUsd: UsdUnits | null): Cost {
  const before = cost ?? NOTHING
  return { ...before, realizedUsd: realize(before.realizedUsd, valueUsd, 0n) }
}

/** The cost as readers see it, of units that do not grow: what LP shares earn is in their value. */
export function costBasisFact(cost: Cost): CostBasisFact {
  return {
    units: cost.units,
    costUsd: cost.costUsd === null ? null : usdText(cost.costUsd),
    realizedUsd: cost.realizedUsd === null ? null : usdText(cost.realizedUsd),
    interestEarned: 0n,
    interestEarnedUsd: '0',
    openedLedger: cost.openedLedger,
    confidence: cost.confidence,
  }
}

/**
 * Debt was paid back for `paidUsd`: as `release`, with the sign of a debt. What it brought when it was taken, less what it took to be rid of it,
 * is realised.
 */
export function repay(debt: Cost | null, units: bigint, paidUsd: UsdUnits | null): Cost {
  const left = release(debt, units, paidUsd)
  const { realizedUsd } = debt ?? NEVER
  return { ...left, realizedUsd: realizedUsd === null || left.realizedUsd === null ? null : 2n * realizedUsd - left.realizedUsd }
}

function realize(realized: UsdUnits | null, proceeds: UsdUnits | null, released: UsdUnits | null): UsdUnits | null {
  return realized === null || proceeds === null || released === null ? null : realized + proceeds - released
}
