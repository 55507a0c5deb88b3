// The positions whose last snapshot was small. A fold cannot read snapshots, so it stores this in its state.

import { isSmall } from '../heartbeat.ts'
import type { UsdUnits } from '../usd-units.ts'
import { smallValue } from './common-values.ts'
import type { Journal, Written } from './journal.ts'
import { encodeValue } from './stored-value.ts'

/** Name of the state row, after the owner in the key: one row for each small position, none for any other. */
export const SMALL_KEY = 'small'

/** Names of the open positions whose newest snapshot is small (`isSmall`): of one pool the accounts. */
export type SmallPositions = Set<string>

const VALUE = encodeValue(smallValue, true)

/**
 * Stores whether a position that is written at this ledger is small. The row of a closed position is removed: it gets no snapshot until it changes.
 *
 * @param name Of the position in `positions`; `row` is its state row.
 */
export function rememberSize(
  positions: SmallPositions,
  name: string,
  row: Pick<Written, 'contract' | 'key' | 'owner'>,
  written: { readonly open: boolean; readonly grossUsd: UsdUnits | null },
  journal: Journal,
): void {
  const small = written.open && isSmall(written.grossUsd)
  if (small === positions.has(name)) return
  if (small) {
    positions.add(name)
    journal.write({ ...row, value: VALUE, durability: 'fact' })
  } else {
    positions.delete(name)
    journal.remove({ ...row, durability: 'fact' })
  }
}
