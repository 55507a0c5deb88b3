// Prices for FxDAO's vaults at a checkpoint: the recorded rates of their feed.

import type { Checkpoint, Registry, Words } from './checkpoint.ts'
import { type ExpectedPrice, ExpectedPrices } from './expected-prices.ts'
import { Fraction, USD_DIGITS, ZERO } from './fraction.ts'

/** Vaults are valued by their own feed (rule 1 of docs/pricing.md), also where other oracles come first. */
export interface Feed {
  readonly core: Words
  readonly collateral: ExpectedPrice | null
  /** Null: the coin is not at par, and nothing else has a price of it. */
  readonly coin: (asset: string) => ExpectedPrice | null
  /** USD of a raw amount at its price: 8 digits, half up. Nothing of an asset without a price is worth nothing. */
  readonly value: (raw: string, asset: string) => Fraction | null
}

export function feedAt(at: Checkpoint, registry: Registry): Feed {
  const prices = new ExpectedPrices(at, registry)
  const core = at.only('fxdao.core').core_state as Words
  const token = core.col_token ?? ''
  const collateral = prices.ofOracle(core.oracle ?? '', token)
  const coin = (asset: string): ExpectedPrice | null => prices.ofCoin(asset)
  const value = (raw: string, asset: string): Fraction | null => {
    const price = asset === token ? collateral : coin(asset)
    return valueAt(raw, price, prices.decimalsOf(asset))
  }
  return { core, collateral, coin, value }
}

/** USD of raw units: 8 digits, half up. */
export function valueAt(raw: string, price: ExpectedPrice | null, decimals: number): Fraction | null {
  if (BigInt(raw) === 0n) return ZERO
  return price === null ? null : Fraction.units(raw, decimals).times(price.usd).rounded(USD_DIGITS)
}

/** USD of a stake, which the network's prices value. */
export function stakeValue(raw: string, asset: string, prices: ExpectedPrices): Fraction | null {
  return valueAt(raw, prices.ofNetwork(asset), prices.decimalsOf(asset))
}
