// `GET /v1/users/{address}/positions`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { reserved } from '../parameters.ts'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { Portfolio, portfolioOf } from '../present/position-item.ts'
import { PriceUse } from '../present/price-use.ts'
import { entryWithReadLedgers } from '../present/read-ledger.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
import { readersOf } from '../readers/index.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { missingValues, rangeWarnings } from './warn.ts'

/** The endpoint of a protocol that supports `as_of_ledger`. */
const pageOf = ({ id, view }: Protocol<unknown>): string =>
  `\`/v1/users/{address}/positions/${id}${view.kind === 'lending' ? '/{pool_id}' : ''}\``

function queryOf(protocols: readonly Protocol<unknown>[]) {
  const elsewhere = `${protocols.map(pageOf).join(', ')}, the histories below them, \`/v1/users/{address}/activities\`, \`/v1/protocols/{id}/tvl\` and \`/v1/protocols/{id}/reserves\``
  const why = `is not supported by this endpoint yet; it is reserved. These endpoints support it: ${elsewhere}.`
  return z.strictObject({
    as_of_ledger: reserved(LedgerParameter, 'all', why)
      .optional()
      .describe('Reserved for later use. The endpoints of single protocols support it.'),
  })
}

/** Current positions over all protocols, computed from state with the code of the folds. */
export const getPositions = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getPortfolio',
    method: 'get',
    path: '/v1/users/:address/positions',
    summary: 'Positions of an account in all protocols',
    tagName: 'Positions',
    params: z.strictObject({ address: AccountAddress }),
    query: queryOf(protocols),
    data: Portfolio,
    async handle({ params: { address } }, context) {
      const basis = await basisOf(protocolsAsked(undefined, context), context)
      const at = basis.indexed.last
      // One statement reads the account's rows of all protocols; each protocol that has some needs one more.
      const asked = ownState({ address, at, late: basis.late }, context)
      const accounts = await Promise.all(
        readersOf(context).map((reader) => reader.account(address, rowsOf(asked, reader.protocol), { at, indexed: basis.indexed })),
      )
      const own = await asked
      const prices = new PriceUse(at.closeTimeSeconds)
      const parts = accounts.flatMap((state) => {
        const part = state.portfolio(prices)
        if (part === null) return []
        const entry = entryWithReadLedgers(part.entry, (pool) => own.readAt(state.protocol, pool))
        return [{ ...part, entry, state }]
      })
      const data = portfolioOf(
        address,
        parts.map(({ entry }) => entry),
      )
      const states = parts.map(({ state }) => state)
      const enrichment = await enrich(data, at, prices, context, states)
      const isComplete = parts.every(({ complete }) => complete)
      const warnings = [...rangeWarnings(basis, { outside: false }), ...missingValues(isComplete, data, enrichment)]
      return {
        data,
        enrichment,
        facts: factsOf(basis, { warnings, prices, own }),
        tag: [...basis.tag, ...own.tag],
        cached: own.isOfIndexAlone,
      }
    },
  })
