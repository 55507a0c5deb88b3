// `GET /v1/users/{address}/actions`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { z } from 'zod'
import { CSV_ROWS } from '../csv/csv-table.ts'
import { AccountAddress } from '../params/address.ts'
import { FEED_RULES, feedFilters, feedQuery } from '../params/feed-query.ts'
import { reachesOutside } from '../params/history-query.ts'
import { readPageCursor, writePageCursor } from '../params/page-cursor.ts'
import { Action, presentAction, unknownAmounts } from '../present/action.ts'
import { PriceUse } from '../present/price-use.ts'
import { summarize } from '../present/transaction-summary.ts'
import { refuseQuarantined } from '../quarantined-pool.ts'
import { defineRoute } from '../route.ts'
import { readActionPage } from './action-page.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { protocolsAmong } from './protocol-path.ts'
import { summaryNames } from './summary-names.ts'
import { outsideWarnings, unknownActionUnits } from './warn.ts'

/** The actions of an account: its feed with one item for each action. */
export const getActions = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'listActions',
    method: 'get',
    path: '/v1/users/:address/actions',
    summary: 'Actions of an account',
    description:
      'The activity feed grouped by action: one item, with a sentence, for each action of the account. The filters choose actions with any activity that matches all of them; an item has all activities of the account in the action. A page never splits an action.',
    tagName: 'Activities',
    stability: 'experimental',
    params: z.strictObject({ address: AccountAddress }),
    query: feedQuery(protocols.map(({ id }) => id)),
    csv: {
      rows: 'actions',
      next: 'cursor',
      query: feedQuery(
        protocols.map(({ id }) => id),
        CSV_ROWS,
      ),
    },
    rules: FEED_RULES,
    data: z
      .strictObject({
        address: z.string().describe('The account.'),
        actions: z.array(Action).describe('In the order of `order`: newest first, unless it is `asc`.'),
        next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
      })
      .meta({ id: 'Actions' }),
    async handle({ params: { address }, query }, context) {
      const question = JSON.stringify(['/v1/users/actions', address, feedFilters(query)])
      const cursor = query.cursor === undefined ? null : readPageCursor(query.cursor, question, context.cursorKey)
      await refuseQuarantined(query.contract, context)
      const basis = await basisOf(protocolsAsked(query.protocol, context), context)
      const { actions, next } = await readActionPage(address, query, cursor, basis.indexed, context)

      const at = await answerLedger(query.as_of_ledger, basis, context)
      const rows = actions.flat()
      const prices = new PriceUse(at.closeTimeSeconds)
      for (const row of rows) prices.addSource(row.price_source, row.price_age_seconds)
      const involved = protocolsAmong(
        rows.map(({ protocol }) => protocol),
        context,
      )
      const unnamed = actions.map((action) => presentAction(action, { summary: '', poolName: '' }))
      const enrichment = await enrich({ address, unnamed, settings: settingsOf(rows) }, at, prices, context, involved)
      const names = summaryNames(enrichment, context)
      const shown = unnamed.map((item, n) => ({
        ...item,
        summary: summarize(actions[n] ?? [], names, address),
        pool_name: enrichment.contracts[item.contract]?.name ?? '',
      }))
      return {
        data: { address, actions: shown, next_cursor: next === null ? null : writePageCursor(next, question, context.cursorKey) },
        enrichment,
        facts: factsOf(basis, {
          warnings: [
            ...outsideWarnings(reachesOutside(query, basis.indexed), basis.indexed),
            ...unknownActionUnits(actions.map((action) => unknownAmounts(action))),
          ],
          confidence: Math.min(1, ...rows.map((row) => row.confidence)),
          prices,
        }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })

/** Fields of events about settings, whose sentences name contracts and tokens that the item does not have. */
function settingsOf(rows: readonly ActivityRecord[]): unknown[] {
  const about = rows.filter(({ activity_type }) => activity_type === 'admin' || activity_type === 'emission')
  return about.map(({ metadata }) => JSON.parse(metadata) as unknown)
}
