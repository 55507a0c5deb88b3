import { HISTORY_RULES, reachesOutside } from '../../params/history-query.ts'
import { PoolHistoryQuery } from '../../params/pool-history-query.ts'
import { PoolSeries } from '../../present/pools/pool-point.ts'
import { PriceUse } from '../../present/price-use.ts'
import { defineRoute } from '../../route.ts'
import type { Warning } from '../../warnings.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from '../basis.ts'
import { historyLoad } from '../bucket-load.ts'
import { enrich } from '../enrich.ts'
import { historyCut, indexStartsLate, outsideWarnings } from '../warn.ts'
import { findPool, PoolPath } from './pool-path.ts'
import { readPoolSeries } from './pool-series.ts'

/** The value, volume, yields and reserves of one pool over time. */
export const getPoolHistory = defineRoute({
  operationId: 'getPoolHistory',
  method: 'get',
  path: '/v1/pools/:pool_id/history',
  summary: 'History of a pool',
  description:
    'The last snapshot of each bucket; raw, every snapshot. USD values use the prices at the ledger of each point. On the time axis, where the window reaches the last indexed ledger, the bucket that holds it shows the values at that ledger, as `/v1/pools/{pool_id}` does.',
  tagName: 'Pools',
  stability: 'experimental',
  params: PoolPath,
  query: PoolHistoryQuery,
  csv: { rows: 'points', next: 'as_of_ledger' },
  rules: HISTORY_RULES,
  load: ({ query }, context) => historyLoad(query, context),
  data: PoolSeries,
  async handle({ params: { pool_id: id }, query }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const { indexed } = basis
    // Whether a pool is known does not depend on the requested ledger: before its first ledger the history is empty.
    const found = await findPool(id, { at: indexed.last, indexed }, context)
    const series = await readPoolSeries(found, query, indexed, context)

    const at = await answerLedger(query.as_of_ledger, basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    // The ages of the prices at the points are not stored: those of the present prices are shown, of answers that show the present.
    if (series.points.length > 0 && at.ledger === indexed.last.ledger) for (const price of found.pool.entry.prices) prices.add(price)
    const data = { pool_id: id, points: series.points }
    const unpriced: Warning = {
      code: 'unpriced_asset',
      message: 'The value of some points lacks a token that had no price at their ledgers.',
      path: '/points',
    }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [found.reader.protocol]),
      facts: factsOf(basis, {
        prices,
        warnings: [
          ...(basis.late.includes(found.reader.protocol) ? [indexStartsLate()] : []),
          ...outsideWarnings(reachesOutside(query, indexed), indexed),
          ...(series.cut ? [historyCut(series.points.length)] : []),
          ...(series.isUnpriced ? [unpriced] : []),
        ],
      }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})
