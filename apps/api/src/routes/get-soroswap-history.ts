import { z } from 'zod'
import { refuse } from '../errors.ts'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { PriceUse } from '../present/price-use.ts'
import { soroswapReader } from '../readers/soroswap.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { readHistory } from './position-history.ts'

/** The value of one position over time: the snapshots of an account in a pair. */
export const getSoroswapHistory = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/soroswap/:pair/history',
  summary: 'History of a position in a Soroswap pair',
  tagName: 'Positions',
  stability: 'experimental',
  params: z.strictObject({ address: AccountAddress, pair: ContractAddress }),
  query: HistoryQuery,
  rules: HISTORY_RULES,
  data: PoolHistory,
  async handle({ params: { address, pair }, query }, context) {
    const basis = await basisOf(['soroswap'], context)
    // Whether a pair is known does not hang on the ledger asked for: before its first one the history is empty.
    const reader = soroswapReader(context)
    const names = await reader.contracts([pair], basis.indexed.last)
    if (!names.knowsPool(pair)) throw refuse('not_found', `\`${pair}\` is not a Soroswap pair of this index.`)
    const [at, history] = await Promise.all([
      answerLedger(query.as_of_ledger, basis, context),
      readHistory({ protocol: 'soroswap', pool: pair, address }, query, basis.indexed, context),
    ])

    const prices = new PriceUse(at.closeTimeSeconds)
    // The points were valued with these; their own age is not stored, that at the answer's ledger is the best that can be said.
    if (history.points.length > 0) {
      const then = at.ledger === basis.indexed.last.ledger ? names : await reader.contracts([pair], at)
      for (const token of then.tokensOf(pair)) prices.add(then.price(token))
    }
    const data = { pool_id: pair, points: history.points }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [names]),
      facts: factsOf(basis, { partial: history.partial, prices }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})
