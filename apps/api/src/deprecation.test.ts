import { describe, expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { startTestApi } from './testing/start-test-api.ts'
import { toyAnswer, toyRoute } from './testing/toy-routes.ts'

// Times of the example of RFC 9745, sections 2 and 4.
const deprecation = { since: '2023-06-30T23:59:59Z', sunset: '2024-06-30T23:59:59Z', docs: '/docs/errors/not_found' } as const
const HEADERS = { deprecation: '@1688169599', sunset: 'Sun, 30 Jun 2024 23:59:59 GMT' }

const ending = toyRoute(async () => toyAnswer('a'), { deprecation })
const staying = toyRoute(async () => toyAnswer('a'), { path: '/v1/stays' })

describe('a deprecated operation', () => {
  it('each answer of a deprecated operation says since when it is, until when it stays, and where its successor is named', async () => {
    await using api = await startTestApi({ routes: [ending, staying] })
    const { status, headers } = await api.ask('/v1/toy')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ ...HEADERS, link: '</docs/errors/not_found>; rel="deprecation"; type="text/html"' })
    const unchanged = await api.ask('/v1/toy', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([unchanged.status, unchanged.headers]).toMatchObject([304, HEADERS])
  })

  it('other operations have none of these headers', async () => {
    await using api = await startTestApi({ routes: [ending, staying] })
    const { headers } = await api.ask('/v1/stays')
    expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined])
  })

  it('the document marks it, and describes the headers', () => {
    const { paths } = openApiDocument([ending, staying], [])
    expect([paths['/v1/toy']?.get?.deprecated, paths['/v1/stays']?.get?.deprecated]).toEqual([true, undefined])
    expect(Object.keys(paths['/v1/toy']?.get?.responses['200']?.headers ?? {})).toEqual(expect.arrayContaining(['deprecation', 'sunset']))
    expect(Object.keys(paths['/v1/stays']?.get?.responses['200']?.headers ?? {})).not.toContain('sunset')
  })
})
