// The tools: which operations of `/v1` a model may call, and the method of the client that makes the request.
// Names, texts and schemas are those of the OpenAPI document; nothing of it is repeated here.

import type { Activity, OrreryClient, operations, RequestOptions } from '@orrery/client'

/** Members of an object of parameters; no condition where an operation has none. */
type Members<Parameters> = [NonNullable<Parameters>] extends [never] ? unknown : NonNullable<Parameters>

/** Parameters of the path and of the query in one object, as a tool takes them. */
type ArgumentsOf<Id extends keyof operations> = Members<operations[Id]['parameters']['path']> &
  Members<operations[Id]['parameters']['query']>

type AnswerOf<Id extends keyof operations> = operations[Id]['responses'] extends {
  readonly 200: { readonly content: { readonly 'application/json': infer Answer } }
}
  ? Answer
  : never

interface ToolOperation<Id extends keyof operations> {
  /** Parameters that the API reserves for later use: it refuses every value. */
  readonly without?: readonly (keyof ArgumentsOf<Id>)[]
  readonly call: (client: OrreryClient, given: ArgumentsOf<Id>, request: RequestOptions) => Promise<AnswerOf<Id>>
}

/** By the id that the document gives the operation. Pages are one request each, as over HTTP: a model asks for the next one by its cursor. */
export const TOOL_OPERATIONS = {
  getPortfolio: { without: ['as_of_ledger'], call: ({ accounts }, { address }, request) => accounts.portfolio(address, request) },
  getPortfolios: {
    call: ({ accounts }, { addresses, ...query }, request) => accounts.portfolios(addresses.split(','), query, request),
  },
  getNetWorthHistory: {
    without: ['resolution'],
    call: ({ accounts }, { address, ...query }, request) => accounts.history(address, query, request),
  },
  listActions: {
    call: ({ accounts }, { address, activity_type, ...query }, request) =>
      accounts
        .actions(address, { ...query, ...(activity_type !== undefined && { activity_type: typesOf(activity_type) }) }, request)
        .first(),
  },
  getActivitySeries: { call: ({ accounts }, { address, ...query }, request) => accounts.activitySeries(address, query, request) },
  getTransaction: { call: ({ service }, { hash, ...query }, request) => service.transaction(hash, query, request) },
  listProtocols: { call: ({ protocols }, _, request) => protocols.list(request) },
  getTvl: { call: ({ protocols }, { id, ...query }, request) => protocols.tvl(id, query, request) },
  getReserves: { call: ({ protocols }, { id, ...query }, request) => protocols.reserves(id, query, request) },
  listProtocolAccounts: { call: ({ protocols }, { id, ...query }, request) => protocols.accounts(id, query, request).first() },
  listPools: { call: ({ pools }, query, request) => pools.list(query, request).first() },
  getPool: { call: ({ pools }, { pool_id }, request) => pools.get(pool_id, request) },
  getPoolHistory: {
    without: ['resolution'],
    call: ({ pools }, { pool_id, ...query }, request) => pools.history(pool_id, query, request),
  },
  listAssets: { call: ({ assets }, query, request) => assets.list(query, request).first() },
  getPrices: { call: (client, { assets, ...query }, request) => client.assets.prices(assets.split(','), query, request) },
  getAssetPrices: {
    without: ['resolution'],
    call: ({ assets }, { id, ...query }, request) => assets.priceHistory(id, query, request),
  },
  findLedger: { call: ({ service }, { at }, request) => service.ledgerAt(at, request) },
} as const satisfies { readonly [Id in keyof operations]?: ToolOperation<Id> }

/** The list as the client takes it. The API refuses names that it does not know. */
function typesOf(list: string): readonly Activity['activity_type'][] {
  return list.split(',') as Activity['activity_type'][]
}

/** One of them, for arguments that its schema has accepted. */
export interface AnyToolOperation {
  readonly without?: readonly string[]
  readonly call: (client: OrreryClient, given: never, request: RequestOptions) => Promise<object>
}
