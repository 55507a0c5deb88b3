// When a position that nothing changed gets a snapshot: values between two actions are right too, and dust does not fill the tables.

import type { Slice } from '@orrery/protocol-kit'
import type { UsdUnits } from './usd-units.ts'

/** Positions worth less are written once a day instead of once an hour, 1e-8 USD. */
export const DAILY_BELOW_USD: UsdUnits = 100_000_000n

/** Whether an unchanged open position is written at this ledger. `grossUsd`: what it is worth, debts added and not taken off; null: nobody knows. */
export function isHeartbeatDue({ hourStart, dayStart }: Slice, grossUsd: UsdUnits | null): boolean {
  return dayStart || (hourStart && (grossUsd === null || grossUsd >= DAILY_BELOW_USD))
}
