// A token that shares stand for, as positions show it.

import type { TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'

export const TokenEntry = z
  .strictObject({
    asset_address: z.string(),
    decimals: z.int().nullable().describe("Null when the token's decimals are unknown; amounts are raw then."),
    symbol: z.string(),
    units: z.string(),
    usd_value: z.string().nullable(),
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
