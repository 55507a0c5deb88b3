// One balance of an account, in one shape for all protocols.

import { SHARE_TYPES } from '@orrery/protocol-kit'
import { z } from 'zod'
import { ItemMetadata } from './item-metadata.ts'
import { LIQUIDATION_PRICE } from './liquidation-price.ts'

export const PositionItem = z
  .strictObject({
    apr: z.string().describe('Yearly interest or fees without compounding, a fraction. Emissions are not included.'),
    apy: z.string().describe('Yearly interest or fees with compounding, a fraction. Emissions are not included.'),
    asset_amount: z.string().describe('Amount of the asset, not negative; of a liability the amount owed.'),
    asset_id: z.string().describe('Contract of the token; of liquidity the LP token, or the pool if it has no token.'),
    contract: z.string().describe('Contract of the pool.'),
    emission_apy: z
      .string()
      .nullable()
      .describe(
        'Yearly emissions and rewards at the current rate, without compounding, a fraction of the value. They are not part of `apr` and `apy`. Null without a price.',
      ),
    liquidation_price: z.string().nullable().describe(LIQUIDATION_PRICE),
    metadata: ItemMetadata.describe('Members that only one kind of position has; `kind` names it.'),
    share_amount: z.string().describe('Amount of shares: bTokens, dTokens, backstop or LP shares. "0" if the position has no shares.'),
    share_type: z.enum(SHARE_TYPES).describe('What the shares are; "" without shares.'),
    usd_value: z.string().nullable().describe('USD value of `asset_amount`, not negative. Null without a price.'),
  })
  .meta({ id: 'PositionItem' })
export type PositionItem = z.input<typeof PositionItem>
