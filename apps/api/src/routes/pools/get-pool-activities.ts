import { decodeEventKey } from '@orrery/protocol-kit'
import { poolActivities } from '@orrery/read-model/queries'
import { z } from 'zod'
import { CSV_ROWS } from '../../csv/csv-table.ts'
import { NO_ENRICHMENT } from '../../envelope.ts'
import { readCursor, writeCursor } from '../../params/cursor.ts'
import { FEED_RULES, feedFilters, feedQuery } from '../../params/feed-query.ts'
import { reachesOutside } from '../../params/history-query.ts'
import { Activity, activityId, presentActivity } from '../../present/activity.ts'
import type { PoolItem } from '../../present/pools/pool-item.ts'
import { PriceUse } from '../../present/price-use.ts'
import { defineRoute } from '../../route.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from '../basis.ts'
import { enrich } from '../enrich.ts'
import { readFeedPage } from '../feed-page.ts'
import { readRows } from '../read-rows.ts'
import { indexStartsLate, outsideWarnings, unknownUnits } from '../warn.ts'
import { findPool, PoolPath } from './pool-path.ts'

/** The pool is in the path, and it has one protocol. */
const Query = feedQuery([]).omit({ protocol: true, contract: true })

/** The activities in a pool in pages that stay consistent while rows arrive. */
export const getPoolActivities = defineRoute({
  operationId: 'listPoolActivities',
  method: 'get',
  path: '/v1/pools/:pool_id/activities',
  summary: 'Activity feed of a pool',
  description:
    'The activities of all accounts in a pool: the items and filters of the feed of an account. An action of several accounts, such as a liquidation, has rows of each.',
  tagName: 'Pools',
  stability: 'experimental',
  params: PoolPath,
  query: Query,
  csv: { rows: 'activities', next: 'cursor', query: feedQuery([], CSV_ROWS).omit({ protocol: true, contract: true }) },
  rules: FEED_RULES,
  data: z
    .strictObject({
      pool_id: z.string().describe('The pool.'),
      activities: z.array(Activity).describe('In the order of `order`: newest first, unless it is `asc`.'),
      next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
    })
    .meta({ id: 'PoolActivities' }),
  async handle({ params: { pool_id: id }, query }, context) {
    const question = JSON.stringify(['/v1/pools/activities', id, feedFilters(query)])
    const cursor = query.cursor === undefined ? null : readCursor(query.cursor, question, context.cursorKey)
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const { indexed } = basis
    const { reader, pool } = await findPool(id, { at: indexed.last, indexed }, context)
    const of = placeOf(pool.entry.item)
    const page = await readFeedPage(query, cursor, indexed, context, (bounds) =>
      readRows(poolActivities[query.order], { ...of, ...bounds }, context),
    )

    const at = await answerLedger(query.as_of_ledger, basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    for (const row of page.rows) prices.addSource(row.price_source, row.price_age_seconds)
    const last = page.rows.at(-1)
    const next = page.more && last !== undefined ? { key: decodeEventKey(activityId(last)), watermark: page.watermark } : null
    const data = {
      pool_id: id,
      activities: page.rows.map(presentActivity),
      next_cursor: next === null ? null : writeCursor(next, question, context.cursorKey),
    }
    return {
      data,
      enrichment: context.format === 'csv' ? NO_ENRICHMENT : await enrich(data, at, prices, context, [reader.protocol]),
      facts: factsOf(basis, {
        confidence: Math.min(1, ...page.rows.map((row) => row.confidence)),
        prices,
        warnings: [
          ...(basis.late.includes(reader.protocol) ? [indexStartsLate()] : []),
          ...outsideWarnings(reachesOutside(query, indexed), indexed),
          ...unknownUnits(page.rows),
        ],
      }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})

/** Activities in vaults are filed under the contract of all currencies. */
function placeOf({ protocol, contract, pool_id }: PoolItem) {
  return { protocol, contract, currency: pool_id === contract ? '' : pool_id.slice(pool_id.indexOf(':') + 1) }
}
