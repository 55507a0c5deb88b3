// Gives each request an id and a start time. The id is in the answer, in each log line and in the tag of each statement of the read model.

import { v7 as uuidv7 } from 'uuid'
import type { ApiMiddleware } from './request-state.ts'

/** What we repeat of a stranger's header: no spaces, no control characters, nothing long. */
const KEPT = /^[A-Za-z0-9._-]{1,128}$/

export function identifyRequest(): ApiMiddleware {
  return (ctx, next) => {
    const given = ctx.get('x-request-id')
    ctx.state.requestId = KEPT.test(given) ? given : uuidv7()
    ctx.state.startedMs = performance.now()
    ctx.set('x-request-id', ctx.state.requestId)
    return next()
  }
}
