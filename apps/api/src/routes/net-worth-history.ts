// `/v1/users/{address}/history`: the net worth of an account over time, over all protocols.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { awaitedLater } from '../awaited-later.ts'
import { AccountAddress } from '../params/address.ts'
import { bucketsOf } from '../params/bucket-window.ts'
import { reachesOutside } from '../params/history-query.ts'
import { readSummaryQuery, SUMMARY_RULES, SummaryQuery } from '../params/summary-query.ts'
import { netWorthOf, netWorthPoint } from '../present/net-worth-point.ts'
import { contextAt } from '../readers/registry-as-of.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { bucketLoad } from './bucket-load.ts'
import { enrich } from './enrich.ts'
import { bucketedNetWorth, type CurrentWorth, rawNetWorth, reachesEnd } from './net-worth.ts'
import { type Portfolios, readPortfolios } from './read-portfolios.ts'
import { indexStartsLate, outsideWarnings } from './warn.ts'

/** Each position counts with its last snapshot at or before a point. */
export const netWorthHistory = (build: readonly Protocol<unknown>[]) => {
  const protocols = build.map(({ id }) => id)
  return defineRoute({
    operationId: 'getNetWorthHistory',
    method: 'get',
    path: '/v1/users/:address/history',
    summary: 'Net worth of an account over time',
    description:
      'The sum of all positions of an account over all protocols, with each position at its last snapshot at or before a point. On the time axis the bucket that contains the last indexed close time shows the value at that ledger, so that the history ends at `total_value_usd` of `/v1/users/{address}/positions`. Without parameters: the newest 5,000 points, one at each ledger with a snapshot.',
    tagName: 'Positions',
    stability: 'experimental',
    params: z.strictObject({ address: AccountAddress }),
    query: SummaryQuery,
    csv: { rows: 'points', next: 'to_ledger' },
    rules: SUMMARY_RULES,
    load: ({ query }, context) => bucketLoad(context, (indexed) => bucketsOf(readSummaryQuery(query, indexed).window)),
    data: z
      .strictObject({ address: z.string().describe('The account.'), points: z.array(netWorthPoint(protocols)).describe('Ascending.') })
      .meta({ id: 'NetWorthHistory' }),
    async handle({ params: { address }, query }, context) {
      const basis = await basisOf(protocolsAsked(undefined, context), context)
      const { indexed } = basis
      const at = await answerLedger(query.as_of_ledger, basis, context)
      const { window, fill } = readSummaryQuery(query, indexed)
      const endsNow = reachesEnd(window, indexed)
      // Points were valued with the prices of their ledgers, whose age is not stored: that at the answer's ledger is the best that can be said.
      const { network } = await contextAt(context, at.ledger)
      const portfolios = readPortfolios([address], { at, indexed }, endsNow ? basis.late : [], context)
      const of = { address, protocols, indexed }
      const current = endsNow ? awaitedLater(portfolios.then(currentWorth)) : null
      const [held, history] = await Promise.all([
        portfolios,
        window.axis === 'raw' ? rawNetWorth(of, window, context) : bucketedNetWorth(of, window, fill, current, network, context),
      ])

      const data = { address, points: history.points }
      return {
        data,
        enrichment: await enrich(data, at, held.prices, context, held.names),
        facts: factsOf(basis, {
          prices: held.prices,
          own: held.own,
          warnings: [
            ...(basis.beginsLate ? [indexStartsLate()] : []),
            ...outsideWarnings(reachesOutside(query, indexed), indexed),
            ...history.warnings,
          ],
        }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: [...basis.tag, ...held.own.tag],
        cached: held.own.isOfIndexAlone,
      }
    },
  })
}

function currentWorth({ all: [shown] }: Portfolios): CurrentWorth | null {
  if (shown === undefined) return null
  const { data, complete } = shown
  const isOpen = data.protocols.some(({ positions }) => Object.values(positions).some((items) => items.length > 0))
  return { values: netWorthOf(data), isOpen, complete }
}
