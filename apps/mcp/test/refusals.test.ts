import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { connect, KEY, textOf } from './connected.ts'
import { FakeApi, refuse } from './fake-api.ts'

const LIST = { name: 'list_protocols', arguments: {} }

it('a refusal of the API becomes a tool error with its code, the page of the code and the request id, and is no line of the log', async () => {
  await using api = await FakeApi.start()
  await using connected = await connect(api)
  api.serve = (_, response) => refuse(response, 401, 'unauthorized', 'The API key is unknown.')
  const result = await connected.client.callTool(LIST)
  expect([result.isError, result.structuredContent]).toEqual([true, undefined])
  expect(textOf(result)).toBe(`unauthorized: The API key is unknown.\nRequest: r-1\nDocumentation: ${api.url}/docs/errors/unauthorized`)
  expect(connected.logged).toEqual([])
})

it('a refusal for too many requests says when to ask again, instead of waiting longer than clients do', async () => {
  await using api = await FakeApi.start()
  await using connected = await connect(api)
  api.serve = (_, response) => {
    response.setHeader('retry-after', '42')
    refuse(response, 429, 'rate_limited', 'The minute is used up.')
  }
  expect(textOf(await connected.client.callTool(LIST))).toContain('Ask again after 42 seconds.')
  expect(api.asked).toHaveLength(1)
})

it('a failure of the API is asked for once more, becomes a tool error and a line of the log, which has no key', async () => {
  await using api = await FakeApi.start()
  await using connected = await connect(api)
  api.serve = (_, response) => refuse(response, 503, 'unavailable', 'The index is being read.')
  expect(textOf(await connected.client.callTool(LIST))).toMatch(/^unavailable: The index is being read/)
  expect(api.asked).toHaveLength(2)
  expect(connected.logged.join('\n')).toContain('A tool got no answer from the API')
  expect(connected.logged.join('\n')).not.toContain(KEY)
})

it('an API that has gone away is a tool error with the reason', async () => {
  await using api = await FakeApi.start()
  await using connected = await connect(api)
  api.serve = (request) => request.socket.destroy()
  const result = await connected.client.callTool(LIST)
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(
    /^api_unreachable: The request failed without a response: GET .*\/v1\/protocols: (other side closed|.*ECONNRESET)/,
  )
})

it('a redirect is not followed, so that the key reaches no other address', async () => {
  await using api = await FakeApi.start()
  await using other = await FakeApi.start()
  await using connected = await connect(api)
  api.serve = (_, response) => response.writeHead(307, { location: `${other.url}/v1/protocols` }).end()
  const result = await connected.client.callTool(LIST)
  expect([result.isError, other.asked]).toEqual([true, []])
  expect(textOf(result)).toMatch(/^api_unreachable: .*redirect/)
})

it('a cancelled call aborts the request to the API', async () => {
  await using api = await FakeApi.start()
  await using connected = await connect(api)
  const asked = Promise.withResolvers<ServerResponse>()
  api.serve = (_, response) => asked.resolve(response)
  const cancelling = new AbortController()
  const call = connected.client.callTool(LIST, undefined, { signal: cancelling.signal })
  const outcome = expect(call).rejects.toThrow('no longer needed')
  const closed = once(await asked.promise, 'close')
  cancelling.abort(new Error('no longer needed'))
  await Promise.all([closed, outcome])
  expect(connected.logged).toEqual([])
})
