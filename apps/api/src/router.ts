// From the list of routes to koa: which route a path belongs to, and the response to a path that belongs to none.
// Paths are exact on purpose: a slash at the end, a double slash or another case is another path.

import { METHODS } from 'node:http'
import Router from '@koa/router'
import { assert } from '@orrery/errors'
import { refuse } from './errors.ts'
import type { ManagementRoute } from './management/management-route.ts'
import type { ApiMiddleware, RequestState } from './middleware/request-state.ts'
import type { Route } from './route.ts'

export type ApiRouter = Router<RequestState>

type AnyRoute = Pick<Route | ManagementRoute, 'method' | 'path' | 'params'>

/** Empty. The first route that matches wins, so a fixed segment is added before a parameter in the same position. */
export function exactRouter(): ApiRouter {
  return new Router<RequestState>({ strict: true, sensitive: true, methods: METHODS })
}

/** Adds a route after checking that it can be served: its path is new, and it declares the parameters of its path. */
export function addRoute(router: ApiRouter, route: AnyRoute, steps: readonly ApiMiddleware[]): void {
  const method = route.method.toUpperCase()
  const isTaken = router.stack.some(({ path, methods }) => path === route.path && methods.includes(method))
  assert(!isTaken, 'Two routes have the same path.', { path: route.path, method })
  router[route.method](route.path, ...steps)
  const named = router.stack.at(-1)?.paramNames.map(({ name }) => name) ?? []
  const declared = Object.keys(route.params.shape)
  assert(named.join() === declared.join(), `The route ${route.path} declares the path parameters ${declared.join(', ')}.`)
}

/** Runs after the router, for requests that no route took: 405 if the path exists with other methods, else 404. */
export const refuseUnrouted: ApiMiddleware = (ctx) => {
  const methods = new Set(ctx.matched?.flatMap((layer) => layer.methods))
  if (methods.size > 0) {
    const allowed = [...methods].sort().join(', ')
    ctx.set('allow', allowed)
    throw refuse('method_not_allowed', `Method not allowed. Allowed: ${allowed}.`)
  }
  throw refuseUnknownPath()
}

export function refuseUnknownPath(): Error {
  const exact = 'Paths are exact: lower case, no slash at the end, no double slash.'
  return refuse('not_found', `There is no endpoint at this path. ${exact} /docs lists all endpoints.`)
}
