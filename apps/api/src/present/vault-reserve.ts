// A currency of FxDAO as a reserve: the stablecoins owed, and in the metadata the collateral of the vaults.

import type { CurrencyReserve } from '@orrery/fxdao'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentPrice } from './price.ts'
import { NOT_LENDING, type Reserve } from './reserve.ts'

/** One for each currency, by the address of its coin. */
export function currencyReserves(currencies: readonly CurrencyReserve[]): Reserve[] {
  return byAddress(currencies, ({ coin }) => coin.asset).map((currency) => {
    const { coin, debt, collateral } = currency
    return {
      ...NOT_LENDING,
      asset_id: coin.asset,
      asset_symbol: coin.symbol,
      contract: currency.contract,
      decimals: coin.decimals,
      ledger: currency.ledger,
      metadata: {
        kind: 'vault',
        currency: currency.denomination,
        raw_total_borrowed: debt.amount.toString(),
        borrowed_usd: debt.usdValue,
        ...presentPrice(debt.price),
        collateral_asset: collateral.asset.asset,
        collateral: wholeUnits(collateral.amount, collateral.asset.decimals),
        collateral_usd: collateral.usdValue,
        vaults: Number(currency.vaults),
        minimum_ratio_pct: currency.minimumRatioPct,
        opening_ratio_pct: currency.openingRatioPct,
        minimum_debt: wholeUnits(currency.minimumDebt, coin.decimals),
        rate: currency.rate,
        fee_pct: currency.feePct,
      },
      oracle_contract: currency.oracle,
      // The panic switch stops new debt in all currencies; a currency that is not active takes no new vaults.
      status: currency.panic ? 'paused' : currency.active ? 'active' : 'frozen',
      total_borrowed: wholeUnits(debt.amount, coin.decimals),
      total_supplied: '0',
    }
  })
}
