// Reward tokens that pools pay to holders of positions, in addition to interest and fees.

import type { LpPool } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'

const EmissionAsset = z.strictObject({
  asset_address: z
    .string()
    .describe('Blend: the asset of the reserve, whose suppliers or borrowers receive BLND. Aquarius: the reward token.'),
  symbol: z.string().describe('Symbol of that token; "" if unknown.'),
  borrow_emission_apy: z
    .string()
    .describe('Yearly emissions to borrowers, as a fraction of the debt. "0" also without a price; `meta.partial_result` is then true.'),
  borrow_tokens_per_second: z.string().describe('Reward tokens per second to all borrowers together.'),
  supply_emission_apy: z
    .string()
    .describe('Yearly emissions to suppliers, as a fraction of the supply. "0" also without a price; `meta.partial_result` is then true.'),
  supply_tokens_per_second: z.string().describe('Reward tokens per second to all suppliers together.'),
})

export const EmissionPool = z
  .strictObject({
    pool_id: z.string().describe('Contract of the pool.'),
    pool_name: z.string().describe('Name of the pool.'),
    assets: z.array(EmissionAsset).describe('Sorted by `asset_address`.'),
  })
  .meta({ id: 'EmissionPool' })
export type EmissionPool = z.input<typeof EmissionPool>

/** One row for each reward token, on the supply side, whether the pool or a gauge pays it. */
export function liquidityEmissions(pool: LpPool): EmissionPool {
  return {
    pool_id: pool.pool,
    pool_name: pool.name,
    assets: byAddress(pool.emissions, ({ asset }) => asset.asset).map(({ asset, tokensPerSecond, apy }) => ({
      asset_address: asset.asset,
      symbol: asset.symbol,
      borrow_emission_apy: '0',
      borrow_tokens_per_second: '0',
      supply_emission_apy: apy ?? '0',
      supply_tokens_per_second: wholeUnits(tokensPerSecond, asset.decimals),
    })),
  }
}
