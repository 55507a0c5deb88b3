// Rewards that a claim would pay at the ledger of the answer.

import type { TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'

export const Claimable = z
  .strictObject({
    asset_id: z.string().describe('Contract of the reward token.'),
    amount: z.string().describe('Amount that a claim would pay at the ledger of the answer.'),
    usd_value: z.string().nullable().describe('USD value of `amount`. Null without a price.'),
  })
  .meta({ id: 'Claimable' })

export function presentClaimable({ asset, amount, usdValue }: TokenAmount): z.input<typeof Claimable> {
  return { asset_id: asset.asset, amount: wholeUnits(amount, asset.decimals), usd_value: usdValue }
}
