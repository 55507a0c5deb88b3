import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementRoutes } from '../management/index.ts'
import { routes, wholeDocument } from '../testing/all-routes.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo, toyAnswer, toyRoute } from '../testing/toy-routes.ts'
import { plainReference } from './plain-reference.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo, toyRoute(async () => toyAnswer(null), { summary: '<script>alert(1)</script>' })] })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('/docs/plain', () => {
  it('lists every endpoint with its parameters, and needs no key', async () => {
    const { status, headers, bytes } = await httpAsk(api.url, '/docs/plain')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const html = bytes.toString()
    for (const path of Object.keys(api.document.paths)) expect(html).toContain(path)
    for (const name of ['first', 'second', 'size', 'as_of']) expect(html).toContain(`<code>${name}</code>`)
  })

  it('shows a request to the demo network and its answer for every endpoint', () => {
    const html = plainReference(wholeDocument()).body()
    expect(html).toContain("curl 'http://localhost:8080/v1/ledgers/1005000'")
    expect(html).toContain("-d '{&quot;email&quot;:&quot;demo@orrery.local&quot;,&quot;password&quot;:&quot;PASSWORD&quot;}'")
    const withoutAnswer = managementRoutes.filter(({ result }) => result === null).length
    expect(html.split('<summary>Answer of the demo network</summary>')).toHaveLength(
      routes.length + managementRoutes.length - withoutAnswer + 1,
    )
  })

  it('runs nothing and loads only stylesheets of this origin', async () => {
    const { headers, bytes } = await httpAsk(api.url, '/docs/plain')
    const html = bytes.toString()
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(html).not.toMatch(/<script|<style|<img|@import|src=|url\(/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })
})

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, needs no key and may be kept for a while', async () => {
    const { status, headers, bytes } = await httpAsk(api.url, '/openapi.json')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'public, max-age=300',
    ])
    expect(JSON.parse(bytes.toString())).toMatchObject({ openapi: '3.1.0', info: { title: 'Orrery' } })
    const again = await httpAsk(api.url, '/openapi.json', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it('has HEAD, and no other path but its own', async () => {
    expect((await httpAsk(api.url, '/openapi.json', { method: 'HEAD' })).status).toBe(200)
    for (const path of ['/openapi.json/', '/Docs', '/docs/']) expect((await httpAsk(api.url, path)).status).toBe(404)
  })
})
