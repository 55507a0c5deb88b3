import { z } from 'zod'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { soroswapReader } from '../readers/soroswap.ts'
import { defineRoute } from '../route.ts'
import { answerPoolHistory } from './pool-history.ts'

/** The value of one position over time: the snapshots of an account in a Soroswap pair. */
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
  handle: ({ params: { address, pair }, query }, context) =>
    answerPoolHistory({ reader: soroswapReader(context), address, pool: pair, called: 'a Soroswap pair' }, query, context),
})
