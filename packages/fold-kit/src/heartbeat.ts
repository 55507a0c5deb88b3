// When a position that did not change gets a snapshot: values between two actions are right too, and dust does not fill the tables.

import type { Slice } from '@orrery/protocol-kit'
import type { UsdUnits } from './usd-units.ts'

/** Positions worth less are written once a day instead of once an hour, 1e-8 USD. */
export const DAILY_BELOW_USD: UsdUnits = 100_000_000n

/** Whether a position is small. `grossUsd`: its value, with debts added instead of subtracted. One without a price (null) is not small. */
export function isSmall(grossUsd: UsdUnits | null): boolean {
  return grossUsd !== null && grossUsd < DAILY_BELOW_USD
}

/**
 * Whether an unchanged open position is written at this ledger: at the first ledger of a day, and at that of an hour unless it is small and its newest
 * snapshot is small too. So a position that becomes small without an action is written once more in that hour, and readers do not keep the larger value.
 *
 * @param grossUsd Value of the position at this ledger, as for `isSmall`.
 * @param wasSmall Whether its newest snapshot is that of a small position: see `SmallPositions`.
 */
export function isHeartbeatDue({ hourStart, dayStart }: Slice, grossUsd: UsdUnits | null, wasSmall: boolean): boolean {
  return dayStart || (hourStart && !(wasSmall && isSmall(grossUsd)))
}
