import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_ERRORS } from '../errors.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo] })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('the page of an error code', () => {
  it.each(Object.entries(API_ERRORS))('of %s needs no key and has the status, the fix and an example', async (code, { status }) => {
    const answer = await httpAsk(api.url, `/docs/errors/${code}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const html = answer.bytes.toString()
    expect(html).toContain(`<h1><code>${code}</code></h1>`)
    expect(html).toContain(`<p>${status}. `)
    expect(html).toContain('<strong>Fix:</strong>')
    expect(html).toContain('<strong>Example:</strong>')
  })

  it('runs nothing, loads only stylesheets of this origin, and links to no file of the repository', async () => {
    for (const path of ['/docs/errors', ...Object.keys(API_ERRORS).map((code) => `/docs/errors/${code}`)]) {
      const { headers, bytes } = await httpAsk(api.url, path)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(bytes.toString()).not.toMatch(/<script|<style|style="|<img|@import|src=|url\(|\.md/)
    }
  })

  it('is a section of the list too, with its own anchor', async () => {
    const html = (await httpAsk(api.url, '/docs/errors')).bytes.toString()
    for (const code of Object.keys(API_ERRORS)) expect(html).toContain(`<h2 id="${code}"><code>${code}</code>`)
    expect(html).not.toContain('<ol')
  })

  it('is the one that an error names', async () => {
    const { body } = await api.ask('/v1/echo/hello?third=1')
    const { error } = body as unknown as { readonly error: { readonly docs: string } }
    expect(error.docs).toBe('/docs/errors/unknown_parameter')
    expect((await httpAsk(api.url, error.docs)).status).toBe(200)
  })

  it('exists for no other word', async () => {
    for (const path of ['/docs/errors/teapot', '/docs/errors/']) expect((await httpAsk(api.url, path)).status).toBe(404)
  })
})
