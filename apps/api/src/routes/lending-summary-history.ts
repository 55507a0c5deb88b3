// `/v1/users/{address}/positions/<lending>/summary/history`: all of an account's positions in a lending protocol over time, added up.

import { z } from 'zod'
import { awaitedLater } from '../awaited-later.ts'
import { AccountAddress } from '../params/address.ts'
import { bucketsOf } from '../params/bucket-window.ts'
import { readSummaryQuery, SUMMARY_RULES, SummaryQuery } from '../params/summary-query.ts'
import { liveSummary, withLivePoint } from '../present/live-point.ts'
import { PriceUse } from '../present/price-use.ts'
import { SummaryPoint } from '../present/summary-point.ts'
import { lendingReader } from '../readers/lending.ts'
import { defineRoute, type Route } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { bucketLoad } from './bucket-load.ts'
import { enrich } from './enrich.ts'
import { schemaName } from './kind-names.ts'
import { readSummary } from './position-summary.ts'

/** Each pool counts with its last snapshot at or before a point. */
export function lendingSummaryHistory(protocol: ProtocolOf<'lending'>): Route {
  return defineRoute({
    operationId: `get${schemaName(protocol.id)}SummaryHistory`,
    method: 'get',
    path: `/v1/users/:address/positions/${protocol.id}/summary/history`,
    summary: `History of all positions of an account in ${protocol.displayName}`,
    description:
      'The sum of the positions of an account in all pools, each with its last snapshot at or before the point; there is a point where any pool has a snapshot. USD values use the prices at the ledger of each snapshot. On the time axis, where the window reaches the last indexed close time, the bucket that contains it shows the values at that ledger, as the portfolio does. Without parameters: the newest 5,000 points. `as_of_ledger`: exactly one point, the latest at or before.',
    tagName: 'Positions',
    params: z.strictObject({ address: AccountAddress }),
    query: SummaryQuery,
    csv: { rows: 'points', next: 'to_ledger' },
    rules: SUMMARY_RULES,
    data: z
      .strictObject({ address: z.string().describe('The account.'), points: z.array(SummaryPoint).describe('Ascending.') })
      .meta({ id: `${schemaName(protocol.id)}SummaryHistory` }),
    load: ({ query }, context) => bucketLoad(context, (indexed) => bucketsOf(readSummaryQuery(query, indexed).window)),
    async handle({ params: { address }, query }, context) {
      const basis = await basisOf([protocol.id], context)
      const at = await answerLedger(query.as_of_ledger, basis, context)
      const own = awaitedLater(
        context.readModel.ownerStateAsOf({ owners: [address], protocol: protocol.id, ledger: at.ledger }, context.call),
      )
      const [account, { points: stored, live, warnings }] = await Promise.all([
        lendingReader(protocol, context).account(address, own, { at, indexed: basis.indexed }),
        readSummary({ protocol: protocol.id, address }, query, basis.indexed, context),
      ])
      // Without `as_of_ledger`, which no bucketed history has, the account is as of the last ledger.
      const entry = live === null ? null : (account.portfolio(address, new PriceUse(at.closeTimeSeconds))?.entry ?? null)
      const points = withLivePoint(stored, live === null ? null : liveSummary(entry, live))

      const prices = new PriceUse(at.closeTimeSeconds)
      // The points were valued with these; their own age is not stored, that at the answer's ledger is the best that can be said.
      if (points.length > 0) account.positions(prices)
      const data = { address, points }
      return {
        data,
        enrichment: await enrich(data, at, prices, context, [account]),
        facts: factsOf(basis, { warnings, prices }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })
}
