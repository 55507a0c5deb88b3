// The last middleware of a management request, within its deadline (504): body (415, 413), parameters and members (400), the handler (404, 503).

import type { Actor } from '@orrery/identity'
import type { Clock } from '@orrery/service-kit'
import { z } from 'zod'
import { withinDeadline } from '../deadline.ts'
import { takeFromMinute } from '../middleware/count-units.ts'
import type { Gate } from '../middleware/gate.ts'
import type { ApiMiddleware, Limited, RequestState } from '../middleware/request-state.ts'
import { readParameters } from '../parameters.ts'
import type { ManagementRoute } from './management-route.ts'
import { readMembers, receiveBody } from './read-body.ts'

export interface ManagementParts {
  readonly gate: Gate
  readonly clock: Clock
  readonly deadlineMs: number
}

/** Of a route without parameters, every one is unknown. */
const NO_QUERY = z.strictObject({})

export function answerManagement(route: ManagementRoute, { gate, clock, deadlineMs }: ManagementParts): ApiMiddleware {
  return async (ctx) => {
    const { address, session = null, counted } = ctx.state
    const allowance = counted?.allowance ?? null
    // The deadline includes the body, or a client could keep a connection open by sending it slowly.
    const result = await withinDeadline(ctx.res, deadlineMs, async (signal) => {
      const received = route.body === null ? null : await receiveBody(ctx)
      const shapes = { params: route.params, query: route.query ?? NO_QUERY, rules: [] }
      const { params, query } = readParameters(shapes, ctx.params, ctx.querystring)
      const body = route.body === null || received === null ? null : readMembers(route.body, received)
      const { access, logger } = gate
      const take = (limited: Limited) => takeFromMinute(ctx, limited, gate)
      return route.handle(
        { params, query, body },
        { access, clock, logger, address, session, allowance, actor: actorOf(route, ctx.state), signal, take },
      )
    })

    ctx.status = route.status
    // The answer contains secrets, or is valid only at this moment.
    ctx.set('cache-control', 'no-store')
    if (route.result === null) return
    ctx.type = 'json'
    ctx.body = JSON.stringify(result)
  }
}

function actorOf({ credential }: ManagementRoute, { session, address }: RequestState): Actor {
  if (session !== undefined) return { kind: 'user', id: session.userId, address }
  return credential === 'admin-token' ? { kind: 'admin_token', id: '', address } : { kind: 'system', id: 'api', address }
}
