// Currencies with the stored totals of all their vaults, and locked assets, from the state.

import type { ContractId } from '@orrery/ledger'
import { ratio } from '@orrery/pricing'
import { DECIMALS, RATE_ONE } from '../chain/entries.ts'
import { percent } from '../math/formulas.ts'
import type { LockingState } from '../state/state.ts'
import type { Valuation } from './valuation.ts'

/** A currency with the stored totals of all its vaults. */
export type CurrencyReserve = Readonly<NonNullable<ReturnType<typeof currencyReserve>>>

/** What is locked of one asset. */
export type LockedReserve = Readonly<ReturnType<typeof lockedReserves>[number]>

/** Sum of the deposits by asset, by address of the asset; assets without deposits are left out. */
export function lockedAmounts({ stakes }: LockingState): ReadonlyMap<ContractId, bigint> {
  const amounts = new Map<ContractId, bigint>()
  for (const { asset, deposit } of stakes.values()) {
    const amount = deposit?.value.amount ?? 0n
    if (amount > 0n) amounts.set(asset, (amounts.get(asset) ?? 0n) + amount)
  }
  return new Map([...amounts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function currencyReserve(denomination: string, valuation: Valuation) {
  const { state } = valuation
  const core = state.core?.value
  const currency = state.currencies.get(denomination)?.value
  const totals = state.totals.get(denomination)?.value
  if (core === undefined || currency === undefined || totals === undefined) return null
  const rate = valuation.rate(denomination)
  const debt = valuation.amount(currency.coin, totals.debt)
  return {
    contract: state.vaultsContract,
    denomination,
    active: currency.active,
    coin: debt.asset,
    debt,
    collateral: valuation.amount(core.collateral, totals.collateral),
    vaults: totals.vaults,
    minimumRatioPct: percent(totals.minimumRatio),
    openingRatioPct: percent(totals.openingRatio),
    /** Raw. */
    minimumDebt: totals.minimumDebt,
    /** Units of the currency for one unit of collateral; null while the feed has none. */
    rate: rate === null ? null : ratio(rate, RATE_ONE, DECIMALS),
    oracle: core.oracle,
    /** Of what goes in and of what a full repayment gives back, percent. */
    feePct: percent(core.fee),
    /** New vaults, borrowing and withdrawing are stopped. */
    panic: core.panic,
    /** Ledger of the newest change of its conditions or totals. */
    ledger: state.changedLedgers.get(denomination) ?? 0,
  }
}

/** What is locked in one contract, by asset. */
export function lockedReserves(locking: LockingState, valuation: Valuation) {
  return [...lockedAmounts(locking)].map(([asset, amount]) => ({
    contract: locking.contract,
    stake: valuation.amount(asset, amount),
    active: locking.pools.get(asset)?.value.active ?? false,
    lockSeconds: Number(locking.pools.get(asset)?.value.lockSeconds ?? 0n),
  }))
}
