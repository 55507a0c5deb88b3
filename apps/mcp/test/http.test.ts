import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { textOf } from './connected.ts'
import { ANSWER, FakeApi, sendJson } from './fake-api.ts'
import { connectHttp, startHttp } from './running-http.ts'

const LIST = { name: 'list_protocols', arguments: {} }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}

/** With any header, also those that `fetch` does not send. */
async function post(address: string, headers: Readonly<Record<string, string>>, body: unknown = INITIALIZE) {
  const sent = httpRequest(address, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
  sent.end(typeof body === 'string' ? body : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

describe('MCP over HTTP', () => {
  it('each caller is served with the key that it sends, as Bearer or in the header of /v1', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    for (const [headers, key] of [[bearer('ory_one'), 'ory_one'] as const, [{ 'x-service-api-key': 'ory_two' }, 'ory_two'] as const]) {
      await using connected = await connectHttp(running.address, headers)
      const { tools } = await connected.client.listTools()
      expect(tools).toHaveLength(17)
      api.serve = (_, response) => sendJson(response, 200, ANSWER)
      await using unchecked = await connectHttp(running.address, headers)
      expect((await unchecked.client.callTool(LIST)).structuredContent).toEqual(ANSWER)
      expect(api.asked.at(-1)?.headers['x-service-api-key']).toBe(key)
    }
    expect(running.logged.join('\n')).not.toMatch(/ory_one|ory_two/)
  })

  it('a caller without a key is refused, and the API is not asked', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    for (const headers of [{}, { authorization: 'Basic b3J5' }, { authorization: 'Bearer ' }, { 'x-service-api-key': '' }]) {
      const refused = await post(running.address, headers)
      expect([refused.status, refused.headers['www-authenticate'], refused.body]).toEqual([
        401,
        'Bearer',
        expect.stringContaining('Send an API key of Orrery'),
      ])
    }
    expect(api.asked).toEqual([])
  })

  it.each([
    ['Host', { host: 'evil.example' }],
    ['Host', { host: 'localhost.evil.example' }],
    ['Host', { host: '127.0.0.1@evil.example' }],
    ['Host', { host: '192.168.0.7' }],
    ['Origin', { origin: 'https://evil.example' }],
    ['Origin', { origin: 'http://127.0.0.1.evil.example' }],
    ['Origin', { origin: 'null' }],
  ])('a request whose %s names another machine is refused with 403: %j', async (header, headers) => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    const refused = await post(running.address, { ...bearer('ory_one'), ...headers })
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining(`The header ${header} names another machine`)])
  })

  it.each([{ host: 'localhost:80' }, { host: '[::1]:6274' }, { origin: 'http://localhost:6274' }, { origin: 'http://127.0.0.1' }])(
    'a request of this machine is served: %j',
    async (headers) => {
      await using api = await FakeApi.start()
      await using running = await startHttp(api)
      expect(await post(running.address, { ...bearer('ory_one'), ...headers })).toMatchObject({
        status: 200,
        headers: { 'mcp-session-id': expect.any(String) },
      })
    },
  )

  it('a session is not found by another key, nor after its client ended it', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    const { headers } = await post(running.address, bearer('ory_one'))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const statusWith = async (key: string) => (await post(running.address, { ...bearer(key), ...session }, ping)).status
    expect([await statusWith('ory_two'), await statusWith('ory_one')]).toEqual([404, 200])
    const ended = await fetch(running.address, { method: 'DELETE', headers: { ...bearer('ory_one'), ...session } })
    expect([ended.status, await statusWith('ory_one')]).toEqual([200, 404])
  })

  it('a request that cannot be read is refused, logged, and leaves no session', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    const broken = await post(running.address, bearer('ory_one'), '{"jsonrpc"')
    expect([broken.status, broken.headers['mcp-session-id']]).toEqual([400, undefined])
    expect((await post(running.address, bearer('ory_one'), { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400)
    expect((await post(running.address.replace('/mcp', '/sse'), bearer('ory_one'))).status).toBe(404)
    expect(running.logged.join('\n')).toContain('Parse error: Invalid JSON')
  })

  it('a cancelled call aborts the request to the API and ends the response, and the session goes on', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    await using connected = await connectHttp(running.address, bearer('ory_one'))
    const asked = Promise.withResolvers<ServerResponse>()
    api.serve = (_, response) => asked.resolve(response)
    const cancelling = new AbortController()
    const outcome = expect(connected.client.callTool(LIST, undefined, { signal: cancelling.signal })).rejects.toThrow('no longer needed')
    const closed = once(await asked.promise, 'close')
    cancelling.abort(new Error('no longer needed'))
    await Promise.all([closed, outcome])
    api.serve = (_, response) => sendJson(response, 200, ANSWER)
    expect(textOf(await connected.client.callTool(LIST))).toBe(JSON.stringify(ANSWER))
  })

  it('a stop aborts running calls, ends streams that clients hold open, and closes the port', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    const connected = await connectHttp(running.address, bearer('ory_one'))
    const asked = Promise.withResolvers<ServerResponse>()
    api.serve = (_, response) => asked.resolve(response)
    const call = connected.client.callTool(LIST).catch((error: unknown) => error)
    const closed = once(await asked.promise, 'close')
    await Promise.all([running.stop(), closed])
    await connected.client.close()
    expect(await call).toBeInstanceOf(Error)
    await expect(fetch(running.address)).rejects.toThrow()
  })

  it('with 256 sessions, another one ends the session that was used least recently', async () => {
    await using api = await FakeApi.start()
    await using running = await startHttp(api)
    const begin = async () => String((await post(running.address, bearer('ory_one'))).headers['mcp-session-id'])
    const [first, second] = [await begin(), await begin()]
    const ping = (id: string) =>
      post(running.address, { ...bearer('ory_one'), 'mcp-session-id': id }, { jsonrpc: '2.0', id: 2, method: 'ping' })
    for (let count = 2; count < 256; count++) await begin()
    expect((await ping(first)).status).toBe(200)
    await begin()
    expect([(await ping(first)).status, (await ping(second)).status]).toEqual([200, 404])
  })
})
