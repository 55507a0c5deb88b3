// What a route is: a plain value. The server, the OpenAPI document, /docs and the tests' validation are made from one list of them.
// A handler gets checked parameters and returns data with its facts; everything about HTTP happens around it.

import type { Network, Protocol } from '@orrery/protocol-kit'
import type { ReadModel } from '@orrery/read-model'
import type { Clock } from '@orrery/service-kit'
import type { z } from 'zod'
import type { AnswerFacts, Enrichment } from './envelope.ts'
import type { ApiErrorCode } from './errors.ts'
import type { ReadThrough } from './read-through/read-through.ts'
import type { Views } from './views.ts'

/** What a handler may use. One for each request. */
export interface RouteContext {
  readonly readModel: ReadModel
  readonly network: Network
  /** All protocols of this build, in their order. */
  readonly shipped: readonly Protocol<unknown>[]
  /** Those of them that have an adapter on this network. Of the others, the answer says `missing`. */
  readonly protocols: readonly Protocol<unknown>[]
  /** Readers of state: the same code as the folds. */
  readonly views: Views
  readonly clock: Clock
  /** Who is asked about accounts that are older than the index. Null: nobody. */
  readonly readThrough: ReadThrough | null
  /** Of the cache of earlier answers, which stands before the handlers, only whether its store answers. Never rejects. */
  readonly cache: { answers(): Promise<boolean> }
  /** Key of the MAC in cursors. The same in every instance of a deployment, or pages end at instance borders. */
  readonly cursorKey: Uint8Array
  readonly requestId: string
  /** Of the caller's key; '' for routes that need none. */
  readonly organizationId: string
  /** Aborts when the client leaves or the deadline passes. Hand it to everything that waits. */
  readonly signal: AbortSignal
  /** Third argument of `readModel.query`: the statement's tag, and `signal`. */
  readonly call: { readonly tag: { readonly route: string; readonly requestId: string }; readonly signal: AbortSignal }
}

export interface Answer<Data> {
  readonly data: Data
  /** Every asset and every contract named in `data`. `NO_ENRICHMENT` when there is none. */
  readonly enrichment: Enrichment
  readonly facts: AnswerFacts
  /**
   * The ledger that the caller asked for, when the answer is as of one. At or below the watermark and not partial, such an answer is final
   * and may be kept for an hour.
   */
  readonly asOfLedger?: number | undefined
  /**
   * What else changes the answer beside route, parameters, watermark and `partialResult`: adapter versions (`soroswap@1`) always, adapter
   * records where they are shown, the fields of a transaction that is read past the watermark.
   */
  readonly tag: readonly string[]
  /** False: not of the index alone, because a node was asked. It is computed anew each time. */
  readonly cached?: boolean
}

/**
 * A rule over several parameters: it is broken when `broken` says so. Checked in order after every value is good; the first broken one is
 * reported. Values are as read, after defaults: what was not given and has no default is undefined.
 */
export interface Rule<Query> {
  readonly code: ApiErrorCode
  broken(query: Query): boolean
  /** Names the parameters, the rule and the way out. */
  readonly message: string | RuleMessage<Query>
}

/** Written as a method, as `broken` and `handle` are: a list of routes holds rules of many queries. */
type RuleMessage<Query> = { of(query: Query): string }['of']

type Shape = z.ZodObject

export interface Route<Params extends Shape = Shape, Query extends Shape = Shape, Data extends z.ZodType = z.ZodType> {
  readonly method: 'get'
  /** Matched exactly: `/v1/users/:address/positions`. The first route that matches wins. Also the name of the route in logs and metrics. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tagName: string
  /** One schema for each `:name` of the path, from text, e.g. an address. */
  readonly params: Params
  /**
   * The parameter table, in the order in which problems are reported. Each schema reads the text of one value and makes what the handler
   * wants; `.optional()` or `.default(...)` where it may be absent; `.describe(...)` goes into the document, and so does whatever `.meta(...)`
   * says (`{ type: 'integer', format: 'int64', minimum: 0 }`). See `parameters.ts` for reserved values and for the message of a problem.
   */
  readonly query: Query
  readonly rules: readonly Rule<z.output<Query>>[]
  readonly data: Data
  /** `experimental`: an addition beyond the specification that may still change. */
  readonly stability: 'stable' | 'experimental'
  readonly credential: 'api-key' | 'none'
  /** `tagged`: weak ETag and 304. `no-store`: the answer is about this very moment. */
  readonly cache: 'tagged' | 'no-store'
  /**
   * The answer is a function of the question and of the index up to the watermark, so one that was computed may be given again while both are
   * the same. False for what reads past the watermark, or shows the clock.
   */
  readonly cached: boolean
  /** The route has something to say also when nothing is indexed or the database is away: its meta may hold nulls. */
  readonly answersWithoutIndex: boolean
  /** Refuses with `refuse(code, message)` of `errors.ts`: 404 for what the index does not know. */
  handle(
    input: { readonly params: z.output<Params>; readonly query: z.output<Query> },
    context: RouteContext,
  ): Promise<Answer<z.input<Data>>>
}

type Optional = 'description' | 'rules' | 'stability' | 'credential' | 'cache' | 'cached' | 'answersWithoutIndex'

/** Makes a route; what is left out gets the usual value. */
export function defineRoute<Params extends Shape, Query extends Shape, Data extends z.ZodType>(
  route: Omit<Route<Params, Query, Data>, Optional> & Partial<Pick<Route<Params, Query, Data>, Optional>>,
): Route<Params, Query, Data> {
  return {
    description: '',
    rules: [],
    stability: 'stable',
    credential: 'api-key',
    cache: 'tagged',
    cached: route.cache !== 'no-store',
    answersWithoutIndex: false,
    ...route,
  }
}
