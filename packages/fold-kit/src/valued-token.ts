// A token at its price: raw amounts to USD, rounded once.

import { tenTo, USD_SCALE } from '@orrery/pricing'
import type { AssetInfo, DecimalText, Price, UsdFraction } from '@orrery/protocol-kit'
import type { UsdUnits } from './usd-units.ts'

/**
 * 10^24 USD in 1e-8: more than exists. Any account can make a token with amounts up to 10^38, and one unit of it left in a pool has a price:
 * their product means nothing, and would not fit into the columns of values.
 */
const HIGHEST_VALUE: UsdUnits = 10n ** 32n

/** A token with its price of one ledger. */
export interface ValuedToken {
  readonly info: AssetInfo
  readonly price: Price | null
  /** USD of a raw amount, rounded half up once. Null without price or decimals, unless the amount is zero, and beyond 10^24 USD. */
  value(amount: bigint): UsdUnits | null
}

/**
 * amount / 10^decimals · price, rounded half up to 1e-8. The price is turned into integers once: a pool values thousands of
 * positions with it at the start of an hour.
 */
export function valuedToken(info: AssetInfo, price: Price | null): ValuedToken {
  if (price === null || info.decimals === null) return { info, price, value: (amount) => (amount === 0n ? 0n : null) }
  const { numerator, half } = fractionOf(price.usd, info.decimals)
  const denominator = half * 2n
  return {
    info,
    price,
    value: (amount) => {
      if (amount === 0n) return 0n
      const value = (amount * numerator + half) / denominator
      return value > HIGHEST_VALUE ? null : value
    },
  }
}

/** The integers by which `value` computes: null without price or decimals. */
export function usdFraction({ info, price }: Pick<ValuedToken, 'info' | 'price'>): UsdFraction | null {
  return price === null || info.decimals === null ? null : fractionOf(price.usd, info.decimals)
}

/** The eight digits of a USD unit are taken off the denominator where it has them: smaller integers, the same quotient. */
function fractionOf(usd: DecimalText, decimals: number): UsdFraction {
  const [whole, part = ''] = usd.split('.') as [string, string?]
  const digits = part.length + decimals - USD_SCALE
  return { numerator: BigInt(whole + part) * 2n * tenTo(Math.max(0, -digits)), half: tenTo(Math.max(0, digits)) }
}
