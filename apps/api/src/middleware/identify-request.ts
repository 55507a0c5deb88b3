// Gives each request an id, a start time and the address that it came from. The id is in the answer, in each log line and in the tag of each
// statement of the read model.

import type { BlockList } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import { clientAddress } from '../client-address.ts'
import type { ApiMiddleware } from './request-state.ts'

/** What we repeat of a stranger's header: no spaces, no control characters, nothing long. */
const KEPT = /^[A-Za-z0-9._-]{1,128}$/

export function identifyRequest(trustedProxies: BlockList): ApiMiddleware {
  return (ctx, next) => {
    const given = ctx.get('x-request-id')
    ctx.state.requestId = KEPT.test(given) ? given : uuidv7()
    ctx.state.startedMs = performance.now()
    ctx.state.address = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('x-forwarded-for'), trustedProxies)
    // What a browser is handed is of the type that it says: it shall not guess a page into it.
    ctx.set({ 'x-request-id': ctx.state.requestId, 'x-content-type-options': 'nosniff' })
    return next()
  }
}
