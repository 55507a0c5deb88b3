// A management route is a plain value like a data route, but with a body, another credential, and a plain JSON answer.

import type { Actor, Allowance, Session } from '@orrery/identity'
import type { Clock, Logger } from '@orrery/service-kit'
import type { z } from 'zod'
import type { Access } from '../access.ts'
import type { Limited } from '../middleware/request-state.ts'

/** What a handler may use. One for each request. */
export interface ManagementContext {
  readonly access: Access
  readonly clock: Clock
  readonly logger: Logger
  /** Address of the client. */
  readonly address: string
  /** Session of the access token; null for routes with another credential. */
  readonly session: Session | null
  /** The organization's units after this request was counted; null for a request that no organization is counted for yet. */
  readonly allowance: Allowance | null
  /** The actor that the audit log records. */
  readonly actor: Actor
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /** Counts the request for the organization of a credential in the body. @throws 429 if its units of this minute are used up. */
  take(limited: Limited): Promise<void>
}

type Shape = z.ZodObject

export interface ManagementRoute<
  Params extends Shape = Shape,
  Body extends Shape | null = Shape | null,
  Result extends z.ZodType | null = z.ZodType | null,
  Query extends Shape = Shape,
> {
  /** Name of the operation in the OpenAPI document: `createApiKey`. It never changes. */
  readonly operationId: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tagName: 'Organization' | 'Authentication' | 'Webhooks'
  readonly credential: 'admin-token' | 'bearer' | 'none'
  /** `experimental`: may still change. Default: stable. */
  readonly stability?: 'stable' | 'experimental'
  /** The handler counts the request itself, with `take`. Routes with the credential `bearer` are counted before. */
  readonly isCounted?: boolean
  readonly params: Params
  /** The parameters of the query, as in a data route. Absent: it takes none. */
  readonly query?: Query
  /** The members in the order in which problems are reported; null if the route takes no body. */
  readonly body: Body
  readonly status: 200 | 201 | 204
  /** The answer; null if it has no body. */
  readonly result: Result
  handle(
    input: {
      readonly params: z.output<Params>
      readonly query: z.output<Query>
      readonly body: Body extends Shape ? z.output<Body> : null
    },
    context: ManagementContext,
  ): Promise<Result extends z.ZodType ? z.input<Result> : null>
}

export function defineManagementRoute<
  Params extends Shape,
  Body extends Shape | null,
  Result extends z.ZodType | null,
  Query extends Shape = Shape,
>(route: ManagementRoute<Params, Body, Result, Query>): ManagementRoute<Params, Body, Result, Query> {
  return route
}
