// A request that no route takes is refused whatever credential it brings: route and method come first. Still it is an answer to the key or
// bearer that came, so it counts and says what is left; and a wrong one is a guess here as anywhere else.

import { countRequest, countWrong, type Gate, type Limited } from './gate.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'
import { sessionOf } from './require-bearer.ts'

export function countUnrouted(gate: Gate): ApiMiddleware {
  return async (ctx, next) => {
    try {
      const limited = await limitedOf(ctx, gate)
      if (limited !== null) await countRequest(ctx, limited, gate)
    } catch (err) {
      // Neither path nor method becomes right by a database that answers.
      gate.logger.debug({ err, requestId: ctx.state.requestId }, 'Could not tell whose request it was that no route takes')
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
