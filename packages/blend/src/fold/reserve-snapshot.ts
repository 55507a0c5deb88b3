// One asset of a pool at the end of a ledger, accrued to its close time as the contract would.

import type { ReserveSnapshotRow, Slice } from '@orrery/protocol-kit'
import { rateText } from '../math/rates.ts'
import { sideEmission } from '../view/emission-yield.ts'
import { usdOrNull, type ValuedPool, type ValuedReserve } from '../view/valuation.ts'

export function reserveSnapshot(reserve: ValuedReserve, valued: ValuedPool, slice: Slice, heartbeat: boolean): ReserveSnapshotRow {
  const { pool } = valued
  const { asset, data, config, token, supplied, borrowed } = reserve
  return {
    protocol: slice.protocol,
    pool: pool.pool,
    asset,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    supplied,
    borrowed,
    suppliedUsd: usdOrNull(token.value(supplied)),
    borrowedUsd: usdOrNull(token.value(borrowed)),
    priceUsd: token.price?.usd ?? null,
    priceSource: token.price?.source ?? '',
    native: {
      index: reserve.index.toString(),
      b_rate: data.bRate.toString(),
      d_rate: data.dRate.toString(),
      b_supply: data.bSupply.toString(),
      d_supply: data.dSupply.toString(),
      backstop_credit: data.backstopCredit.toString(),
      rate_modifier: data.rateModifier.toString(),
      utilization: reserve.utilization.toString(),
      borrow_apr: reserve.borrowApr.toString(),
      supply_apr: reserve.supplyApr.toString(),
      borrow_apy: rateText(reserve.borrowApy),
      supply_apy: rateText(reserve.supplyApy),
      borrow_emission_apy: emissionApy(reserve, 'borrow', valued),
      supply_emission_apy: emissionApy(reserve, 'supply', valued),
      c_factor: config.cFactor.toString(),
      l_factor: config.lFactor.toString(),
      cash: pool.balances.get(asset)?.value.toString() ?? null,
    },
  }
}

/** '0' where nothing is emitted. */
function emissionApy(reserve: ValuedReserve, side: 'supply' | 'borrow', valued: ValuedPool): string | null {
  const emission = sideEmission(reserve, side, valued)
  return emission === null ? '0' : emission.apy
}
