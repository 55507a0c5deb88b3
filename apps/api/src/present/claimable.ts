// Rewards that a claim would pay at the answer's ledger.

import type { TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'

export const Claimable = z
  .strictObject({ asset_id: z.string(), amount: z.string(), usd_value: z.string().nullable() })
  .meta({ id: 'Claimable' })

export function presentClaimable({ asset, amount, usdValue }: TokenAmount): z.input<typeof Claimable> {
  return { asset_id: asset.asset, amount: wholeUnits(amount, asset.decimals), usd_value: usdValue }
}
