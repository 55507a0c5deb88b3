// `GET /v1/protocols/{id}/emissions`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { EmissionPool } from '../present/emission.ts'
import { PriceUse } from '../present/price-use.ts'
import { readersOf } from '../readers/index.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { knownProtocol, protocolId, protocolPath } from './protocol-path.ts'
import { indexStartsLate, missingValues } from './warn.ts'

/** Emissions of a protocol to holders of positions. Empty for a protocol without emissions or without an adapter. */
export const getEmissions = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getEmissions',
    method: 'get',
    path: '/v1/protocols/:id/emissions',
    summary: 'Emissions of a protocol',
    description: 'Rates at which a protocol pays rewards to holders of positions at the last indexed ledger, by pool and asset.',
    tagName: 'Protocols',
    params: protocolPath(protocols),
    query: z.strictObject({}),
    data: z
      .strictObject({
        protocol_id: protocolId(protocols),
        pools: z.array(EmissionPool).describe('Pools of the protocol. Empty for protocols without emissions.'),
      })
      .meta({ id: 'Emissions' }),
    async handle({ params }, context) {
      const protocol = knownProtocol(params.id, context)
      const basis = await basisOf([protocol], context)
      const at = basis.indexed.last
      const prices = new PriceUse(at.closeTimeSeconds)
      const reader = readersOf(context).find((one) => one.protocol === protocol && one.hasEmissions)
      const state = (await reader?.pools({ at, indexed: basis.indexed })) ?? null
      const { pools, complete } = state?.emissions(prices) ?? { pools: [], complete: true }
      const data = { protocol_id: protocol, pools }
      const enrichment = await enrich(data, at, prices, context, state === null ? [] : [state])
      const late = reader !== undefined && basis.beginsLate ? [indexStartsLate()] : []
      return {
        data,
        enrichment,
        facts: factsOf(basis, { warnings: [...late, ...missingValues(complete, data, enrichment)], prices }),
        tag: basis.tag,
      }
    },
  })
