import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { CurrencyName } from '../params/currency.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { fxdaoReader } from '../readers/fxdao.ts'
import { defineRoute } from '../route.ts'
import { answerPoolHistory } from './pool-history.ts'

/** The value of one vault over time: the snapshots of an account in a currency. */
export const getFxdaoHistory = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/fxdao/:currency/history',
  summary: 'History of an FxDAO vault',
  tagName: 'Positions',
  stability: 'experimental',
  params: z.strictObject({ address: AccountAddress, currency: CurrencyName }),
  query: HistoryQuery,
  rules: HISTORY_RULES,
  data: PoolHistory,
  handle: ({ params: { address, currency }, query }, context) =>
    answerPoolHistory(
      { reader: fxdaoReader(context), address, pool: poolOfCurrency(currency), called: 'a currency of FxDAO' },
      query,
      context,
    ),
})
