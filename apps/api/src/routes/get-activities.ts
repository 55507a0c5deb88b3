// `GET /v1/users/{address}/activities`. Its texts and parameters name the protocols of the build.

import { decodeEventKey, type Protocol } from '@orrery/protocol-kit'
import { accountActivities, filteredAccountActivities } from '@orrery/read-model/queries'
import { z } from 'zod'
import { CSV_ROWS } from '../csv/csv-table.ts'
import { NO_ENRICHMENT } from '../envelope.ts'
import { AccountAddress } from '../params/address.ts'
import { type Cursor, readCursor, writeCursor } from '../params/cursor.ts'
import { FEED_RULES, type FeedQuery, feedFilters, feedQuery } from '../params/feed-query.ts'
import { reachesOutside } from '../params/history-query.ts'
import { Activity, activityId, presentActivity } from '../present/activity.ts'
import { PriceUse } from '../present/price-use.ts'
import { refuseQuarantined } from '../quarantined-pool.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { answerLedger, type Basis, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { type FeedPage, readFeedPage } from './feed-page.ts'
import { protocolsAmong } from './protocol-path.ts'
import { readRows } from './read-rows.ts'
import { outsideWarnings, unknownUnits } from './warn.ts'

/** The activities of an account in pages that stay consistent while rows arrive. */
export const getActivities = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'listActivities',
    method: 'get',
    path: '/v1/users/:address/activities',
    summary: 'Activity feed of an account',
    description:
      'What an account did in the protocols, and what happened to its positions: one item for each token that moved and each debt that changed, or one item where only shares or settings changed. `metadata.action_id` is the same for all items of an action; `/v1/users/{address}/actions` has one item for each action, with a sentence. Later pages show what was indexed when the first page was made, so paging neither skips nor repeats an item.',
    tagName: 'Activities',
    params: z.strictObject({ address: AccountAddress }),
    query: feedQuery(protocols.map(({ id }) => id)),
    csv: {
      rows: 'activities',
      next: 'cursor',
      query: feedQuery(
        protocols.map(({ id }) => id),
        CSV_ROWS,
      ),
    },
    rules: FEED_RULES,
    data: z
      .strictObject({
        activities: z.array(Activity).describe('In the order of `order`: newest first, unless it is `asc`.'),
        address: z.string().describe('The account.'),
        next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
      })
      .meta({ id: 'Activities' }),
    async handle({ params: { address }, query }, context) {
      const question = JSON.stringify([address, feedFilters(query)])
      const cursor = query.cursor === undefined ? null : readCursor(query.cursor, question, context.cursorKey)
      await refuseQuarantined(query.contract, context)
      const basis = await basisOf(protocolsAsked(query.protocol, context), context)
      const page = await readPage(address, query, cursor, basis, context)

      const at = await answerLedger(query.as_of_ledger, basis, context)
      const prices = new PriceUse(at.closeTimeSeconds)
      for (const row of page.rows) prices.addSource(row.price_source, row.price_age_seconds)
      const activities = page.rows.map(presentActivity)
      const involved = protocolsAmong(
        page.rows.map(({ protocol }) => protocol),
        context,
      )
      const last = page.rows.at(-1)
      const next = page.more && last !== undefined ? { key: decodeEventKey(activityId(last)), watermark: page.watermark } : null
      const data = { activities, address, next_cursor: next === null ? null : writeCursor(next, question, context.cursorKey) }
      return {
        data,
        enrichment: context.format === 'csv' ? NO_ENRICHMENT : await enrich(data, at, prices, context, involved),
        facts: factsOf(basis, {
          warnings: [...outsideWarnings(reachesOutside(query, basis.indexed), basis.indexed), ...unknownUnits(page.rows)],
          confidence: Math.min(1, ...page.rows.map((row) => row.confidence)),
          prices,
        }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })

async function readPage(
  address: string,
  query: FeedQuery,
  cursor: Cursor | null,
  { indexed }: Basis,
  context: RouteContext,
): Promise<FeedPage> {
  const { protocol = '', contract = '', order } = query
  const protocols = protocolsAsked(query.protocol, context)
  return readFeedPage(query, cursor, indexed, context, (bounds) => {
    const { watermark, to_ledger, ...asked } = bounds
    const isFiltered = protocol + contract + bounds.tx_hash !== '' || bounds.types.length > 0
    const read = () =>
      isFiltered
        ? readRows(filteredAccountActivities[order], { address, protocol, contract, ...bounds }, context)
        : readRows(accountActivities[order], { address, ...bounds }, context)
    const isNewest = order === 'desc' && cursor === null && to_ledger === watermark && context.format === 'json'
    return isNewest
      ? context.keptFeeds.rows({ address, asked: ['rows', protocol, contract, asked], protocols, watermark }, context, read)
      : read()
  })
}
