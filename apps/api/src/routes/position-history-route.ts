// `/v1/users/{address}/positions/<protocol>/{pool}/history`: the value of one position over time, by the snapshots of an account in a pool.

import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { CurrencyName } from '../params/currency.ts'
import { HISTORY_RULES, HistoryQuery } from '../params/history-query.ts'
import { PoolHistory } from '../present/history-point.ts'
import { ammReader } from '../readers/amm.ts'
import { lendingReader } from '../readers/lending.ts'
import { vaultReader } from '../readers/vault.ts'
import { defineRoute, type Route, type RouteContext } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { historyLoad } from './bucket-load.ts'
import { schemaName, stabilityOf } from './kind-names.ts'
import { answerPoolHistory } from './pool-history.ts'

export function ammHistory(protocol: ProtocolOf<'amm'>): Route {
  return defineRoute({
    ...pageOf(protocol),
    path: `/v1/users/:address/positions/${protocol.id}/:pair/history`,
    params: z.strictObject({ address: AccountAddress, pair: ContractAddress }),
    handle: ({ params: { address, pair: pool }, query }, context) =>
      answerPoolHistory({ reader: ammReader(protocol, context), address, pool, called: protocol.view.pool }, query, context),
  })
}

export function lendingHistory(protocol: ProtocolOf<'lending'>): Route {
  return defineRoute({
    ...pageOf(protocol),
    path: `/v1/users/:address/positions/${protocol.id}/:pool_id/history`,
    params: z.strictObject({ address: AccountAddress, pool_id: ContractAddress }),
    handle: ({ params: { address, pool_id: pool }, query }, context) =>
      answerPoolHistory({ reader: lendingReader(protocol, context), address, pool, called: protocol.view.pool }, query, context),
  })
}

/** Vaults of an account differ by their currency. */
export function vaultHistory(protocol: ProtocolOf<'vault'>): Route {
  return defineRoute({
    ...pageOf(protocol),
    path: `/v1/users/:address/positions/${protocol.id}/:currency/history`,
    summary: `History of an ${protocol.displayName} vault`,
    params: z.strictObject({ address: AccountAddress, currency: CurrencyName }),
    handle: ({ params: { address, currency }, query }, context) =>
      answerPoolHistory(
        { reader: vaultReader(protocol, context), address, pool: poolOfCurrency(currency), called: protocol.view.pool },
        query,
        context,
      ),
  })
}

const DESCRIPTION = [
  'The value of a position at its stored snapshots: one whenever the position changes, and one at the first ledger of each UTC hour while it is open (each UTC day while it is worth less than 1 USD). A bucket shows its last snapshot; without buckets each snapshot is a point, the newest 5,000. USD values use the prices at the ledger of the point.',
  'On the time axis, where the window reaches the last indexed close time, the bucket that contains it shows the value at that ledger, so that the history ends at the value of the current position. All other points are snapshots: between two of them the position as of a ledger may be worth more or less than the point before.',
].join('\n\n')

function pageOf(protocol: ProtocolOf<'amm' | 'lending' | 'vault'>) {
  return {
    operationId: `get${schemaName(protocol.id)}History`,
    method: 'get',
    summary: `History of a position in ${protocol.view.pool}`,
    description: DESCRIPTION,
    tagName: 'Positions',
    stability: stabilityOf(protocol, 'history'),
    query: HistoryQuery,
    csv: { rows: 'points', next: 'as_of_ledger' },
    rules: HISTORY_RULES,
    data: PoolHistory,
    load: ({ query }: { readonly query: HistoryQuery }, context: RouteContext) => historyLoad(query, context),
  } as const
}
