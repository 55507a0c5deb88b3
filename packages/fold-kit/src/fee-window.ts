// The counters of pools at the beginning of the window of a yield, as a reader loads them.

import type { Address, ContractId } from '@orrery/ledger'
import type { DecimalText, StateRow } from '@orrery/protocol-kit'
import { type Counters, countersAt, FEE_WINDOW_SECONDS, type FeeYield, feeYield, NO_YIELD, yieldOf } from './fee-yield.ts'
import { countersValue } from './state/common-values.ts'
import { decodeRow } from './state/unreadable-row.ts'
import { usdText, usdUnits } from './usd-units.ts'

/** Counters of pools at the beginning of a fee window. Pools without are younger than it. */
export type FeeWindow = ReadonlyMap<ContractId, Counters>

/** The window that ends at `toSeconds`, from rows of which those with the key `countersKey` hold counters. */
export function readFeeWindow(rows: Iterable<StateRow>, countersKey: string, toSeconds: number): FeeWindow {
  const from = toSeconds - FEE_WINDOW_SECONDS
  const window = new Map<ContractId, Counters>()
  for (const row of rows) {
    if (row.key !== countersKey) continue
    const counters = decodeRow(countersValue, row)
    if (counters.atSeconds <= from) window.set(row.contract, countersAt(counters, from))
  }
  return window
}

/** What a pool earned in the window that ends at `toSeconds`. `counters`: its newest ones. */
export function yieldInWindow(pool: Address, counters: Counters | null, window: FeeWindow, toSeconds: number): FeeYield {
  return counters === null ? NO_YIELD : feeYield(window.get(pool) ?? null, countersAt(counters, toSeconds))
}

/** The volume of a pool since the beginning of the window, scale 8. `counters`: its newest ones. */
export function volumeInWindow(pool: Address, counters: Counters | null, window: FeeWindow): DecimalText {
  return counters === null ? '0' : usdText(counters.volumeUsd - (window.get(pool)?.volumeUsd ?? 0n))
}

/** The APY of fees over a window, from their sum and from the integral of the pool's value (USD seconds), scale 8. */
export function feeApyOf(feesUsd: DecimalText, valueSecondsUsd: DecimalText): DecimalText {
  return yieldOf(usdUnits(feesUsd), usdUnits(valueSecondsUsd)).apy
}
