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

const Query = z.strictObject({
  as_of_ledger: reserved(
    LedgerParameter,
    'all',
    'is not supported by this endpoint yet; it is reserved. These endpoints support it: `/v1/users/{address}/positions/blend/{pool_id}`, `/v1/users/{address}/positions/aquarius`, `/v1/users/{address}/positions/soroswap`, `/v1/users/{address}/positions/fxdao`, the histories below them, `/v1/users/{address}/activities`, `/v1/protocols/{id}/tvl` and `/v1/protocols/{id}/reserves`.',
  )
    .optional()
    .describe('Reserved for later use. The endpoints of single protocols support it.'),
})

/** Current positions over all protocols, computed from state with the code of the folds. */
export const getPositions = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions',
  summary: 'Positions of an account in all protocols',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress }),
  query: Query,
  data: Portfolio,
  async handle({ params: { address } }, context) {
    const basis = await basisOf(protocolsAsked(undefined), context)
    const at = basis.indexed.last
    // One statement reads the account's rows of all protocols; each protocol that has some needs one more.
    const asked = ownState({ address, at, late: basis.late }, context)
    const states = await Promise.all(
      readersOf(context).map((reader) => reader.account(address, rowsOf(asked, reader.protocol), { at, indexed: basis.indexed })),
    )
    const own = await asked
    const prices = new PriceUse(at.closeTimeSeconds)
    const parts = states.flatMap((state) => {
      const part = state.portfolio(prices)
      if (part === null) return []
      const entry = entryWithReadLedgers(part.entry, (pool) => own.readAt(state.protocol, pool))
      return [{ ...part, entry, state }]
    })
    const data = portfolioOf(
      address,
      parts.map(({ entry }) => entry),
    )
    return {
      data,
      enrichment: await enrich(
        data,
        at,
        prices,
        context,
        parts.map(({ state }) => state),
      ),
      facts: factsOf(basis, { partial: basis.beginsLate || parts.some(({ complete }) => !complete), prices, own }),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})
