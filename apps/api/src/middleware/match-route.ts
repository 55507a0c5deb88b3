// Which route it is (404), and whether it can be asked this way (405). Paths are compared as they came: nothing is normalised.

import { refuse } from '../errors.ts'
import type { RouteTable } from '../route-table.ts'
import type { ApiMiddleware } from './request-state.ts'
import { requireReading } from './require-reading.ts'

export function matchRoute(table: RouteTable): ApiMiddleware {
  return (ctx, next) => {
    const match = table.match(ctx.path)
    if (match === null) {
      const exact = 'Paths are exact: lower case, no slash at the end, no double slash.'
      throw refuse('not_found', `There is no endpoint at this path. ${exact} /docs lists all endpoints.`)
    }
    ctx.state.match = match
    requireReading(ctx)
    return next()
  }
}
