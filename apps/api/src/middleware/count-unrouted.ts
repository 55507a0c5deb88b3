// A request that no route takes is refused whatever its credential is, because route and method are checked first. It still counts as a request
// of the key or bearer token, with rate-limit headers, and a wrong credential counts as a guess.

import { countRequest } from './count-units.ts'
import { countWrong, type Gate } from './gate.ts'
import type { ApiContext, ApiMiddleware, Limited } from './request-state.ts'
import { sessionOf } from './require-bearer.ts'

export function countUnrouted(gate: Gate): ApiMiddleware {
  return async (ctx, next) => {
    try {
      const limited = await limitedOf(ctx, gate)
      if (limited !== null) await countRequest(ctx, limited, gate)
    } catch (err) {
      // The request is refused anyway, so an unreachable database does not change the response.
      gate.logger.debug(
        { err, requestId: ctx.state.requestId },
        'Could not count a request with an unknown path or method for the rate limit: its credential could not be checked',
      )
    }
    return next()
  }
}

/** Null without a credential, and for a wrong one. */
async function limitedOf(ctx: ApiContext, gate: Gate): Promise<Limited | null> {
  const key = ctx.get('x-service-api-key')
  const bearer = ctx.get('authorization')
  if (key === '' && bearer === '') return null
  const limited = key === '' ? await sessionOf(bearer, gate) : await gate.access.authenticator.authenticate(key)
  if (limited === null) await countWrong(ctx.state.address, gate)
  return limited
}
