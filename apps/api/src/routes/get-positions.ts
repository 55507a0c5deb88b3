import { z } from 'zod'
import { reserved } from '../parameters.ts'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { lpValue, presentLpItem } from '../present/lp-position.ts'
import { liquidityEntry, Portfolio, portfolioOf } from '../present/position-item.ts'
import { PriceUse } from '../present/price-use.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { soroswapOfAccount } from './soroswap-state.ts'

const Query = z.strictObject({
  as_of_ledger: reserved(
    LedgerParameter,
    'all',
    'is reserved here and refused for now. These endpoints take it: `/v1/users/{address}/positions/soroswap`, `/v1/users/{address}/positions/soroswap/{pair}/history`, `/v1/users/{address}/activities`, `/v1/protocols/{id}/tvl` and `/v1/protocols/{id}/reserves`.',
  )
    .optional()
    .describe('Reserved. Per protocol it is taken already.'),
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
    const soroswap = await soroswapOfAccount(address, at, basis.indexed, context)
    const { view, state, window } = soroswap
    const prices = new PriceUse(at.closeTimeSeconds)
    const positions = view.positions(state, address, at, window)
    for (const token of positions.flatMap((position) => position.tokens)) prices.add(token.price)

    const items = positions.map((position) => presentLpItem(position, at.ledger))
    const data = portfolioOf(address, items.length === 0 ? [] : [liquidityEntry('soroswap', items)])
    return {
      data,
      enrichment: await enrich(data, at, prices, context, soroswap),
      facts: factsOf(basis, { partial: basis.beginsLate || positions.some((position) => !lpValue(position).complete), prices }),
      tag: basis.tag,
    }
  },
})
