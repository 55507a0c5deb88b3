// Management endpoints: an access token in `authorization: Bearer` (401, 429). Whether its session still counts is asked of the database
// each time: these endpoints are few and rarely asked, and an ended session ends at once.

import type { Session } from '@orrery/identity'
import { type Gate, refuseCredential, takeFromMinute } from './gate.ts'
import type { ApiMiddleware } from './request-state.ts'

/** RFC 6750: the scheme in any case, one space, the token. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i

export function requireBearer(gate: Gate): ApiMiddleware {
  return async (ctx, next) => {
    ctx.vary('authorization')
    const given = ctx.get('authorization')
    const session = await sessionOf(given, gate)
    if (session === null) {
      const key = ctx.get('x-service-api-key') === '' ? '' : ' The key in `x-service-api-key` is not accepted by management endpoints.'
      const message = `Missing or invalid access token. Send a valid one in the header \`authorization: Bearer\`; \`POST /v1/auth/login\` gives one.${key}`
      return refuseCredential(ctx.state.address, gate, { wanted: 'bearer', given: given !== '', message })
    }
    ctx.state.session = session
    await takeFromMinute(ctx, session, gate)
    return next()
  }
}

/** Of the header `authorization`; null for whatever is wrong with it. */
export async function sessionOf(header: string, { access }: Pick<Gate, 'access'>): Promise<Session | null> {
  const token = BEARER.exec(header)?.[1]
  const id = token === undefined ? null : await access.tokens.sessionOf(token, 'management')
  return id === null ? null : access.identity.sessionById(id)
}
