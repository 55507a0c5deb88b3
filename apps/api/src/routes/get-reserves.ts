// `GET /v1/protocols/{id}/reserves`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { LedgerParameter } from '../params/integer.ts'
import { listed } from '../present/english.ts'
import { PriceUse } from '../present/price-use.ts'
import { Backstop, Reserve } from '../present/reserve.ts'
import { readersOf } from '../readers/index.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { knownProtocol, protocolId, protocolPath } from './protocol-path.ts'
import { missingValues, rangeWarnings } from './warn.ts'

/** Only lending pools have backstops. */
function dataOf(protocols: readonly Protocol<unknown>[]) {
  const lending = protocols.filter(({ view }) => view.kind === 'lending').map(({ displayName }) => displayName)
  const backstops = z.array(Backstop).describe(`One for each pool of ${listed(lending)}. Empty for other protocols.`)
  const reserves = z.array(Reserve).describe('One for each asset of each pool.')
  return z.strictObject({ protocol_id: protocolId(protocols), reserves, backstops }).meta({ id: 'Reserves' })
}

/** The reserves of all pools of a protocol, now or at the end of a ledger. */
export const getReserves = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getReserves',
    method: 'get',
    path: '/v1/protocols/:id/reserves',
    summary: 'Reserves of a protocol',
    description:
      'Assets of every pool with their amounts, rates and parameters, interest accrued to the ledger of the answer, and the backstops of lending pools.',
    tagName: 'Protocols',
    params: protocolPath(protocols),
    query: z.strictObject({
      as_of_ledger: LedgerParameter.optional().describe('Reserves at the end of this ledger. Omit for the latest.'),
    }),
    data: dataOf(protocols),
    async handle({ params, query }, context) {
      const protocol = knownProtocol(params.id, context)
      const basis = await basisOf([protocol], context)
      const at = await answerLedger(query.as_of_ledger, basis, context)
      const prices = new PriceUse(at.closeTimeSeconds)
      const reader = readersOf(context).find((one) => one.protocol === protocol)
      const pools = (await reader?.pools({ at, indexed: basis.indexed })) ?? null
      // Without an adapter the answer is empty, and partial because the adapter is missing.
      const { complete, ...shown } = pools?.reserves(prices) ?? { reserves: [], backstops: [], complete: true }
      const data = { protocol_id: protocol, ...shown }
      const enrichment = await enrich(data, at, prices, context, pools === null ? [] : [pools])
      const warnings = [...rangeWarnings(basis, at), ...missingValues(complete, data, enrichment)]
      return {
        data,
        enrichment,
        facts: factsOf(basis, { warnings, prices }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })
