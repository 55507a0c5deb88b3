// What the units of holders cost, after the movements of one ledger.
// Movements come from events and units from entries; where they disagree the entry is right, and a notice is written.

import type { ContractId } from '@orrery/ledger'
import type { LedgerContext } from '../ledger-end.ts'
import type { MovementValue } from '../moved-units.ts'
import { type HoldingCost, inheritedHolding, matchHolding, moveHolding, type UnitsMoved } from './holding-cost.ts'

/** Units of a holder that have a cost of their own: the shares of a pool, or one of the holder's ranges in it. */
export interface Holding {
  readonly pool: ContractId
  /** Distinguishes the holdings of a ledger. */
  readonly name: string
  /** Raw, at the ledger's start and at its end. */
  readonly unitsBefore: bigint
  readonly units: bigint
  readonly cost: HoldingCost | null
  /** What the pool would pay for raw units. Null: the pool has no value yet. */
  readonly worth: MovementValue['worth'] | null
  /** Sets the cost in the state, and writes its row. */
  write(cost: HoldingCost): void
}

/** How an event moved the units of a holding. */
export interface HoldingMovement extends UnitsMoved {
  readonly holding: Holding
  readonly paid: MovementValue['paid']
}

/**
 * Writes the costs of holdings that moved or changed, after making their units equal to those of the entries. Units that predate the index cost
 * their value at their first movement.
 */
export function writeCosts(
  movements: Iterable<HoldingMovement>,
  changed: Iterable<Holding>,
  { slice: { ledger }, journal }: Pick<LedgerContext<unknown>, 'slice' | 'journal'>,
): void {
  const costs = new Map<string, { holding: Holding; cost: HoldingCost | null }>()
  for (const { holding, paid, ...moved } of movements) {
    const { name, worth } = holding
    if (worth === null) continue
    const known = (costs.get(name) ?? holding).cost
    const before = known === null && moved.kind !== 'fees' ? inherited(holding, worth, ledger) : known
    costs.set(name, { holding, cost: moveHolding(before, moved, { paid, worth }, ledger) })
  }
  for (const holding of changed) if (!costs.has(holding.name)) costs.set(holding.name, { holding, cost: holding.cost })
  for (const { holding, cost } of costs.values()) {
    const { pool, units, worth } = holding
    const isMatched = (cost?.cost.units ?? 0n) === units || worth === null
    if (!isMatched) journal.notice(pool, 'invariant', 'share events do not add up to the balance')
    const settled = isMatched ? cost : matchHolding(cost, units, { worth }, ledger)
    if (settled !== null) holding.write(settled)
  }
}

function inherited({ unitsBefore }: Holding, worth: MovementValue['worth'], ledger: number): HoldingCost | null {
  return unitsBefore === 0n ? null : inheritedHolding(unitsBefore, worth, ledger)
}
