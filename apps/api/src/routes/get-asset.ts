import { z } from 'zod'
import { AssetItem, stalePrices } from '../present/asset.ts'
import { PriceUse } from '../present/price-use.ts'
import { defineRoute } from '../route.ts'
import { describeAssets } from './asset-items.ts'
import { AssetPath, knownAsset } from './asset-path.ts'
import { basisOf, factsOf, protocolsAsked } from './basis.ts'

/** One asset with the network's price at the watermark. */
export const getAsset = defineRoute({
  operationId: 'getAsset',
  method: 'get',
  path: '/v1/assets/:id',
  summary: 'An asset and its price',
  description: 'Of an asset of the index, see `/v1/assets`. Prices of other ledgers are in `/v1/assets/{id}/prices` and `/v1/prices`.',
  tagName: 'Assets',
  stability: 'experimental',
  params: AssetPath,
  query: z.strictObject({}),
  data: AssetItem,
  async handle({ params: { id } }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    await knownAsset(id, basis, context)
    const at = basis.indexed.last
    const prices = new PriceUse(at.closeTimeSeconds)
    const { items, enrichment } = await describeAssets([id], at, prices, context)
    return {
      data: items[0] as AssetItem,
      enrichment,
      facts: factsOf(basis, { prices, warnings: stalePrices(items, at.closeTimeSeconds, () => '') }),
      tag: basis.tag,
    }
  },
})
