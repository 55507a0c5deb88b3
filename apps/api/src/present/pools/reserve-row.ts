// A reserve of a pool from a stored snapshot.

import type { AssetInfo, DecimalText } from '@orrery/protocol-kit'
import { wholeUnits } from '../amount.ts'
import type { PoolReserve } from './pool-item.ts'

export interface ReserveRow {
  readonly asset: string
  /** Raw. */
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly supplied_usd: DecimalText | null
  readonly borrowed_usd: DecimalText | null
  readonly utilization: DecimalText | null
  readonly supply_apy: DecimalText | null
  readonly borrow_apy: DecimalText | null
  readonly supply_emission_apy: DecimalText | null
  readonly borrow_emission_apy: DecimalText | null
}

export function presentReserveRow(row: ReserveRow, { symbol, decimals }: AssetInfo): PoolReserve {
  return {
    asset_id: row.asset,
    symbol,
    supplied: wholeUnits(row.supplied, decimals),
    borrowed: wholeUnits(row.borrowed, decimals),
    supplied_usd: row.supplied_usd,
    borrowed_usd: row.borrowed_usd,
    utilization: row.utilization,
    supply_apy: row.supply_apy,
    borrow_apy: row.borrow_apy,
    supply_emission_apy: row.supply_emission_apy,
    borrow_emission_apy: row.borrow_emission_apy,
  }
}
