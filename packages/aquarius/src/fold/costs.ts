// The cost of every holder's shares and ranges, carried along with the movements of one ledger.
// Movements come from events and units from entries; where they disagree the entry is right, and a notice counts it.

import { acquire, type Cost, matchUnits, moveUnits, type UsdUnits, usdSum } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { Changes } from '../state/changes.ts'
import { cost } from '../state/entries.ts'
import { rangeCost } from '../state/range.ts'
import { type Holder, holderOf, type PoolState, type Range, rangeOf } from '../state/state.ts'
import type { ValuedPool } from '../view/valuation.ts'
import { worthOfLiquidity, worthOfShares } from '../view/worth.ts'
import type { Movement } from './action.ts'
import type { Moment } from './ledger-end.ts'

/** What has a cost of its own: a holder's share tokens in a pool, or one of the holder's ranges. */
interface Holding {
  readonly pool: PoolState
  readonly address: Address
  readonly holder: Holder
  readonly range: Range | null
}

export function applyCosts(moment: Moment, movements: readonly Movement[], changes: Changes): void {
  const touched = new Map<string, Holding>()
  for (const movement of movements) {
    const pool = moment.state.pools.get(movement.pool)
    const valued = pool === undefined ? null : moment.value(pool)
    if (pool === undefined || valued === null) continue
    const holding = holdingOf(pool, movement.holder, movement.range)
    touched.set(nameOf(holding), holding)
    const known = costOf(holding)
    const before = known === null && movement.kind !== 'fees' ? inherited(holding, valued, changes, moment) : known
    const value = { paid: () => paid(movement, valued), worth: (units: bigint) => worth(holding, units, valued) }
    setCost(holding, moveUnits(before, movement.kind, movement.shares, value, moment.slice.ledger))
  }
  for (const pool of changes.pools) {
    for (const holder of changes.sharesBefore(pool).keys()) touch(touched, holdingOf(pool, holder, null))
    for (const [holder, ranges] of changes.rangesBefore(pool))
      for (const range of ranges.keys()) touch(touched, holdingOf(pool, holder, range))
  }
  for (const holding of touched.values()) settle(holding, moment)
}

function paid({ paid: tokens }: Movement, valued: ValuedPool): UsdUnits | null {
  return usdSum((tokens ?? []).map(({ token, amount }) => valued.rewardToken(token).value(amount)))
}

function worth({ range }: Holding, units: bigint, valued: ValuedPool): UsdUnits | null {
  return (range === null ? worthOfShares(units, valued) : worthOfLiquidity(range, units, valued)).netUsd
}

/** Units from before the index began: at their value when they are first seen to move. */
function inherited(holding: Holding, valued: ValuedPool, changes: Changes, { slice }: Moment): Cost | null {
  const { pool, address, range } = holding
  const before =
    range === null
      ? changes.sharesBefore(pool).get(address)
      : changes.rangesBefore(pool).get(address)?.get(`${range.tickLower}:${range.tickUpper}`)
  const units = before ?? unitsOf(holding)
  return units === 0n ? null : acquire(null, units, worth(holding, units, valued), slice.ledger, 'inferred')
}

/** Writes the cost, after making its units equal to those that the entry has. */
function settle(holding: Holding, moment: Moment): void {
  const { pool, address, range } = holding
  const units = unitsOf(holding)
  const valued = moment.value(pool)
  const known = costOf(holding)
  if ((known?.units ?? 0n) !== units && valued !== null) {
    moment.journal.notice(pool.pool, 'invariant', 'share events do not add up to the balance')
    setCost(holding, matchUnits(known, units, { worth: (amount) => worth(holding, amount, valued) }, moment.slice.ledger))
  }
  const settled = costOf(holding)
  if (settled === null) return
  const at = { contract: pool.pool, owner: address }
  if (range === null) cost.write(moment, at, settled)
  else rangeCost.write(moment, { ...at, lower: `${range.tickLower}`, upper: `${range.tickUpper}` }, settled)
}

function holdingOf(pool: PoolState, address: Address, range: string | null): Holding {
  const holder = holderOf(pool, address)
  const [tickLower = '', tickUpper = ''] = range?.split(':') ?? []
  return { pool, address, holder, range: range === null ? null : rangeOf(holder, Number(tickLower), Number(tickUpper)) }
}

function nameOf({ pool, address, range }: Holding): string {
  return `${pool.pool} ${address} ${range === null ? '' : `${range.tickLower}:${range.tickUpper}`}`
}

function touch(touched: Map<string, Holding>, holding: Holding): void {
  const name = nameOf(holding)
  if (!touched.has(name)) touched.set(name, holding)
}

function costOf({ holder, range }: Holding): Cost | null {
  return range === null ? holder.cost : range.cost
}

function setCost({ holder, range }: Holding, to: Cost): void {
  if (range === null) holder.cost = to
  else range.cost = to
}

function unitsOf({ holder, range }: Holding): bigint {
  return range === null ? (holder.shares?.value ?? 0n) : (range.position?.value.liquidity ?? 0n)
}
