// Endpoints of the operator: the admin token in `x-service-admin-token` (401, and 429 for wrong ones). Requests are not limited.

import { createHash, timingSafeEqual } from 'node:crypto'
import { type Gate, refuseCredential } from './gate.ts'
import type { ApiMiddleware } from './request-state.ts'

export function requireAdminToken(gate: Gate): ApiMiddleware {
  const { adminToken } = gate.access
  const expected = adminToken === null ? null : digestOf(adminToken)
  return async (ctx, next) => {
    ctx.vary('x-service-admin-token')
    const given = ctx.get('x-service-admin-token')
    // Digests have one length, so the comparison always takes the same time.
    if (expected !== null && timingSafeEqual(digestOf(given), expected)) return next()
    const others = ['authorization', 'x-service-api-key'].filter((name) => ctx.get(name) !== '')
    const other = others.length === 0 ? '' : ` The credential in \`${others[0]}\` is not accepted here.`
    const message = `Missing or invalid admin token. Send the token of the operator in the header \`x-service-admin-token\`.${other}`
    return refuseCredential(ctx.state.address, gate, { wanted: 'admin-token', given: given !== '', message })
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
