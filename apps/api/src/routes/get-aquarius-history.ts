import { z } from 'zod'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { aquariusReader } from '../readers/aquarius.ts'
import { defineRoute } from '../route.ts'
import { answerPoolHistory } from './pool-history.ts'

/** The value of one position over time: the snapshots of an account in an Aquarius pool. */
export const getAquariusHistory = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/aquarius/:pair/history',
  summary: 'History of a position in an Aquarius pool',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress, pair: ContractAddress }),
  query: HistoryQuery,
  rules: HISTORY_RULES,
  data: PoolHistory,
  handle: ({ params: { address, pair }, query }, context) =>
    answerPoolHistory({ reader: aquariusReader(context), address, pool: pair, called: 'an Aquarius pool' }, query, context),
})
