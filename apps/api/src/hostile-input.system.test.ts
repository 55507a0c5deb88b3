// What strangers send to an open port: wrong, huge, deep, slow and random bytes. Each gets a status and the error envelope wherever HTTP allows an
// answer, memory is bounded, and the next client is served. `unreadable.test.ts` has more of what the HTTP parser refuses.

import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './testing/start-test-api.ts'
import { echo } from './testing/toy-routes.ts'

let api: TestApi
/** Does not wait long for slow clients. On a busy machine that may concern any client, so all others are served by `api`. */
let impatient: TestApi
/** Headers of a request with a valid key. */
let keyed: string
beforeAll(async () => {
  api = await startTestApi({ routes: [echo] })
  impatient = await startTestApi({
    routes: [echo],
    limits: { timeouts: { headersTimeout: 400, requestTimeout: 600, connectionsCheckingInterval: 50 } },
  })
  keyed = `host: x\r\nx-service-api-key: ${api.key}\r\n`
})
afterAll(() => Promise.all([api, impatient].map((one) => one[Symbol.asyncDispose]())))

const open = ({ url }: TestApi = api): Socket => connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })

/** Sends bytes (a character is a byte) and reads until the server closes. A reset after the answer does not take the answer away. */
async function exchange(bytes: string | Uint8Array, server = api): Promise<string> {
  const socket = open(server)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.end())
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await new Promise((closed) => socket.once('close', closed))
  return text
}

/** Status, code of the envelope (null on success), and whether the server said that it closes. */
function summaryOf(answer: string): readonly [status: number, code: string | null, closes: boolean] {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return [Number(head.split(' ')[1]), JSON.parse(body).error?.code ?? null, /^connection: close$/im.test(head)]
}

const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\n${headers}${keyed}connection: close\r\n\r\n`
const post = (headers: string, body: string): string =>
  `POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n${headers}\r\n${body}`
const sized = (body: string): string => post(`content-length: ${body.length}\r\n`, body)
const chunked = (body: string): string => post('transfer-encoding: chunked\r\n', body)

/** Cases are functions, because the key is known only when they run. */
const CASES: readonly (readonly [about: string, bytes: () => string, status: number, code: string | null])[] = [
  // Addresses.
  ['a path of 8,000 characters', () => get(`/v1/${'x'.repeat(8_000)}`), 404, 'not_found'],
  ['a query of 8,000 characters', () => get(`/v1/echo/hello?first=${'x'.repeat(8_000)}`), 400, 'invalid_parameter'],
  ['a path of 64 KiB', () => get(`/${'x'.repeat(65_536)}`), 431, 'payload_too_large'],
  ['a path of 1 MiB', () => get(`/${'x'.repeat(1_048_576)}`), 431, 'payload_too_large'],
  ['a percent sign alone', () => get('/v1/echo/%'), 400, 'invalid_parameter'],
  ['a percent sign without digits', () => get('/v1/echo/%zz'), 400, 'invalid_parameter'],
  ['an encoded byte that is no UTF-8', () => get('/v1/echo/%ff'), 400, 'invalid_parameter'],
  ['a slash in overlong UTF-8', () => get('/v1/echo/%c0%af'), 400, 'invalid_parameter'],
  ['an encoded null', () => get('/v1/echo/%00'), 400, 'invalid_parameter'],
  ['bad encoding in a query', () => get('/v1/echo/hello?first=%'), 400, 'invalid_parameter'],
  ['a null byte in a path', () => get('/v1/echo/\0'), 400, 'invalid_parameter'],
  ['bytes beyond ASCII in a path', () => get('/v1/echo/\xff\xfe'), 400, 'invalid_parameter'],
  ['dots that climb', () => get('/v1/../v1/echo/hello'), 404, 'not_found'],
  ['a double slash', () => get('//v1/echo/hello'), 404, 'not_found'],
  ['backslashes', () => get('/v1\\echo\\hello'), 404, 'not_found'],
  ['the whole address of another host', () => get('http://elsewhere/v1/echo/hello'), 200, null],
  ['a host instead of a path', () => get('elsewhere:443'), 400, 'invalid_parameter'],
  ['an asterisk instead of a path', () => get('*'), 404, 'not_found'],
  // Methods and versions.
  ['CONNECT', () => `CONNECT elsewhere:443 HTTP/1.1\r\n${keyed}\r\n`, 405, 'method_not_allowed'],
  ['an unknown method', () => `FOO /v1/echo/hello HTTP/1.1\r\n${keyed}\r\n`, 400, 'invalid_parameter'],
  ['TRACE', () => `TRACE /v1/echo/hello HTTP/1.1\r\n${keyed}connection: close\r\n\r\n`, 405, 'method_not_allowed'],
  ['a method in lower case', () => `get /v1/echo/hello HTTP/1.1\r\n${keyed}\r\n`, 400, 'invalid_parameter'],
  ['HTTP/0.9', () => 'GET /v1/echo/hello\r\n\r\n', 400, 'invalid_parameter'],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_parameter'],
  ['HTTP/3.0', () => `GET /v1/echo/hello HTTP/3.0\r\n${keyed}\r\n`, 400, 'invalid_parameter'],
  ['a greeting of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_parameter'],
  ['an upgrade to a web socket', () => get('/v1/echo/hello', 'upgrade: websocket\r\n'), 200, null],
  // Headers.
  ['a null byte in a header', () => get('/v1/echo/hello', 'x-a: a\0b\r\n'), 400, 'invalid_parameter'],
  ['a folded header', () => get('/v1/echo/hello', 'x-a: b\r\n c\r\n'), 400, 'invalid_parameter'],
  ['a space before the colon', () => get('/v1/echo/hello', 'x-a : b\r\n'), 400, 'invalid_parameter'],
  ['5,000 headers', () => get('/v1/echo/hello', 'a: b\r\n'.repeat(5_000)), 431, 'payload_too_large'],
  ['a name of a header of 20,000 characters', () => get('/v1/echo/hello', `${'a'.repeat(20_000)}: b\r\n`), 431, 'payload_too_large'],
  // Bodies.
  ['JSON of 60,000 levels', () => sized('['.repeat(30_000) + ']'.repeat(30_000)), 400, 'invalid_body'],
  ['JSON of 12,000 open objects', () => sized('{"a":'.repeat(12_000)), 400, 'invalid_body'],
  ['JSON of 100,000 levels', () => sized('['.repeat(100_000)), 413, 'payload_too_large'],
  ['a body of 1 MB', () => sized('x'.repeat(1_000_000)), 413, 'payload_too_large'],
  ['a length of 10 GB', () => post('content-length: 10000000000\r\n', '{'), 413, 'payload_too_large'],
  ['chunks of more than 64 KiB', () => chunked(`20000\r\n${'x'.repeat(0x20000)}\r\n0\r\n\r\n`), 413, 'payload_too_large'],
  ['a negative length', () => post('content-length: -1\r\n', ''), 400, 'invalid_parameter'],
  ['a length that is no integer', () => post('content-length: 1e3\r\n', ''), 400, 'invalid_parameter'],
  ['a list of lengths', () => post('content-length: 3, 3\r\n', '{} '), 400, 'invalid_parameter'],
  ['a length and chunks', () => post('content-length: 5\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'), 400, 'invalid_parameter'],
  ['an unknown transfer encoding', () => post('transfer-encoding: gzip\r\n', 'x'), 400, 'invalid_parameter'],
  ['chunks that are not last', () => post('transfer-encoding: chunked, identity\r\n', '0\r\n\r\n'), 400, 'invalid_parameter'],
  ['a chunk without a size', () => chunked('zz\r\n'), 400, 'invalid_parameter'],
  ['text that is no UTF-8', () => sized('{"email":"\xff"}'), 400, 'invalid_body'],
]

/** What does not come to its end. */
const UNENDING: readonly (readonly [about: string, bytes: () => string])[] = [
  ['headers that stop', () => 'GET /v1/echo/hello HTTP/1.1\r\nhost: x\r\n'],
  ['a body that stops', () => post('content-length: 100\r\n', '{"email":')],
  ['a chunk that is announced and does not come', () => chunked('ffffffff\r\nx')],
]

describe('one request', () => {
  it.each(CASES)('%s is answered as it should be, and the connection is closed', async (_, bytes, status, code) => {
    expect(summaryOf(await exchange(bytes()))).toEqual([status, code, true])
  })

  it.each(UNENDING)('%s: the answer is 408 in time, and the connection is closed', async (_, bytes) => {
    expect(summaryOf(await exchange(bytes(), impatient))).toEqual([408, 'timeout', true])
  })
})

describe('many', () => {
  it('1,000 requests in one piece get 1,000 answers in their order', async () => {
    const asked = Array.from({ length: 1_000 }, (_, n) =>
      n % 7 === 0 || n % 11 === 0 ? { path: '/docs/errors', status: 200 } : { path: '/v1/nothing', status: 404 },
    )
    const requests = asked.map(({ path }, n) => `GET ${path} HTTP/1.1\r\nhost: x\r\n${n === 999 ? 'connection: close\r\n' : ''}\r\n`)
    const answer = await exchange(requests.join(''))
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))).toEqual(asked.map(({ status }) => status))
  })

  it('a client that has said all and closes its side still gets its answer', async () => {
    const socket = open()
    socket.end(`GET /v1/echo/hello HTTP/1.1\r\n${keyed}\r\n`)
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toContain('"word":"hello"')
  })

  it('clients that do not read hold no memory beyond their sockets, and others are served', async () => {
    const before = heapBytes()
    const page = Number((await fetch(`${api.url}/openapi.json`)).headers.get('content-length') ?? 500_000)
    const readers = Array.from({ length: 50 }, () => open())
    for (const socket of readers) {
      socket.pause()
      socket.on('error', () => socket.destroy())
      socket.write(`GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(20))
    }
    // The page is one text for all clients: an answer is a reference to it until the socket takes it.
    expect((await api.ask('/v1/echo/hello')).status).toBe(200)
    expect(heapBytes() - before).toBeLessThan(50 * 20 * page * 0.1)
    for (const socket of readers) socket.destroy()
    expect((await api.ask('/v1/echo/hello')).status).toBe(200)
  })

  it('random bytes, also within a request, never stop the server or get anything but an answer in HTTP', async () => {
    // Much of it does not come to its end, and this server answers it soon.
    const own = `host: x\r\nx-service-api-key: ${impatient.key}\r\nconnection: close\r\n\r\n`
    const mixed = (start: string, bytes: Uint8Array, end = ''): Uint8Array => Buffer.concat([Buffer.from(start), bytes, Buffer.from(end)])
    const requests = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(`GET /v1/echo/${text} HTTP/1.1\r\n${own}`)),
      fc.uint8Array({ maxLength: 500 }).map((bytes) => mixed('GET /v1/echo/hello HTTP/1.1\r\nx-a: ', bytes, `\r\n${own}`)),
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => mixed(post(`content-length: ${bytes.length}\r\n`, ''), bytes)),
    )
    const answered = async (bytes: Uint8Array): Promise<void> => {
      const answer = await exchange(bytes, impatient)
      expect(answer).toMatch(/^HTTP\/1\.1 /)
      for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d+) /g)) expect(Number(status)).toBeLessThan(500)
    }
    const send = async (seed: number): Promise<void> => {
      for (const part of chunks(fc.sample(requests, { numRuns: 200, seed }), 40)) await Promise.all(part.map(answered))
    }
    // The first ones fill caches and load what makes the rest.
    await send(1)
    const before = heapBytes()
    await send(2)
    await send(3)
    expect((await impatient.ask('/v1/echo/hello')).status).toBe(200)
    expect(heapBytes() - before).toBeLessThan(16 * 1024 ** 2)
  })
})

function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let n = 0; n < all.length; n += size) yield all.slice(n, n + size)
}

/** Of this process, the server's, after a collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
