// How movements of shares change what they cost. Movements come from events and units from entries; where they disagree the entry is right.

import { acquire, type Cost, earn, release } from './cost.ts'
import type { UsdUnits } from './usd-units.ts'

/** `fee_mint`: units that the pool minted for the receiver of a part of its fees. `fees`: it paid, and no unit moved. */
export type MovementKind = 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'burn' | 'fee_mint' | 'fees'

/** What a movement is valued with, in USD of its ledger. Null: a part has no price. */
export interface MovementValue {
  /** Tokens that were paid in or out. */
  paid(): UsdUnits | null
  /** What the pool would pay for so many units. */
  worth(units: bigint): UsdUnits | null
}

/** Deposits and withdrawals count at what was paid, transfers at the value of the units, and burnt units bring nothing. */
export function moveUnits(cost: Cost | null, kind: MovementKind, units: bigint, value: MovementValue, ledger: number): Cost {
  switch (kind) {
    case 'deposit':
      return acquire(cost, units, value.paid(), ledger, 'exact')
    case 'fee_mint':
      return acquire(cost, units, 0n, ledger, 'exact')
    case 'transfer_in':
      return acquire(cost, units, value.worth(units), ledger, 'inferred')
    case 'withdraw':
      return release(cost, units, value.paid())
    case 'transfer_out':
      return release(cost, units, value.worth(units))
    case 'burn':
      return release(cost, units, 0n)
    case 'fees':
      return earn(cost, value.paid())
  }
}

/** The cost with as many units as the entry has: units without a reported movement are acquired or released at their value. */
export function matchUnits(cost: Cost | null, units: bigint, { worth }: Pick<MovementValue, 'worth'>, ledger: number): Cost {
  const counted = cost?.units ?? 0n
  return units >= counted
    ? acquire(cost, units - counted, worth(units - counted), ledger, 'inferred')
    : release(cost, counted - units, worth(counted - units))
}
