// From native amounts and prices to USD: what a pair's tokens are worth, its TVL, and what its fees yield.
// Prices follow the rules of docs/pricing.md: an oracle, else this pair's own ratio, else a price pool, else none.
// An unpriced part has no value and is counted, never taken as zero.

import type { ContractId } from '@orrery/ledger'
import { type At, constantProductQuote, Decimal, type Pricing, ratio, scaledText, tenTo, USD_SCALE } from '@orrery/pricing'
import type { AssetInfo, DecimalText, Network, Price } from '@orrery/protocol-kit'
import { assetInfo } from './asset.ts'
import type { PairInstance } from './entries.ts'
import { FEE_DENOMINATOR, FEE_NUMERATOR, type Pool, payoutSupply } from './math.ts'
import { type Counters, feesEnabled, type PairState, type SoroswapState } from './state.ts'
import type { UsdUnits } from './usd-units.ts'

/** Fraction of a swap's input that is the fee. */
export const FEE: DecimalText = scaledText((FEE_NUMERATOR * 10n ** 8n) / FEE_DENOMINATOR, 8)
/** Length of the window that a fee APY looks back on: 7 days. */
export const FEE_WINDOW_SECONDS = 604_800
const YEAR_SECONDS = 31_536_000n
/** Fractional digits of rates. */
const RATE_SCALE = 8
/** A drained pair earns thousands of per cent on nothing; compounded daily that has a thousand digits. Beyond this it says no more. */
const HIGHEST_APY = new Decimal(1_000_000)
/**
 * 10^24 USD in 1e-8: more than there is. Amounts of a token that anybody made reach 10^38, and one unit of it left in a pool has a price:
 * their product says nothing, and would not fit into the columns of values.
 */
const HIGHEST_VALUE: UsdUnits = 10n ** 32n
const Compounding = Decimal.clone({ POW_PRECISION: 40 })

/** One token of a pair with its price of this ledger. */
export interface ValuedToken {
  readonly info: AssetInfo
  readonly price: Price | null
  /** USD of a raw amount, rounded half up once. Null without price or decimals, unless the amount is zero, and beyond 10^24 USD. */
  value(amount: bigint): UsdUnits | null
}

/** A pair with everything that a value needs, at one moment. */
export interface ValuedPair {
  readonly pair: ContractId
  readonly instance: PairInstance
  readonly pool: Pool
  /** Supply after the pending fee mint: what payouts are parts of. */
  readonly payoutSupply: bigint
  readonly tokens: readonly [ValuedToken, ValuedToken]
  /** Stored reserves at their prices, the priced ones. */
  readonly tvlUsd: UsdUnits
  /** Reserves above zero without a price. */
  readonly unpricedAssets: number
}

/** What values are made with. */
export interface Valuer {
  readonly network: Network
  readonly pricing: Pricing
}

/** The pair at its own moment, or null while its instance is not known. */
export function valuePair(state: SoroswapState, pair: PairState, at: At, { network, pricing }: Valuer): ValuedPair | null {
  const instance = pair.instance?.value
  if (instance === undefined) return null
  const ids = [instance.token0, instance.token1] as const
  const impliedBy = [constantProductQuote(pair.pair, ids, [instance.reserve0, instance.reserve1])]
  const decimalsOf = (asset: ContractId) => assetInfo(state, asset, network).decimals
  const tokens = ids.map((id) =>
    valuedToken(assetInfo(state, id, network), pricing.priceOf(state.pricing, id, at, { impliedBy, decimalsOf })),
  ) as [ValuedToken, ValuedToken]
  const values = [tokens[0].value(instance.reserve0), tokens[1].value(instance.reserve1)]
  const pool: Pool = {
    reserve0: instance.reserve0,
    reserve1: instance.reserve1,
    // A token whose balance entries we cannot read counts with what the pair has stored.
    balance0: pair.balances.get(instance.token0)?.value ?? instance.reserve0,
    balance1: pair.balances.get(instance.token1)?.value ?? instance.reserve1,
    totalSupply: instance.totalSupply,
    kLast: instance.kLast ?? 0n,
    feesEnabled: feesEnabled(state, pair),
  }
  return {
    pair: pair.pair,
    instance,
    tokens,
    pool,
    payoutSupply: payoutSupply(pool),
    tvlUsd: values.reduce<UsdUnits>((sum, value) => sum + (value ?? 0n), 0n),
    unpricedAssets: values.filter((value) => value === null).length,
  }
}

/**
 * amount / 10^decimals · price, rounded half up to 1e-8. The price is turned into integers once: a pair values thousands of
 * positions with it at the start of an hour.
 */
export function valuedToken(info: AssetInfo, price: Price | null): ValuedToken {
  if (price === null || info.decimals === null) return { info, price, value: (amount) => (amount === 0n ? 0n : null) }
  const [whole, part = ''] = price.usd.split('.') as [string, string?]
  // The eight digits of a USD unit are taken off the denominator where it has them: smaller integers, the same quotient.
  const digits = part.length + info.decimals - USD_SCALE
  const numerator = BigInt(whole + part) * 2n * tenTo(Math.max(0, -digits))
  const half = tenTo(Math.max(0, digits))
  const denominator = half * 2n
  return {
    info,
    price,
    value: (amount) => {
      const value = (amount * numerator + half) / denominator
      return value > HIGHEST_VALUE ? null : value
    },
  }
}

/** Counters carried on to a moment: the value stays what it was when they were written. */
export function countersAt(counters: Counters, seconds: number): Counters {
  if (seconds <= counters.atSeconds) return counters
  return {
    ...counters,
    atSeconds: seconds,
    valueSeconds: counters.valueSeconds + counters.tvlUsd * BigInt(seconds - counters.atSeconds),
  }
}

export interface FeeYield {
  /** Fraction per year, simple. */
  readonly apr: DecimalText
  /** The same, compounded daily. */
  readonly apy: DecimalText
}

export const NO_YIELD: FeeYield = { apr: '0', apy: '0' }

/**
 * Fees of a window over the mean value of the pair in it, annualised:
 *
 *   apr = (Δ fees / Δt · year) / (Δ valueSeconds / Δt) = Δ fees · year / Δ valueSeconds       half up
 *   apy = (1 + apr / 365)^365 − 1                                                             capped at 1,000,000
 *
 * `fees` are those that stay with the holders. `before` null: the pair is younger than the window, and its age is the window.
 * Source: docs/protocols/soroswap.md, "Fee APY"; the daily compounding is the one that Soroswap shows.
 */
export function feeYield(before: Counters | null, now: Counters): FeeYield {
  const fees = now.lpFeesUsd - (before?.lpFeesUsd ?? 0n)
  const valueSeconds = now.valueSeconds - (before?.valueSeconds ?? 0n)
  if (fees <= 0n || valueSeconds <= 0n) return NO_YIELD
  const apr = ratio(fees * YEAR_SECONDS, valueSeconds, RATE_SCALE)
  return { apr, apy: compoundDaily(apr) }
}

/** (1 + apr / 365)^365 − 1, scale 8. */
export function compoundDaily(apr: DecimalText): DecimalText {
  const apy = new Compounding(apr).div(365).plus(1).pow(365).minus(1)
  return Decimal.min(apy, HIGHEST_APY).decimalPlaces(RATE_SCALE).toFixed()
}
