// What pools pay to holders of positions, on top of what positions earn by themselves.

import type { LpPool } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'

const EmissionAsset = z.strictObject({
  asset_address: z.string().describe('Of Blend the reserve, which pays BLND; of Aquarius the reward token.'),
  symbol: z.string(),
  borrow_emission_apy: z.string().describe('What is paid for debts of the asset.'),
  borrow_tokens_per_second: z.string(),
  supply_emission_apy: z.string().describe('What is paid to who holds it. "0" also where it has no price, and the answer is partial then.'),
  supply_tokens_per_second: z.string().describe('Whole units, over all holders.'),
})

export const EmissionPool = z
  .strictObject({ pool_id: z.string(), pool_name: z.string(), assets: z.array(EmissionAsset) })
  .meta({ id: 'EmissionPool' })
export type EmissionPool = z.input<typeof EmissionPool>

/** One row for each reward token, on the supply side: whoever pays it, the pool or a gauge. */
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
