// Which route a path belongs to. Exact on purpose: a slash at the end, a double slash or another case is another path.

import { assert } from '@orrery/errors'
import { decodePercent } from './parameters.ts'
import type { Route } from './route.ts'

export interface Match {
  readonly route: Route
  /** Text of each `:name` of the path, unescaped. */
  readonly values: Readonly<Record<string, string>>
}

export interface RouteTable {
  /** The first route that the path fits, or null. */
  match(path: string): Match | null
}

export function routeTable(routes: readonly Route[]): RouteTable {
  const table = routes.map((route) => ({ route, pattern: route.path.split('/') }))
  assert(new Set(routes.map((route) => route.path)).size === routes.length, 'Two routes have the same path.')
  for (const { route, pattern } of table) {
    const names = pattern.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1))
    const declared = Object.keys(route.params.shape)
    assert(names.join() === declared.join(), `The route ${route.path} declares the path parameters ${declared.join(', ')}.`)
  }
  return {
    match(path) {
      const segments = path.split('/')
      for (const { route, pattern } of table) {
        const values = fit(pattern, segments)
        if (values !== null) return { route, values }
      }
      return null
    },
  }
}

function fit(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const values: Record<string, string> = {}
  for (const [n, expected] of pattern.entries()) {
    const segment = segments[n] ?? ''
    if (!expected.startsWith(':')) {
      if (segment !== expected) return null
    } else {
      if (segment === '') return null
      values[expected.slice(1)] = decodePercent(segment)
    }
  }
  return values
}
