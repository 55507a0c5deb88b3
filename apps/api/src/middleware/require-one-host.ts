// One `host` header, as RFC 9112, 3.2 requires: of two, a proxy may have used the other one. The connection is closed, because the framing of
// later requests on it cannot be trusted.

import { refuse } from '../errors.ts'
import type { ApiMiddleware } from './request-state.ts'

export const requireOneHost: ApiMiddleware = (ctx, next) => {
  const { req } = ctx
  const names = req.rawHeaders.filter((_, n) => n % 2 === 0)
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length
  const isOld = req.httpVersionMajor === 1 && req.httpVersionMinor === 0
  if (hosts === 1 || (hosts === 0 && isOld)) return next()
  const what = hosts === 0 ? 'has no header `host`' : 'has more than one header `host`'
  ctx.set('connection', 'close')
  throw refuse('invalid_parameter', `The request ${what}. Send one.`)
}
