// The process of `orrery mcp`: which key it uses, what it writes, and how it ends.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openEmbedded, openIdentity } from '@orrery/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepRunning } from '../src/running-file.ts'
import { Orrery, orrery } from './orrery.ts'

const BIN = fileURLToPath(new URL('../bin/orrery.mjs', import.meta.url))
const DOCUMENT = readFileSync(new URL('../../../docs/openapi/released.json', import.meta.url))
const ANSWER = { data: { protocols: [] }, enrichment: {}, meta: {} }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_protocols', arguments: {} } }

const folder = mkdtempSync(join(tmpdir(), 'orrery-mcp-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let keyOfFolder: string
beforeAll(async () => {
  await using identity = await openIdentity(`sqlite:${join(folder, 'identity.sqlite')}`)
  keyOfFolder = (await openEmbedded(identity, folder)).apiKey
})

/** An API that serves the document of the last release, and the same answer to every request. */
async function startApi(serveDocument: RequestListener = (_, response) => void response.writeHead(200, JSON_TYPE).end(DOCUMENT)) {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    if (request.url === '/openapi.json') return serveDocument(request, response)
    keys.push(request.headers['x-service-api-key'])
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(ANSWER))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys, [Symbol.asyncDispose]: close }
}
const JSON_TYPE = { 'content-type': 'application/json' }

/** With its stdin open, as a client starts it. */
function startStdio(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BIN, 'mcp', ...args], { env: { PATH: '', ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    exited: once(child, 'exit').then(([code]) => code),
    ask: async (message: object) => {
      child.stdin.write(`${JSON.stringify(message)}\n`)
      return JSON.parse((await lines.next()).value ?? '{}')
    },
  }
}

describe('orrery mcp', () => {
  it('finds the API and the key of a running data folder, writes messages alone to stdout, and ends when the client closes stdin', async () => {
    await using api = await startApi()
    const status = { url: api.url, user: 'status', password: '', headers: {}, database: 'orrery' }
    using _ = keepRunning(folder, { url: api.url, internalUrl: api.url, analystsUrl: null, status })
    const { child, ask, exited } = startStdio(['--data', folder])
    expect(await ask(INITIALIZE)).toMatchObject({ id: 1, result: { serverInfo: { name: 'orrery' } } })
    expect(await ask(CALL)).toMatchObject({ id: 2, result: { structuredContent: ANSWER } })
    expect(api.keys).toEqual([keyOfFolder])
    child.stdin.end()
    expect(await exited).toBe(0)
  })

  it('prefers the key of ORRERY_API_KEY, or of the file that ORRERY_API_KEY_FILE names', async () => {
    await using api = await startApi()
    const input = [INITIALIZE, CALL].map((message) => `${JSON.stringify(message)}\n`).join('')
    const args = ['mcp', '--url', api.url, '--data', folder]
    const { code, stdout } = await orrery(args, { ORRERY_API_KEY: 'ory_given' }, input)
    expect([code, stdout.map((line) => JSON.parse(line).id)]).toEqual([0, [1, 2]])
    await orrery(args, { ORRERY_API_KEY_FILE: join(folder, 'demo-key') }, input)
    expect(api.keys).toEqual(['ory_given', keyOfFolder])
  })

  it('over stdio ends with 0 at SIGTERM', async () => {
    await using api = await startApi()
    const { child, ask, exited } = startStdio(['--url', api.url, '--data', folder])
    await ask(INITIALIZE)
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  })

  it('over HTTP prints its address, refuses names of other machines, does not use the key of the folder, and ends with 0 at SIGTERM', async () => {
    await using api = await startApi()
    await using run = new Orrery(['mcp', '--url', api.url, '--data', folder, '--http-port', '0', '--json'])
    const { event, url } = await run.result<{ readonly event: string; readonly url: string }>()
    expect([event, url]).toEqual(['ready', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)])
    const statusWith = async (headers: Readonly<Record<string, string>>) => {
      const sent = httpRequest(url, {
        method: 'POST',
        agent: false,
        headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...headers },
      })
      sent.end(JSON.stringify(INITIALIZE))
      const [response] = await once(sent, 'response')
      response.resume()
      return response.statusCode
    }
    expect(await statusWith({ authorization: 'Bearer ory_own', host: 'evil.example' })).toBe(403)
    expect(await statusWith({ authorization: 'Bearer ory_own', origin: 'https://evil.example' })).toBe(403)
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ authorization: 'Bearer ory_own' })).toBe(200)
    expect(api.keys).toEqual([])
    run.signal('SIGTERM')
    expect(await run.exited).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  it.each([
    ['while it waits for the document', []],
    ['while it waits for the document', ['--http-port', '0']],
    ['while its port opens', ['--http-port', '0']],
  ])('ends with 0 at a SIGTERM %s, with the options %j', async (when, options) => {
    const asked = Promise.withResolvers<ServerResponse>()
    await using api = await startApi((_, response) => asked.resolve(response))
    await using run = new Orrery(['mcp', '--url', api.url, '--data', folder, ...options])
    const response = await asked.promise
    if (when === 'while its port opens') {
      response.writeHead(200, JSON_TYPE)
      await new Promise<void>((resolve) => response.end(DOCUMENT, resolve))
    }
    run.signal('SIGTERM')
    expect(await run.exited).toBe(0)
  })

  it('reports an API that does not answer, and one without the document, by what to do', async () => {
    const absent = await startApi((_, response) => void response.writeHead(404).end())
    expect(await orrery(['mcp', '--url', absent.url, '--data', folder])).toMatchObject({
      ...{ code: 2, stdout: [] },
      stderr: expect.stringContaining('serves no OpenAPI document of Orrery'),
    })
    await absent[Symbol.asyncDispose]()
    expect(await orrery(['mcp', '--url', absent.url, '--data', folder])).toMatchObject({
      ...{ code: 75, stdout: [] },
      stderr: expect.stringContaining('does not answer: connect ECONNREFUSED'),
    })
  })
})
