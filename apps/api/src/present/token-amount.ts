// An amount of a token in a position.

import type { TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { DECIMALS, wholeUnits } from './amount.ts'

export const TokenEntry = z
  .strictObject({
    asset_address: z.string().describe('Contract of the token.'),
    decimals: z.int().nullable().describe(DECIMALS),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    units: z.string().describe('Amount of the token.'),
    usd_value: z.string().nullable().describe('USD value of `units`. Null without a price.'),
  })
  .meta({ id: 'TokenEntry' })

export function presentToken({ asset, amount, usdValue }: TokenAmount): z.input<typeof TokenEntry> {
  return {
    asset_address: asset.asset,
    decimals: asset.decimals,
    symbol: asset.symbol,
    units: wholeUnits(amount, asset.decimals),
    usd_value: usdValue,
  }
}
