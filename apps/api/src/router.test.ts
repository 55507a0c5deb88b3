import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addRoute, exactRouter } from './router.ts'
import { startTestApi, type TestApi } from './testing/start-test-api.ts'
import { toyAnswer, toyRoute } from './testing/toy-routes.ts'

/** A route that answers which one it is and what its path holds. */
const at = (path: string, ...names: string[]) =>
  toyRoute(async ({ params }) => toyAnswer([path, params]), {
    path,
    params: z.strictObject(Object.fromEntries(names.map((name) => [name, z.string()]))),
  })

const routes = [at('/v1/u/:a/blend/summary/history', 'a'), at('/v1/u/:a/blend/:pool/history', 'a', 'pool'), at('/v1/health')]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes })
})
afterAll(() => api[Symbol.asyncDispose]())
const found = async (path: string) => (await api.ask(path)).body?.data

describe('a path', () => {
  it('belongs to the first route that it fits', async () => {
    expect(await found('/v1/u/G/blend/summary/history')).toEqual(['/v1/u/:a/blend/summary/history', { a: 'G' }])
    expect(await found('/v1/u/G/blend/C/history')).toEqual(['/v1/u/:a/blend/:pool/history', { a: 'G', pool: 'C' }])
  })

  it.each([
    '/',
    '/v1',
    '/v1/health/',
    '/v1/health//',
    '//v1/health',
    '/v1//health',
    '/V1/health',
    '/v1/Health',
    '/v1/healthy',
    '/v1/heal%74h',
    '/v1/health%2F',
    '/v1/health%',
    '/%E0%A4%A/health',
    '/v1/u//blend/C/history',
    '/v1/u/G/blend/C/history/',
  ])('that is not exactly a route is none: "%s"', async (path) => {
    const { status, body } = await api.ask(path)
    expect([status, body?.error?.code]).toEqual([404, 'not_found'])
  })

  it('gives its values unescaped; a broken escape stays as it is', async () => {
    expect(await found('/v1/u/%47/blend/a%2Fb/history')).toEqual(['/v1/u/:a/blend/:pool/history', { a: 'G', pool: 'a/b' }])
    expect(await found('/v1/u/%zz/blend/C/history')).toEqual(['/v1/u/:a/blend/:pool/history', { a: '%zz', pool: 'C' }])
  })
})

it('a list that could not be served is refused when the server starts', () => {
  const add = (...list: Parameters<typeof addRoute>[1][]) => {
    const router = exactRouter()
    for (const route of list) addRoute(router, route, [() => undefined])
  }
  expect(() => add(at('/v1/health'), at('/v1/health'))).toThrow('Two routes have the same path.')
  expect(() => add(at('/v1/u/:a'))).toThrow('declares the path parameters')
})
