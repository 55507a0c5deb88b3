// When a loss writes all holders of a pool in its ledger. Any account may deploy a token or a pool whose balance falls and rises at will: without a bound,
// each of its ledgers would write every holder.

import type { ContractId } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { DAILY_BELOW_USD } from '../heartbeat.ts'
import type { UsdUnits } from '../usd-units.ts'
import { lossValue } from './common-values.ts'
import type { Journal } from './journal.ts'
import { encodeValue } from './stored-value.ts'

/** Name of the state row, under the pool. */
export const LOSS_KEY = 'loss'

/** What a pool's state stores about its losses. */
export interface LossMemory {
  /** Hours since 1970 of the newest loss that wrote all holders; null before the first. */
  lossHour: number | null
}

/**
 * Whether the holders that a loss hits are written in this ledger: where at least 1 USD was lost, and at most once a pool and hour of close times.
 * Otherwise the first ledger of the next hour shows the smaller values. Stores the hour of a loss that writes.
 *
 * @param lostUsd What all holders lost together, at this ledger's prices. Null: unknown, which writes nothing.
 */
export function writesLoss(
  pool: ContractId,
  memory: LossMemory,
  lostUsd: UsdUnits | null,
  { closeTimeSeconds }: Slice,
  journal: Journal,
): boolean {
  const hour = Math.floor(closeTimeSeconds / 3_600)
  if (lostUsd === null || lostUsd < DAILY_BELOW_USD || memory.lossHour === hour) return false
  memory.lossHour = hour
  journal.write({ contract: pool, key: LOSS_KEY, value: encodeValue(lossValue, hour), durability: 'fact' })
  return true
}
