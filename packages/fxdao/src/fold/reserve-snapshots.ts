// Reserves at the end of a ledger: what the vaults of a currency hold and owe, and what is locked of each asset.

import { usdText } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { ReserveSnapshotRow } from '@orrery/protocol-kit'
import type { CurrencyTotals } from '../chain/entries.ts'
import type { LockingState } from '../state/state.ts'
import { poolOfCurrency } from '../view/asset.ts'
import { lockedAmounts } from '../view/reserve.ts'
import type { LedgerEnd } from './ledger-end.ts'

/** Collateral, then the coin. */
export function currencyReserves(denomination: string, totals: CurrencyTotals, end: LedgerEnd, heartbeat: boolean): ReserveSnapshotRow[] {
  const { core, currencies } = end.valuation.state
  const collateral = core?.value.collateral ?? ''
  const coin = currencies.get(denomination)?.value.coin ?? ''
  const pool = poolOfCurrency(denomination)
  const row = (asset: ContractId, amounts: Amounts) => reserveRow(pool, asset, amounts, end, heartbeat)
  return [
    ...(collateral === '' ? [] : [row(collateral, { supplied: totals.collateral, borrowed: 0n })]),
    ...(coin === ''
      ? []
      : [{ ...row(coin, { supplied: 0n, borrowed: totals.debt }), native: { collateral: totals.collateral.toString() } }]),
  ]
}

/** One for each asset that was ever locked; of a heartbeat those that are. */
export function lockingReserves(locking: LockingState, end: LedgerEnd, heartbeat: boolean): ReserveSnapshotRow[] {
  const amounts = lockedAmounts(locking)
  const assets = new Set([...locking.stakes.values()].map(({ asset }) => asset))
  return [...assets].sort().flatMap((asset) => {
    const supplied = amounts.get(asset) ?? 0n
    if (heartbeat && supplied === 0n) return []
    return [reserveRow(locking.contract, asset, { supplied, borrowed: 0n }, end, heartbeat)]
  })
}

interface Amounts {
  readonly supplied: bigint
  readonly borrowed: bigint
}

function reserveRow(
  pool: string,
  asset: ContractId,
  { supplied, borrowed }: Amounts,
  { valuation, slice: { protocol, ledger, closeTimeSeconds } }: LedgerEnd,
  heartbeat: boolean,
): ReserveSnapshotRow {
  const { price } = valuation.token(asset)
  // Nothing is worth nothing, whatever its price.
  const usdOf = (amount: bigint): string | null => {
    const value = amount === 0n ? 0n : valuation.value(asset, amount)
    return value === null ? null : usdText(value)
  }
  return {
    ...{ protocol, pool, asset, ledger, closeTimeSeconds, heartbeat, supplied, borrowed },
    suppliedUsd: usdOf(supplied),
    borrowedUsd: usdOf(borrowed),
    priceUsd: price?.usd ?? null,
    priceSource: price?.source ?? '',
    native: {},
  }
}
