// The terms by which lists of positions value vaults and locked stakes: `vaultPosition` and `lockedPositions` for all accounts at once.

import { usdFraction } from '@orrery/fold-kit'
import { PLAIN_TERM, type PositionTerm } from '@orrery/protocol-kit'
import { poolOfCurrency } from './asset.ts'
import type { Valuation } from './valuation.ts'

export function positionTerms(valuation: Valuation): PositionTerm[] {
  const { state } = valuation
  const vaults = [...state.currencies.keys()].sort().flatMap((denomination) => vaultTerms(denomination, valuation))
  const stakes = [...state.locking.values()].flatMap(({ contract, pools }) =>
    [...pools.keys()].map(
      (asset): PositionTerm => ({ ...PLAIN_TERM, pool: contract, side: 'stake', asset, usd: usdFraction(valuation.token(asset)) }),
    ),
  )
  return [...vaults, ...stakes]
}

function vaultTerms(denomination: string, valuation: Valuation): PositionTerm[] {
  const { state } = valuation
  const core = state.core?.value
  const currency = state.currencies.get(denomination)?.value
  const totals = state.totals.get(denomination)?.value
  if (core === undefined || currency === undefined || totals === undefined) return []
  const rate = valuation.rate(denomination)
  const of = { ...PLAIN_TERM, pool: poolOfCurrency(denomination), asset: '' }
  const own = (price: bigint) => ({ price, unit: 1n, decimals: 0 })
  return [
    { ...of, side: 'collateral', usd: usdFraction(valuation.token(core.collateral)), own: rate === null ? null : own(rate) },
    { ...of, side: 'liability', usd: usdFraction(valuation.token(currency.coin)), own: own(totals.minimumRatio) },
  ]
}
