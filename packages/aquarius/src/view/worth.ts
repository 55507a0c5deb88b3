// What shares and ranges of a pool would be paid now, and what that is worth.

import { type AmountsWorth, worthOfAmounts } from '@orrery/fold-kit'
import { payout } from '../math/constant-product.ts'
import type { Holder, Range } from '../state/state.ts'
import { type RangeWorth, rangeWorth } from './ranges-of-holder.ts'
import type { ValuedPool } from './valuation.ts'

/** What shares of a pool would be paid; liquidity is worth nothing without its range. */
export function worthOfShares(shares: bigint, valued: ValuedPool): AmountsWorth {
  if (shares === 0n)
    return worthOf(
      valued.tokens.map(() => 0n),
      valued,
    )
  if (valued.type === 'unknown' || valued.type === 'concentrated') return UNKNOWN
  return worthOf(payout(shares, valued.payoutReserves, valued.instance.totalShares), valued)
}

/** What a range would be paid without fees, for a part of its liquidity. */
export function worthOfLiquidity(range: Range, liquidity: bigint, valued: ValuedPool): AmountsWorth {
  const core = valued.instance.concentrated
  if (core === null) return UNKNOWN
  const position = { value: { liquidity, feeGrowthInside: [0n, 0n], owed: [0n, 0n] }, liveUntil: 0 } as const
  const worth = rangeWorth(valued.pool, core, { ...range, position })
  return worthOf(worth?.principal ?? [0n, 0n], valued)
}

/** Everything that a holder has in the pool, fees of ranges included. */
export function worthOfHolder(holder: Holder | undefined, valued: ValuedPool): AmountsWorth & { readonly ranges: readonly RangeWorth[] } {
  const core = valued.instance.concentrated
  if (core === null || valued.type !== 'concentrated') return { ...worthOfShares(holder?.shares?.value ?? 0n, valued), ranges: [] }
  const ranges = [...(holder?.ranges.values() ?? [])]
    .sort((a, b) => a.tickLower - b.tickLower || a.tickUpper - b.tickUpper)
    .flatMap((range) => rangeWorth(valued.pool, core, range) ?? [])
  const sum = (n: 0 | 1) => ranges.reduce((total, it) => total + it.principal[n] + it.fees[n], 0n)
  return { ...worthOf([sum(0), sum(1)], valued), ranges }
}

function worthOf(amounts: readonly bigint[], { tokens }: ValuedPool): AmountsWorth {
  return worthOfAmounts(amounts, tokens)
}

/** A pool of a kind without formulas. */
const UNKNOWN: AmountsWorth = { amounts: [], values: [], netUsd: null, unpricedAssets: 1 }
