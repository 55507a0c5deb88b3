// Converts a thrown error to the error envelope. Headers that are already set (request id, rate limit, Allow) stay.

import { OrreryError } from '@orrery/errors'
import type { Logger } from '@orrery/service-kit'
import { ClientGone } from '../deadline.ts'
import { errorEnvelope } from '../envelope.ts'
import { type WireError, wireError } from '../errors.ts'
import { type ApiContext, type ApiMiddleware, routeOf } from './request-state.ts'

/** Only an update of this process ends these errors, so each is logged once and not with each request. The request metric counts them. */
const LOGGED_ONCE: ReadonlySet<string> = new Set(['registry_newer_than_build'])

const logged = new WeakSet<OrreryError>()

/** Whether a permanent error was already logged: it is the same object then. */
function isKnown(error: unknown): boolean {
  if (!(error instanceof OrreryError) || !LOGGED_ONCE.has(error.code)) return false
  if (logged.has(error)) return true
  logged.add(error)
  return false
}

export function reportErrors(logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // The client has disconnected, so there is no response.
      if (error instanceof ClientGone) return
      const { status, code, message, headers } = wireError(error)
      const { startedMs } = ctx.state
      logFailure(ctx, error, { status, code }, logger)
      ctx.state.errorCode = code
      ctx.status = status
      ctx.set(headers)
      ctx.set('cache-control', 'no-store')
      ctx.type = 'json'
      ctx.body = JSON.stringify(errorEnvelope(code, message, performance.now() - startedMs))
    }
  }
}

/**
 * A request that exceeded its deadline is logged without a stack. Without a credential it is not a warning, because any client can cause it
 * at will; the request metric counts it by status.
 */
function logFailure(ctx: ApiContext, error: unknown, { status, code }: Pick<WireError, 'status' | 'code'>, logger: Logger): void {
  if (status < 500 || isKnown(error)) return
  const { requestId, organizationId, session, address } = ctx.state
  const facts = { requestId, route: routeOf(ctx), status, address }
  if (code !== 'timeout') logger.error({ err: error, ...facts }, 'Failed to answer a request')
  else if (organizationId === undefined && session === undefined)
    logger.info(facts, 'Cancelled a request without a credential at its deadline')
  else logger.warn(facts, 'Cancelled a request at its deadline')
}
