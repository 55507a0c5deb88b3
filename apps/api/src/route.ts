// A route is a plain value. The server, the OpenAPI document, /docs and the tests' validation are made from one list of routes.
// A handler gets checked parameters and returns data with its facts; the middleware does everything about HTTP.

import type { Network, Protocol } from '@orrery/protocol-kit'
import type { ReadModel } from '@orrery/read-model'
import type { Clock } from '@orrery/service-kit'
import type { z } from 'zod'
import type { CsvTable } from './csv/csv-table.ts'
import type { Deprecation } from './deprecation.ts'
import type { AnswerFacts, Enrichment } from './envelope.ts'
import type { ApiErrorCode } from './errors.ts'
import type { KeptDays } from './kept-days.ts'
import type { KeptFeeds } from './kept-feeds.ts'
import type { ReadThrough } from './read-through/read-through.ts'
import type { Load } from './request-cost.ts'
import type { Views } from './views.ts'

/** How an answer is written. */
export type Format = 'json' | 'csv'

/** What a handler may use. One for each request. */
export interface RouteContext {
  readonly readModel: ReadModel
  readonly network: Network
  /** All protocols of this build, in their order. */
  readonly shipped: readonly Protocol<unknown>[]
  /** Those of them that have an adapter on this network. The adapters of the others have the status `missing`. */
  readonly protocols: readonly Protocol<unknown>[]
  /** Readers of state: the same code as the folds. */
  readonly views: Views
  readonly clock: Clock
  /** Reads positions that predate the index from an RPC. Null: no RPC is configured. */
  readonly readThrough: ReadThrough | null
  /** Of the response cache, which runs before the handlers, only whether its store responds. Never rejects. */
  readonly cache: { answers(): Promise<boolean> }
  /** The newest pages of feeds, for as long as their accounts have no newer activity. */
  readonly keptFeeds: KeptFeeds
  /** TVL of days that are over. */
  readonly keptDays: KeptDays
  /** The request is run to show the statement of its series: sums are left to the engine, and nothing is added up here. */
  readonly isShown?: boolean
  /** Key of the MAC in cursors. The same in every instance of a deployment, or an instance refuses cursors of another one. */
  readonly cursorKey: Uint8Array
  readonly requestId: string
  /** CSV has no `enrichment` and may have many rows: a handler may leave out what only JSON shows. */
  readonly format: Format
  /** Organization of the client's API key; '' for routes that need no key. */
  readonly organizationId: string
  /** Aborts when the client disconnects or the deadline passes. Pass it to everything that waits. */
  readonly signal: AbortSignal
  /** Third argument of `readModel.query`: the statement's tag, and `signal`. */
  readonly call: {
    readonly tag: { readonly route: string; readonly requestId: string }
    readonly signal: AbortSignal
    /** The last ledger that the request asks for. */
    readonly asOf?: number | undefined
    /** The request is a dear one: its statements pause while those of others run. */
    readonly yields?: boolean | undefined
  }
}

export interface Answer<Data> {
  readonly data: Data
  /** Every asset and every contract named in `data`. `NO_ENRICHMENT` when there is none. */
  readonly enrichment: Enrichment
  readonly facts: AnswerFacts
  /**
   * The ledger that the client asked for, if the answer is as of one. At or below the watermark and not partial, such an answer is final
   * and may be cached for an hour.
   */
  readonly asOfLedger?: number | undefined
  /**
   * What the answer depends on beside route, parameters, watermark and warnings: adapter versions (`soroswap@1`) always, adapter
   * records if they are shown, the fields of a transaction that is read past the watermark.
   */
  readonly tag: readonly string[]
  /** False: the answer also depends on an RPC, so it is computed anew each time. */
  readonly cached?: boolean
}

/**
 * A rule over several parameters. Rules are checked in order after all values are valid; the first broken one is reported.
 * Values are as read, after defaults: a parameter that was not given and has no default is undefined.
 */
export interface Rule<Query> {
  readonly code: ApiErrorCode
  broken(query: Query): boolean
  /** Names the parameters, the rule and what to do instead. */
  readonly message: string | RuleMessage<Query>
  /** The rule for the document, where the message depends on the request: its first sentence. */
  readonly stated?: string
}

/** Written as a method, as `broken` and `handle` are: a list of routes holds rules of many queries. */
type RuleMessage<Query> = { of(query: Query): string }['of']

type Shape = z.ZodObject

export interface Route<Params extends Shape = Shape, Query extends Shape = Shape, Data extends z.ZodType = z.ZodType> {
  /** Name of the operation in the OpenAPI document, from which clients generate function names: `listAssets`. It never changes. */
  readonly operationId: string
  readonly method: 'get'
  /** Matched exactly: `/v1/users/:address/positions`. The first route that matches wins. Also the name of the route in logs and metrics. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tagName: string
  /** One schema for each `:name` of the path, from text, e.g. an address. */
  readonly params: Params
  /**
   * The parameter table, in the order in which problems are reported. Each schema converts the text of one value to what the handler needs;
   * `.optional()` or `.default(...)` if it may be absent; `.describe(...)` and `.meta(...)` go into the OpenAPI document
   * (`{ type: 'integer', format: 'int64', minimum: 0 }`). See `parameters.ts` for reserved values and for the message of a problem.
   */
  readonly query: Query
  readonly rules: readonly Rule<z.output<Query>>[]
  readonly data: Data
  /** `experimental`: not part of the stable contract; it may still change. */
  readonly stability: 'stable' | 'experimental'
  /** Null: the operation is not deprecated. */
  readonly deprecation: Deprecation | null
  readonly credential: 'api-key' | 'none'
  /** `tagged`: weak ETag and 304. `no-store`: the answer is valid only at this moment. */
  readonly cache: 'tagged' | 'no-store'
  /**
   * The answer is a function of the request and of the index up to the watermark, so it may be served again while both are the same.
   * False for a route that reads past the watermark or shows the time.
   */
  readonly cached: boolean
  /** What of the answer CSV has. Null: the route has no CSV. */
  readonly csv: CsvTable | null
  /** The route also answers if nothing is indexed or the database is unreachable: its `meta` may have nulls. */
  readonly answersWithoutIndex: boolean
  /**
   * What the answer to these parameters computes beyond the usual, which decides the cost of the request (`request-cost.ts`). Called before
   * `handle`, unless the answer is cached. It must be cheap: from the parameters and the indexed range, without reading rows of an account.
   */
  load(input: { readonly params: z.output<Params>; readonly query: z.output<Query> }, context: RouteContext): Promise<Load>
  /** Refuses with `refuse(code, message)` of `errors.ts`: 404 for something that is not in the index. */
  handle(
    input: { readonly params: z.output<Params>; readonly query: z.output<Query> },
    context: RouteContext,
  ): Promise<Answer<z.input<Data>>>
}

/** For routes that compute nothing beyond the usual. */
export const noLoad = async (): Promise<Load> => ({})

type Optional =
  | 'description'
  | 'rules'
  | 'stability'
  | 'deprecation'
  | 'credential'
  | 'cache'
  | 'cached'
  | 'csv'
  | 'answersWithoutIndex'
  | 'load'

/** Makes a route; members that are left out get their defaults. */
export function defineRoute<Params extends Shape, Query extends Shape, Data extends z.ZodType>(
  route: Omit<Route<Params, Query, Data>, Optional> & Partial<Pick<Route<Params, Query, Data>, Optional>>,
): Route<Params, Query, Data> {
  return {
    description: '',
    rules: [],
    stability: 'stable',
    deprecation: null,
    credential: 'api-key',
    cache: 'tagged',
    cached: route.cache !== 'no-store',
    csv: null,
    answersWithoutIndex: false,
    load: noLoad,
    ...route,
  }
}
