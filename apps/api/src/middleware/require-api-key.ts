// Data endpoints: an API key in `x-service-api-key` (401, 403, 429). A bearer token in the same request is ignored.

import type { Scope } from '@orrery/identity'
import { refuse } from '../errors.ts'
import { takeFromMinute } from './count-units.ts'
import { type Gate, refuseCredential } from './gate.ts'
import type { ApiMiddleware } from './request-state.ts'

export function requireApiKey(gate: Gate, scope: Scope): ApiMiddleware {
  return async (ctx, next) => {
    // Every response depends on the key.
    ctx.vary('x-service-api-key')
    const key = ctx.get('x-service-api-key')
    const caller = key === '' ? null : await gate.access.authenticator.authenticate(key)
    if (caller === null) {
      const bearer = ctx.get('authorization') === '' ? '' : ' The credential in `authorization` is not accepted by data endpoints.'
      const message = `Missing or invalid API key. Send a valid one in the header \`x-service-api-key\`.${bearer}`
      return refuseCredential(ctx.state.address, gate, { wanted: 'api-key', given: key !== '', message })
    }
    ctx.state.organizationId = caller.organizationId
    ctx.state.caller = caller
    await takeFromMinute(ctx, caller, gate)
    if (!caller.scopes.includes(scope)) throw refuse('forbidden', `This API key lacks the scope \`${scope}\`. Use a key that has it.`)
    return next()
  }
}
