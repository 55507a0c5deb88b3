// Management endpoints: an access token in `authorization: Bearer` (401, 429). The database is asked each time whether its session is still
// valid: these endpoints are rarely used, and a session that was ended must end at once.

import type { Session } from '@orrery/identity'
import { takeFromMinute } from './count-units.ts'
import { type Gate, refuseCredential } from './gate.ts'
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
      const message = `Missing or invalid access token. Send a valid one in the header \`authorization: Bearer\`; \`POST /v1/auth/login\` returns one.${key}`
      return refuseCredential(ctx.state.address, gate, { wanted: 'bearer', given: given !== '', message })
    }
    ctx.state.session = session
    await takeFromMinute(ctx, session, gate)
    return next()
  }
}

/** Session of the header `authorization`; null if the header or the session is not valid. */
export async function sessionOf(header: string, { access }: Pick<Gate, 'access'>): Promise<Session | null> {
  const token = BEARER.exec(header)?.[1]
  const id = token === undefined ? null : await access.tokens.sessionOf(token, 'management')
  return id === null ? null : access.identity.sessionById(id)
}
