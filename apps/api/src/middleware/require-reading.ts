// 405 for whatever is not a read, with `Allow`. HEAD works wherever GET does.

import type { ParameterizedContext } from 'koa'
import { refuse } from '../errors.ts'
import type { RequestState } from './request-state.ts'

const READING = ['GET', 'HEAD']

export function requireReading(ctx: ParameterizedContext<RequestState>): void {
  if (READING.includes(ctx.method)) return
  ctx.set('allow', READING.join(', '))
  throw refuse('method_not_allowed', 'This endpoint is only read. Use GET, or HEAD for the headers alone.')
}
