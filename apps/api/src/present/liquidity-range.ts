// A range of a concentrated position.

import { z } from 'zod'
import { CostBasis } from './cost-basis.ts'
import { TokenEntry } from './token-amount.ts'

export const LiquidityRange = z
  .strictObject({
    tick_lower: z.int().describe('Lower tick of the range.'),
    tick_upper: z.int().describe('Upper tick of the range.'),
    liquidity: z.string().describe('Liquidity of the range: an integer without decimals.'),
    in_range: z.boolean().describe('True if the current tick of the pool is inside the range.'),
    principal: z.array(TokenEntry).describe('Amounts that removing all liquidity would pay, without fees.'),
    fees: z.array(TokenEntry).describe('Fees owed to the range, paid in addition to `principal`.'),
    exact: z
      .boolean()
      .describe('False if the range last changed before the first indexed ledger: `fees` are then those of that last change.'),
    cost_basis: CostBasis.nullable().describe('Average cost of the liquidity. Null if none was computed.'),
  })
  .meta({ id: 'LiquidityRange' })
