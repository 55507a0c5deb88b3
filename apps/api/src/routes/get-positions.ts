// `GET /v1/users/{address}/positions`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { reserved } from '../parameters.ts'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { Portfolio, portfolioOf } from '../present/portfolio.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { readPortfolios } from './read-portfolios.ts'
import { missingValues, rangeWarnings } from './warn.ts'

/** The endpoint of a protocol that supports `as_of_ledger`. */
const pageOf = ({ id, view }: Protocol<unknown>): string =>
  `\`/v1/users/{address}/positions/${id}${view.kind === 'lending' ? '/{pool_id}' : ''}\``

function queryOf(protocols: readonly Protocol<unknown>[]) {
  const elsewhere = `${protocols.map(pageOf).join(', ')}, the histories below them, \`/v1/users/{address}/activities\`, \`/v1/protocols/{id}/tvl\` and \`/v1/protocols/{id}/reserves\``
  const why = `is not supported by this endpoint yet; it is reserved. \`/v1/positions?addresses={address}\` has the portfolio as of a ledger. These endpoints support it too: ${elsewhere}.`
  return z.strictObject({
    as_of_ledger: reserved(LedgerParameter, 'all', why)
      .optional()
      .describe('Reserved for later use. `/v1/positions` and the endpoints of single protocols support it.'),
  })
}

/** Current positions over all protocols, computed from state with the code of the folds. */
export const getPositions = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getPortfolio',
    method: 'get',
    path: '/v1/users/:address/positions',
    summary: 'Positions of an account in all protocols',
    description:
      'Everything that an account has in the protocols of the build, computed from the state at the last indexed ledger with the code that indexes it: deposits, debts, health, yields and rewards, by item, by pool and by protocol.',
    tagName: 'Positions',
    params: z.strictObject({ address: AccountAddress }),
    query: queryOf(protocols),
    data: Portfolio,
    async handle({ params: { address } }, context) {
      const basis = await basisOf(protocolsAsked(undefined, context), context)
      const at = basis.indexed.last
      const { all, names, prices, own } = await readPortfolios([address], { at, indexed: basis.indexed }, basis.late, context)
      const { data, complete } = all[0] ?? { data: portfolioOf(address, []), complete: true }
      const enrichment = await enrich(data, at, prices, context, names)
      const warnings = [...rangeWarnings(basis, { outside: false }), ...missingValues(complete, data, enrichment)]
      return {
        data,
        enrichment,
        facts: factsOf(basis, { warnings, prices, own }),
        tag: [...basis.tag, ...own.tag],
        cached: own.isOfIndexAlone,
      }
    },
  })
