import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf } from './basis.ts'
import { knownProtocol, ProtocolPath } from './protocol-path.ts'

const EmissionAsset = z.strictObject({
  asset_address: z.string(),
  symbol: z.string(),
  borrow_emission_apy: z.string(),
  borrow_tokens_per_second: z.string(),
  supply_emission_apy: z.string(),
  supply_tokens_per_second: z.string(),
})

const Data = z
  .strictObject({
    protocol_id: z.string(),
    pools: z.array(z.strictObject({ pool_id: z.string(), pool_name: z.string(), assets: z.array(EmissionAsset) })),
  })
  .meta({ id: 'Emissions' })

/** What a protocol pays out to holders of positions. Soroswap pays nothing, and the others have no adapter here: no pools. */
export const getEmissions = defineRoute({
  method: 'get',
  path: '/v1/protocols/:id/emissions',
  summary: 'Emissions of a protocol',
  tagName: 'Protocols',
  params: ProtocolPath,
  query: z.strictObject({}),
  data: Data,
  async handle({ params }, context) {
    const protocol = knownProtocol(params.id)
    const basis = await basisOf([protocol], context)
    return {
      data: { protocol_id: protocol, pools: [] },
      enrichment: NO_ENRICHMENT,
      facts: factsOf(basis, { partial: false }),
      tag: basis.tag,
    }
  },
})
