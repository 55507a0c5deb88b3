import { z } from 'zod'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { blendReader } from '../readers/blend.ts'
import { defineRoute } from '../route.ts'
import { answerPoolHistory } from './pool-history.ts'

/** The value of one position over time: the snapshots of an account in a Blend pool. */
export const getBlendHistory = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/blend/:pool_id/history',
  summary: 'History of a position in a Blend pool',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress, pool_id: ContractAddress }),
  query: HistoryQuery,
  rules: HISTORY_RULES,
  data: PoolHistory,
  handle: ({ params: { address, pool_id: pool }, query }, context) =>
    answerPoolHistory({ reader: blendReader(context), address, pool, called: 'a Blend pool' }, query, context),
})
