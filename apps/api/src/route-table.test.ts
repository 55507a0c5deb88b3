import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routeTable } from './route-table.ts'
import { toyAnswer, toyRoute } from './testing/toy-routes.ts'

const at = (path: string, ...names: string[]) =>
  toyRoute(async () => toyAnswer(null), { path, params: z.strictObject(Object.fromEntries(names.map((name) => [name, z.string()]))) })

const table = routeTable([at('/v1/u/:a/blend/summary/history', 'a'), at('/v1/u/:a/blend/:pool/history', 'a', 'pool'), at('/v1/health')])
const found = (path: string) => {
  const match = table.match(path)
  return match === null ? null : [match.route.path, match.values]
}

describe('a path', () => {
  it('belongs to the first route that it fits', () => {
    expect(found('/v1/u/G/blend/summary/history')).toEqual(['/v1/u/:a/blend/summary/history', { a: 'G' }])
    expect(found('/v1/u/G/blend/C/history')).toEqual(['/v1/u/:a/blend/:pool/history', { a: 'G', pool: 'C' }])
  })

  it.each([
    '/',
    '',
    '/v1',
    '/v1/health/',
    '//v1/health',
    '/v1//health',
    '/V1/health',
    '/v1/Health',
    '/v1/healthy',
    '/v1/heal%74h',
    '/v1/u//blend/C/history',
    '/v1/u/G/blend/C/history/',
  ])('that is not exactly a route is none: "%s"', (path) => expect(found(path)).toBeNull())

  it('gives its values unescaped; a broken escape stays as it is', () => {
    expect(found('/v1/u/%47/blend/a%2Fb/history')).toEqual(['/v1/u/:a/blend/:pool/history', { a: 'G', pool: 'a/b' }])
    expect(found('/v1/u/%zz/blend/C/history')?.[1]).toEqual({ a: '%zz', pool: 'C' })
  })
})

it('a list that could not be served is refused when the server starts', () => {
  expect(() => routeTable([at('/v1/health'), at('/v1/health')])).toThrow('Two routes have the same path.')
  expect(() => routeTable([at('/v1/u/:a')])).toThrow('declares the path parameters')
})
