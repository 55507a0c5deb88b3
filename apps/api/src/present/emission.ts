// What pools pay to holders of positions, on top of what positions earn by themselves.

import { z } from 'zod'

const EmissionAsset = z.strictObject({
  asset_address: z.string(),
  symbol: z.string(),
  borrow_emission_apy: z.string(),
  borrow_tokens_per_second: z.string(),
  supply_emission_apy: z.string(),
  supply_tokens_per_second: z.string(),
})

export const EmissionPool = z
  .strictObject({ pool_id: z.string(), pool_name: z.string(), assets: z.array(EmissionAsset) })
  .meta({ id: 'EmissionPool' })
export type EmissionPool = z.input<typeof EmissionPool>
