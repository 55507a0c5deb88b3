// A price in `/v1`.

import type { DecimalText, Price } from '@orrery/protocol-kit'
import { rounded } from './amount.ts'

export interface ShownPrice {
  readonly price_usd: DecimalText | null
  readonly price_source: string | null
}

/** A price at which something would happen, such as a liquidation. Null if there is none. */
export function presentThreshold(usd: DecimalText | null): DecimalText | null {
  return usd === null ? null : rounded(usd)
}

/** At most 8 fractional digits like every USD value. Amounts beside it were valued with the unrounded price. */
export function presentPrice(price: Price | null): ShownPrice {
  return price === null ? { price_usd: null, price_source: null } : { price_usd: rounded(price.usd), price_source: price.source }
}
