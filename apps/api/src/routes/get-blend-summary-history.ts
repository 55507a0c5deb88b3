import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { SUMMARY_RULES, SummaryQuery } from '../params/summary-query.ts'
import { PriceUse } from '../present/price-use.ts'
import { SummaryPoint } from '../present/summary-point.ts'
import { blendReader } from '../readers/blend.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { readSummary } from './position-summary.ts'

/** The sum of an account's positions in Blend over time. Each pool counts with its last snapshot at or before a point. */
export const getBlendSummaryHistory = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/blend/summary/history',
  summary: 'History of all positions of an account in Blend',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress }),
  query: SummaryQuery,
  rules: SUMMARY_RULES,
  data: z
    .strictObject({ address: z.string(), points: z.array(SummaryPoint).describe('In ascending order.') })
    .meta({ id: 'BlendSummaryHistory' }),
  async handle({ params: { address }, query }, context) {
    const basis = await basisOf(['blend'], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const own = context.readModel.ownerStateAsOf({ owner: address, protocol: 'blend', ledger: at.ledger }, context.call)
    const [blend, summary] = await Promise.all([
      blendReader(context).account(address, own, { at, indexed: basis.indexed }),
      readSummary({ protocol: 'blend', address }, query, basis.indexed, context),
    ])

    const prices = new PriceUse(at.closeTimeSeconds)
    // The points were valued with these prices. The ages of the prices at the points are not stored, so their ages at the ledger of the answer are shown.
    if (summary.points.length > 0) blend.positions(prices)
    const data = { address, points: summary.points }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [blend]),
      facts: factsOf(basis, { partial: summary.partial, prices }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})
