// Gives each request an id, a start time and the client address. The id is in the answer, in each log line and in the tag of each
// statement of the read model.

import type { BlockList } from 'node:net'
import { clientAddress } from '../client-address.ts'
import { newRequestId } from '../request-id.ts'
import type { ApiMiddleware } from './request-state.ts'

/** Ids of clients that are accepted: no spaces, no control characters, at most 128 characters. */
const KEPT = /^[A-Za-z0-9._-]{1,128}$/

const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'"

export function identifyRequest(trustedProxies: BlockList): ApiMiddleware {
  return (ctx, next) => {
    const given = ctx.get('x-request-id')
    ctx.state.requestId = KEPT.test(given) ? given : newRequestId()
    ctx.state.startedMs = performance.now()
    ctx.state.address = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('x-forwarded-for'), trustedProxies)
    // Browsers must not guess another content type. A page of the documentation has a policy of its own; an answer opened in a browser loads nothing.
    ctx.set({
      'x-request-id': ctx.state.requestId,
      'x-content-type-options': 'nosniff',
      'content-security-policy': ANSWER_POLICY,
    })
    return next()
  }
}
