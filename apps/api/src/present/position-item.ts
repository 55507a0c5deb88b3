// One balance of an account, in one shape for all protocols.

import { z } from 'zod'

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
    liquidation_price: z
      .string()
      .nullable()
      .describe('USD price of the asset at which the position could be liquidated. Null if no price would cause a liquidation.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        '`claimable`: rewards that a claim would pay, a list of `Reward`. If an asset is both supply and collateral, they are given once, at the collateral; `cost_basis` is divided by shares. `as_of_ledger` is present only if the item was read from a Stellar RPC: the ledger of the RPC response. All other items are as of `last_indexed_ledger`.',
      ),
    share_amount: z.string().describe('Amount of shares: bTokens, dTokens, backstop or LP shares. "0" if the position has no shares.'),
    share_type: z.string().describe('One of: b_token, b_token_collateral, d_token, backstop_share, lp_share, vault; "" without shares.'),
    usd_value: z.string().nullable().describe('USD value of `asset_amount`, not negative. Null without a price.'),
  })
  .meta({ id: 'PositionItem' })
export type PositionItem = z.input<typeof PositionItem>
