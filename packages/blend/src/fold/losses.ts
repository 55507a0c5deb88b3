// Accounts that lost value in a ledger without an action of their own: their positions changed, though their entries did not.
// Both kinds are rare, and `writesLoss` limits how often a pool with an oracle of its own can cause them.

import { type UsdUnits, writesLoss } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { accrue, underlyingOf } from '../math/accrual.ts'
import { lpTokensOf } from '../math/backstop-math.ts'
import type { PoolChanges } from '../state/changes.ts'
import { addressesOf, allShares, type PoolState } from '../state/state.ts'
import type { ValuedPool, ValuedReserve } from '../view/valuation.ts'
import type { Moment } from './ledger-end.ts'

/**
 * Suppliers of a reserve whose debt was written off (v2 `defaulted_debt` lowers the rate of bTokens), and depositors of a backstop that paid for
 * bad debt (`draw`), where the loss writes them in this ledger.
 */
export function accountsHit(valued: ValuedPool, changes: PoolChanges, { slice, journal }: Moment): ReadonlySet<Address> {
  const hit = new Set<Address>()
  const { pool } = valued
  const cuts = valued.reserves.flatMap((reserve) => {
    const lost = reserve === undefined ? 0n : lostUnderlying(reserve, valued, changes)
    return reserve === undefined || lost === 0n ? [] : [{ index: reserve.index, lostUsd: reserve.token.value(lost) }]
  })
  const drawn = drawnLpTokens(pool, changes)
  if (cuts.length === 0 && drawn === 0n) return hit
  // A part without a price counts nothing.
  const values = [...cuts.map(({ lostUsd }) => lostUsd), drawn === 0n ? 0n : (valued.lp?.token.value(drawn) ?? null)]
  const lostUsd = values.reduce<UsdUnits>((sum, value) => sum + (value ?? 0n), 0n)
  if (!writesLoss(pool.pool, pool, lostUsd, slice, journal)) return hit
  for (const address of addressesOf(pool)) {
    const { positions, backstop } = pool.accounts.get(address) ?? { positions: null, backstop: null }
    const supplies = (index: number) => (positions?.value.supply.get(index) ?? 0n) + (positions?.value.collateral.get(index) ?? 0n) > 0n
    const isBacker = drawn > 0n && backstop !== null && allShares(backstop.value) > 0n
    if (isBacker || cuts.some(({ index }) => supplies(index))) hit.add(address)
  }
  return hit
}

/**
 * What the suppliers of a reserve lost by a default: bTokens at the rate that accrual gives, less what they stand for now. Raw; 0n without a loss.
 *
 * v1 has none: a default leaves the rate of bTokens as it is. Its `update_pool` changes the backstop's take rate without accruing, so that the rate
 * of a reserve that is touched afterwards in the ledger would only seem cut.
 *
 * v2: the first touch of a reserve in a ledger accrues it by the conditions of the ledger's start, also when it is there to change them: `update_pool`
 * accrues every reserve at the old take rate before it stores another. Nothing else than a default ends below the rate that this gives.
 */
function lostUnderlying({ asset, data }: ValuedReserve, { instance, deployment, at }: ValuedPool, changes: PoolChanges): bigint {
  const { version } = deployment
  const before = changes.reserves.get(asset)
  if (version === 'v1' || !before?.data || before.config === null) return 0n
  const { backstopTakeRate } = changes.instanceBefore ?? instance
  const { bRate } = accrue(before.data, before.config, backstopTakeRate, BigInt(at.closeTimeSeconds), version)
  if (data.bRate >= bRate) return 0n
  return underlyingOf(data.bSupply, { ...data, bRate }, version) - underlyingOf(data.bSupply, data, version)
}

/**
 * LP tokens that all shares of the backstop stand for less than before. Deposits and withdrawals round in favour of those who stay, so only a draw
 * does that.
 */
function drawnLpTokens({ backstop }: PoolState, { backstopBefore: before }: PoolChanges): bigint {
  const now = backstop.balance?.value
  if (before === null || now === undefined || now.tokens * before.shares >= before.tokens * now.shares) return 0n
  return lpTokensOf(now.shares, before) - now.tokens
}
