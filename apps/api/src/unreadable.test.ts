// What goes over the wire when a request cannot be read, and when connections are kept open for nothing: raw bytes, both ways.

import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from './testing/check-answer.ts'
import { startTestApi, type TestApi } from './testing/start-test-api.ts'
import { echo } from './testing/toy-routes.ts'

let api: TestApi
beforeAll(async () => {
  // Node looks for late requests this often, so that a test does not wait for seconds.
  api = await startTestApi({
    routes: [echo],
    limits: { timeouts: { headersTimeout: 40, requestTimeout: 60, connectionsCheckingInterval: 10 } },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

const open = (url: string): Socket => connect({ host: '127.0.0.1', port: Number(new URL(url).port) })

/** All bytes of the connection until the server closes it. */
async function exchange(url: string, ...parts: readonly string[]): Promise<string> {
  const socket = open(url)
  for (const part of parts) socket.write(part)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

function parsed(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]))
  return { status: Number(line.split(' ')[1]), headers: headers as Record<string, string>, body: JSON.parse(body) }
}

const GET = 'GET /v1/echo/hello HTTP/1.1\r\n'

describe('a request that cannot be read', () => {
  it.each([
    ['is no HTTP', 'hello\r\n\r\n', 400, 'invalid_parameter'],
    ['has a broken header', `${GET}host: x\r\nbroken header\r\n\r\n`, 400, 'invalid_parameter'],
    [
      'says two lengths',
      `POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
      400,
      'invalid_parameter',
    ],
    ['has headers of more than 16 KiB', `${GET}host: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'payload_too_large'],
    ['does not come to the end of its headers', `${GET}host: x\r\n`, 408, 'timeout'],
    ['does not begin', '', 408, 'timeout'],
    ['has no host', `${GET}\r\n`, 400, 'invalid_parameter'],
    ['has two hosts', `${GET}host: a\r\nHost: b\r\n\r\n`, 400, 'invalid_parameter'],
  ])('and %s gets the error envelope, a request id and `nosniff`', async (_, text, status, code) => {
    const { status: got, headers, body } = parsed(await exchange(api.url, text))
    expect([got, body.error?.code]).toEqual([status, code])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    // The envelope of the document; 408 and 431 belong to no operation.
    const declared = { ...api.document, components: { ...api.document.components } }
    const bytes = Buffer.from(JSON.stringify(body))
    answerCheck(declared)('GET', '/nowhere', { status: 404, headers, bytes })
  })

  it('an unreadable request is answered after the answer to the previous request, never instead of it', async () => {
    const answer = await exchange(api.url, `${GET}host: x\r\n\r\nhello\r\n\r\n`)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '400'])
  })

  it('an unreadable rest of an answered request ends the connection without a second answer', async () => {
    const head = 'POST /v1/nothing HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
    const socket = open(api.url)
    socket.write(head)
    let text = ''
    for await (const chunk of socket) {
      // Once the refusal of the path has come, the body goes wrong.
      if (text === '') socket.write('no chunk\r\n')
      text += chunk
    }
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['404'])
  })

  it('a request with an unknown expectation is answered as if it had none', async () => {
    const answer = parsed(await exchange(api.url, `${GET}host: x\r\nexpect: 200-ok\r\nconnection: close\r\n\r\n`))
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized'])
  })
})

it('every response has `nosniff`: data, errors, pages, and 304', async () => {
  const { headers } = await api.ask('/v1/echo/hello')
  const answers = [
    headers,
    (await api.ask('/v1/echo/hello', { headers: { 'if-none-match': '*' } })).headers,
    (await api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': 'wrong' } })).headers,
    (await api.ask('/v1/nothing')).headers,
    Object.fromEntries((await fetch(`${api.url}/docs`)).headers),
  ]
  expect(answers.map((one) => one['x-content-type-options'])).toEqual(Array(5).fill('nosniff'))
})

describe('connections', () => {
  it('connections beyond the limit of one address are closed while others are served, and a new one is accepted after others are closed', async () => {
    await using limited = await startTestApi({ routes: [echo], limits: { connections: { inAll: 100, ofAddress: 3 } } })
    // Tests ask with connections of their own: three that do nothing leave none.
    const idle = [open(limited.url), open(limited.url), open(limited.url)]
    await Promise.all(idle.map((socket) => new Promise((ready) => socket.once('connect', ready))))
    await expect(limited.ask('/v1/echo/hello')).rejects.toMatchObject({ code: 'ECONNRESET' })
    const elsewhere = connect({ host: '127.0.0.1', port: Number(new URL(limited.url).port), localAddress: '127.0.0.2' })
    elsewhere.end(`${GET}host: x\r\nconnection: close\r\n\r\n`)
    let text = ''
    for await (const chunk of elsewhere) text += chunk
    expect(parsed(text).status).toBe(401)
    const closed = new Promise((done) => idle[0]?.once('close', done))
    idle[0]?.destroy()
    await closed
    await expect
      .poll(() =>
        limited.ask('/v1/echo/hello').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    for (const socket of idle) socket.destroy()
  })
})
