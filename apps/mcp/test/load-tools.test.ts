import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { loadTools } from '../src/load-tools.ts'
import { FakeApi, RELEASED, sendJson } from './fake-api.ts'
import { logLines } from './log-lines.ts'

const NEVER = new AbortController().signal

async function load(serveDocument: RequestListener) {
  await using api = await FakeApi.start()
  api.serveDocument = serveDocument
  const { logger, lines } = logLines()
  return { ...(await loadTools(api.url, logger, NEVER)), lines }
}

describe('the tools of an API', () => {
  it('an address that does not answer is api_unreachable, which a restart may help', async () => {
    const api = await FakeApi.start()
    const { url } = api
    await api[Symbol.asyncDispose]()
    await expect(loadTools(url, logLines().logger, NEVER)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'api_unreachable',
      message: expect.stringMatching(/does not answer: connect ECONNREFUSED[\s\S]*--url or ORRERY_URL/),
    })
    // Node tries every address that the name has.
    await expect(loadTools(url.replace('127.0.0.1', 'localhost'), logLines().logger, NEVER)).rejects.toThrow(/ECONNREFUSED/)
    await expect(load((_, response) => response.writeHead(502).end('bad gateway'))).rejects.toMatchObject({ code: 'api_unreachable' })
  })

  it.each<[string, RequestListener]>([
    ['a page that is absent', (_, response) => response.writeHead(404).end('no such page')],
    ['a page of HTML', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')],
    ['JSON that is no document', (_, response) => sendJson(response, 200, ['openapi'])],
    ['a document with a path of null', (_, response) => sendJson(response, 200, { ...RELEASED, paths: { '/v1': null } })],
    ['a document with an operation of null', (_, response) => sendJson(response, 200, { ...RELEASED, paths: { '/v1': { get: null } } })],
    [
      'the document of another API',
      (_, response) => sendJson(response, 200, { ...RELEASED, paths: { '/pets': { get: { operationId: 'listPets' } } } }),
    ],
  ])('%s is api_document_absent', async (_, serveDocument) => {
    await expect(load(serveDocument)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'api_document_absent',
      message: expect.stringContaining('without /v1'),
    })
  })

  it('the tool of an operation that an older API lacks is left out, with a line in the log', async () => {
    const { '/v1/prices': _, ...paths } = RELEASED.paths
    const { byName, missing, lines } = await load((_, response) => sendJson(response, 200, { ...RELEASED, paths }))
    expect([byName.has('get_prices'), byName.has('list_pools'), missing]).toEqual([false, true, ['getPrices']])
    expect(lines.join('\n')).toContain('"operations":["getPrices"]')
  })

  it('a stop while the document is awaited ends the wait with its reason', async () => {
    await using api = await FakeApi.start()
    const stop = new AbortController()
    const asked = Promise.withResolvers<ServerResponse>()
    api.serveDocument = (_, response) => asked.resolve(response)
    const loading = loadTools(api.url, logLines().logger, stop.signal)
    const outcome = expect(loading).rejects.toThrow('stopped')
    const closed = once(await asked.promise, 'close')
    stop.abort(new Error('stopped'))
    await Promise.all([closed, outcome])
  })
})
