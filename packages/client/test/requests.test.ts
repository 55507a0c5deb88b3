import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, createClient, isApiError } from '../src/index.ts'
import { ScriptedServer } from './scripted-server.ts'

const OK = { body: { data: {}, enrichment: {}, meta: {} } }

describe('requests of the client', () => {
  it('parameters of the path are encoded, dates and lists become text, and undefined parameters are left out', async () => {
    await using server = await ScriptedServer.of(OK, OK, OK, OK)
    const client = createClient({ baseUrl: `${server.url}/` })
    const from = new Date('2026-10-01T00:00:00Z')
    await client.fxdao.history('GA', 'fxdao:USD', { from, to: '2026-10-02T00:00:00Z' })
    await client.accounts.activities('GA', { activity_type: ['swap', 'deposit'], from, limit: 5 }).first()
    await client.assets.prices(['CA', 'CB'], { at: from })
    await client.service.ledger(1_000_001)
    const urls = server.asked.map(({ url }) => decodeURIComponent(url))
    expect(urls).toEqual([
      '/v1/users/GA/positions/fxdao/fxdao:USD/history?from=2026-10-01T00:00:00.000Z&to=2026-10-02T00:00:00Z',
      '/v1/users/GA/activities?activity_type=swap,deposit&from=2026-10-01T00:00:00.000Z&limit=5',
      '/v1/prices?at=2026-10-01T00:00:00.000Z&assets=CA,CB',
      '/v1/ledgers/1000001',
    ])
    expect(server.asked[0]?.url).toContain('fxdao%3AUSD')
  })

  it('a base URL with a path stays before /v1, also if it contains /v1 itself', async () => {
    await using server = await ScriptedServer.of(OK, { body: {} })
    const client = createClient({ baseUrl: `${server.url}/v1/orrery`, apiKey: 'key', accessToken: 'token' })
    await client.service.health()
    await client.organization.get()
    expect(server.asked.map(({ url, headers }) => [url, headers['x-service-api-key'], headers.authorization])).toEqual([
      ['/v1/orrery/v1/health', 'key', undefined],
      ['/v1/orrery/v1/org', undefined, 'Bearer token'],
    ])
  })

  it('the service and its OpenAPI document are requested without the key, also below a path', async () => {
    await using server = await ScriptedServer.of(OK, { body: { openapi: '3.1.0' } })
    const client = createClient({ baseUrl: `${server.url}/v1/orrery`, apiKey: 'key' })
    await client.service.about()
    expect(await client.service.document()).toEqual({ openapi: '3.1.0' })
    expect(server.asked.map(({ url, headers }) => [url, headers['x-service-api-key']])).toEqual([
      ['/v1/orrery/v1', undefined],
      ['/v1/orrery/openapi.json', undefined],
    ])
  })

  it('a credential may be a function, which is called for each request, and headers of a request replace it', async () => {
    await using server = await ScriptedServer.of(OK, OK, OK)
    let count = 0
    const client = createClient({ baseUrl: server.url, apiKey: async () => `key ${++count}` })
    await client.service.health()
    await client.service.health()
    await client.service.health({ headers: { 'x-service-api-key': 'own', 'x-request-id': 'mine' } })
    expect(server.asked.map(({ headers }) => headers['x-service-api-key'])).toEqual(['key 1', 'key 2', 'own'])
    expect(server.asked[2]?.headers['x-request-id']).toBe('mine')
  })

  it('an error of the API has its code, the page of the code and the request id, and its code narrows it', async () => {
    const body = { error: { code: 'not_found', message: 'There is no such ledger.', docs: '/docs/errors/not_found' }, meta: {} }
    await using server = await ScriptedServer.of({ status: 404, headers: { 'x-request-id': 'r-1' }, body })
    const error: unknown = await createClient({ baseUrl: server.url })
      .service.ledger(1)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'There is no such ledger.',
      code: 'not_found',
      status: 404,
      docs: `${server.url}/docs/errors/not_found`,
      requestId: 'r-1',
      retryAfterSeconds: null,
      rateLimit: null,
      body,
    })
    expect([
      isApiError(error),
      isApiError(error, 'timeout', 'not_found'),
      isApiError(error, 'timeout'),
      isApiError(new Error('x')),
    ]).toEqual([true, true, false, false])
  })

  it('a response without the envelope of the API is an error that says so, with any status', async () => {
    await using server = await ScriptedServer.of(
      { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>no</html>' },
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>a page</html>' },
    )
    const client = createClient({ baseUrl: server.url })
    await expect(client.service.health()).rejects.toMatchObject({
      code: 'unknown_response',
      status: 403,
      docs: null,
      body: '<html>no</html>',
    })
    await expect(client.service.health()).rejects.toMatchObject({ code: 'unknown_response', status: 200 })
  })

  it('a signal ends a request, and its wait before a repetition, with its own reason', async () => {
    await using server = await ScriptedServer.of(
      { isSilent: true },
      { status: 429, headers: { 'retry-after': '60' }, body: { error: { code: 'rate_limited', message: '', docs: '' } } },
    )
    const client = createClient({ baseUrl: server.url })
    for (const asked of [1, 2]) {
      const controller = new AbortController()
      const failed = client.service.health({ signal: controller.signal })
      const outcome = expect(failed).rejects.toThrow('changed my mind')
      await expect.poll(() => server.asked.length).toBe(asked)
      controller.abort(new Error('changed my mind'))
      await outcome
    }
    const over = AbortSignal.abort(new Error('never begun'))
    await expect(client.service.health({ signal: over })).rejects.toThrow('never begun')
    expect(server.asked).toHaveLength(2)
  })

  it('no response within timeoutMs is a ConnectionError', async () => {
    await using server = await ScriptedServer.of({ isSilent: true })
    const failed = createClient({ baseUrl: server.url, timeoutMs: 20, maxRetries: 0 }).service.health()
    await expect(failed).rejects.toBeInstanceOf(ConnectionError)
    await expect(failed).rejects.toThrow(`No response came within 20 ms: GET ${server.url}/v1/health`)
  })

  it('onResponse sees each response, and an answer without a body is undefined', async () => {
    await using server = await ScriptedServer.of(OK, { status: 204 })
    const statuses: [number, string][] = []
    const client = createClient({ baseUrl: server.url, onResponse: ({ status }, { method }) => void statuses.push([status, method]) })
    await client.service.health()
    expect(await client.organization.revokeApiKey('id')).toBeUndefined()
    expect(statuses).toEqual([
      [200, 'GET'],
      [204, 'DELETE'],
    ])
  })
})
