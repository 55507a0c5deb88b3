// Volumes of pools from the recorded trades: what went into each swap, at the stored price of the pool's snapshot of that ledger. The stored prices
// are compared with the recorded answers by the tests of prices.

import type { Registry } from './checkpoint.ts'
import { Fraction, sum, USD_DIGITS, ZERO } from './fraction.ts'
import type { RecordedTrade } from './recorded-trades.ts'
import { storedRows } from './stored-rows.ts'

export class RecordedVolumes {
  readonly #byPool = new Map<string, { readonly closeTime: number; readonly usd: Fraction }[]>()

  private constructor(trades: readonly RecordedTrade[], prices: ReadonlyMap<string, string>, registry: Registry) {
    for (const { pool, ledger, closeTime, amountsIn } of trades) {
      const usd = sum(
        amountsIn.map(({ token, amount }) => {
          const price = prices.get(`${pool} ${ledger} ${token}`)
          const { decimals } = registry.assets[token] ?? {}
          // A token without a price counts nothing.
          return price === undefined || decimals === undefined
            ? ZERO
            : Fraction.units(amount, decimals).times(Fraction.of(price)).rounded(USD_DIGITS)
        }),
      )
      const ofPool = this.#byPool.get(pool) ?? []
      ofPool.push({ closeTime, usd })
      this.#byPool.set(pool, ofPool)
    }
  }

  static async read(trades: readonly RecordedTrade[], registry: Registry): Promise<RecordedVolumes> {
    const rows = await storedRows(
      "SELECT DISTINCT pool, ledger, asset, price_usd FROM orrery.reserve_snapshots WHERE protocol IN ('aquarius', 'soroswap') AND price_usd IS NOT NULL",
    )
    const prices = new Map(rows.map(({ pool, ledger, asset, price_usd }) => [`${pool} ${ledger} ${asset}`, String(price_usd)]))
    return new RecordedVolumes(trades, prices, registry)
  }

  /** Of swaps in ledgers that closed after `from` and at or before `to`, unix seconds. */
  between(pool: string, from: number, to: number): Fraction {
    const swaps = (this.#byPool.get(pool) ?? []).filter(({ closeTime }) => closeTime > from && closeTime <= to)
    return sum(swaps.map(({ usd }) => usd))
  }
}
