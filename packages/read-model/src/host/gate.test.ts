import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient } from '@clickhouse/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { basic, runStatement, send } from '../testing/send-statement.ts'
import { withClickHouse } from '../testing/with-clickhouse.ts'
import { SECRET_HEADER } from './credentials.ts'
import { type Gate, openGate } from './gate.ts'

const PASSWORD = 'a:b c&d=e+f%'
const clickhouse = withClickHouse()
let gate: Gate

beforeAll(async () => {
  const secret = clickhouse.engine.address('analyst').headers?.[SECRET_HEADER] ?? ''
  gate = await openGate({ engineUrl: clickhouse.host.url, accounts: [{ user: 'analyst', password: PASSWORD, secret }] })
})
afterAll(() => gate.stop())

const WHO = 'SELECT currentUser()'
const parameters = (user: string, password: string): string => new URLSearchParams({ user, password }).toString()

describe('the address for analysts', () => {
  it('the address for analysts takes the three kinds of credentials that tools send, and forwards the statement as the analyst', async () => {
    expect((await send(gate.url, WHO, basic('analyst', PASSWORD))).body).toBe('analyst\n')
    expect((await send(gate.url, WHO, { 'x-clickhouse-user': 'analyst', 'x-clickhouse-key': PASSWORD })).body).toBe('analyst\n')
    expect((await send(`${gate.url}/?${parameters('analyst', PASSWORD)}`, WHO)).body).toBe('analyst\n')
    const get = await fetch(`${gate.url}/?query=${encodeURIComponent(WHO)}&${parameters('analyst', PASSWORD)}`)
    expect([get.status, await get.text(), get.headers.get('x-clickhouse-format')]).toEqual([200, 'analyst\n', 'TSV'])
  })

  it('the address for analysts refuses wrong credentials as ClickHouse does, whatever else the request names', async () => {
    const FAILED = [403, 'Code: 516.', '516', null]
    const REQUIRED = [401, 'Code: 194.', '194', 'Basic realm="ClickHouse server HTTP API"']
    const answerTo = async (path: string, headers: Record<string, string>) => {
      const it = await send(`${gate.url}/${path}`, WHO, headers)
      return [it.status, it.body.slice(0, 10), it.headers.get('x-clickhouse-exception-code'), it.headers.get('www-authenticate')]
    }
    expect(await answerTo('', {})).toEqual(REQUIRED)
    expect(await answerTo('', basic('analyst', `${PASSWORD}x`))).toEqual(FAILED)
    expect(await answerTo('', basic('analyst', ''))).toEqual(FAILED)
    expect(await answerTo('', basic('admin', PASSWORD))).toEqual(FAILED)
    expect(await answerTo('', basic('default', ''))).toEqual(FAILED)
    expect(await answerTo('?user=default', {})).toEqual(FAILED)
    expect(await answerTo('', { 'x-clickhouse-user': 'default' })).toEqual(FAILED)
    expect(await answerTo('', { authorization: `Bearer ${PASSWORD}` })).toEqual(FAILED)
    expect(await answerTo('', { authorization: 'Basic' })).toEqual(FAILED)
    expect(await answerTo('?user=default&password=', basic('analyst', PASSWORD))).toEqual(FAILED)
    expect(await answerTo(`?${parameters('analyst', PASSWORD)}`, { 'x-clickhouse-user': 'default' })).toEqual(FAILED)
  })

  it('the address for analysts serves the usual client, with parameters, an insert that is refused, and a ping', async () => {
    const { name } = await clickhouse.database()
    await using client = createClient({
      url: gate.url,
      username: 'analyst',
      password: PASSWORD,
      compression: { request: true, response: true },
    })
    expect(await client.ping()).toEqual({ success: true })
    expect(await client.ping({ select: true })).toMatchObject({ success: true })
    const query = 'SELECT {text:String} AS text, {list:Array(UInt64)} AS list'
    const rows = await client.query({ query, query_params: { text: "it's\n+%&", list: [1, 2] }, format: 'JSONEachRow' })
    expect(await rows.json()).toEqual([{ text: "it's\n+%&", list: ['1', '2'] }])
    const lists = Array.from({ length: 20_000 }, (_, n) => n)
    const long = await client.query({ query, query_params: { text: '', list: lists }, format: 'JSONEachRow', use_multipart_params: true })
    expect(await long.json<{ list: string[] }>()).toMatchObject([{ list: { length: 20_000 } }])
    await expect(client.insert({ table: `${name}.ledgers_v1`, values: [{ ledger: 1 }], format: 'JSONEachRow' })).rejects.toMatchObject({
      code: '497',
    })
  })

  it('the address for analysts streams an answer while it is made, and ends the statement when the client goes away', async () => {
    const endless =
      'SELECT number, sleepEachRow(0.01) FROM numbers(100000) SETTINGS max_block_size = 10, output_format_parallel_formatting = 0, function_sleep_max_microseconds_per_block = 0'
    const going = request(`${gate.url}/?query_id=endless&wait_end_of_query=0`, { method: 'POST', headers: basic('analyst', PASSWORD) })
    going.end(endless)
    const [response] = (await once(going, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    const [first] = await once(response, 'data')
    expect(String(first)).toMatch(/^0\t0\n/)
    const count = async () =>
      String(await runStatement(clickhouse.engine, 'admin', "SELECT count() FROM system.processes WHERE query_id = 'endless'"))
    expect(await count()).toBe('1')
    going.destroy()
    await expect.poll(count).toBe('0')
  })

  it('the address for analysts passes a body on while it arrives', async () => {
    const sending = request(gate.url, { method: 'POST', headers: { ...basic('analyst', PASSWORD), 'transfer-encoding': 'chunked' } })
    for (const part of ['SELECT', " length('", 'x'.repeat(100_000), "') SETTINGS max_query_size = 1000000"]) sending.write(part)
    sending.end()
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    expect(await text(response)).toBe('100000\n')
  })

  it('the address for analysts answers no page of another origin, and no preflight', async () => {
    const headers = basic('analyst', PASSWORD)
    for (const origin of ['https://evil.example', 'null']) {
      const asked = await send(`${gate.url}/?add_http_cors_header=1`, WHO, { ...headers, origin })
      expect([asked.status, asked.headers.get('access-control-allow-origin')], origin).toEqual([403, null])
    }
    const preflight = await fetch(gate.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([preflight.status, [...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([403, []])
    expect((await send(gate.url, WHO, { ...headers, origin: gate.url })).body).toBe('analyst\n')
  })

  it('the address for analysts answers no request of a page on another origin, and none that names another host, and its answers are not to be sniffed', async () => {
    const { hostname, port } = new URL(gate.url)
    const credentials = basic('analyst', PASSWORD)
    const statusOf = async (headers: Record<string, string>): Promise<number | undefined> => {
      const path = `/?query=${encodeURIComponent(WHO)}`
      const going = request({ hostname, port, path, headers: { ...credentials, connection: 'close', ...headers } }).end()
      const [response] = (await once(going, 'response')) as [IncomingMessage]
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      await text(response)
      return response.statusCode
    }
    for (const site of ['cross-site', 'same-site', 'anything']) expect(await statusOf({ 'sec-fetch-site': site }), site).toBe(403)
    for (const site of ['same-origin', 'none']) expect(await statusOf({ 'sec-fetch-site': site }), site).toBe(200)
    const rebound = `evil.example:${port}`
    for (const host of [rebound, 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect(await statusOf({ host }), host).toBe(403)
    expect(await statusOf({ host: rebound, origin: `http://${rebound}` })).toBe(403)
    const forwarded = `127.0.0.1:${Number(port) + 1}` // by a tunnel from another local port
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`, '127.0.0.1', forwarded])
      expect(await statusOf({ host }), host).toBe(200)
    expect(await statusOf({ host: forwarded, origin: gate.url })).toBe(403)
  })

  it('the address for analysts ignores an expectation that it does not know', async () => {
    const answer = request(gate.url, { method: 'POST', headers: { ...basic('analyst', PASSWORD), expect: 'something else' } }).end(WHO)
    const [response] = (await once(answer, 'response')) as [IncomingMessage]
    expect([response.statusCode, await text(response)]).toEqual([200, 'analyst\n'])
  })

  it('the address for analysts closes sockets that send no request, and those that do not end their headers', async () => {
    const timeouts = { headersTimeout: 100, connectionsCheckingInterval: 20 }
    await using hasty = await openGate({ engineUrl: clickhouse.host.url, accounts: [], timeouts })
    const { hostname, port } = new URL(hasty.url)
    for (const begun of ['', 'GET / HTTP/1.1\r\nhost: x\r\n']) {
      const socket = connect(Number(port), hostname)
      socket.write(begun)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
    }
  })

  it('the address for analysts does not accept a secret as a password', async () => {
    const secret = clickhouse.engine.address('admin').headers?.[SECRET_HEADER] ?? ''
    expect((await send(gate.url, WHO, { [SECRET_HEADER]: secret })).status).toBe(401)
    expect((await send(gate.url, WHO, { ...basic('analyst', PASSWORD), [SECRET_HEADER]: secret })).body).toBe('analyst\n')
  })

  it('the address for analysts knows two paths', async () => {
    expect((await send(`${gate.url}/play`, WHO, basic('analyst', PASSWORD))).status).toBe(404)
    expect((await send(`${gate.url}/ping`, '')).body).toBe('Ok.\n')
  })
})

describe('the request to the engine', () => {
  let engine: Server | undefined
  afterEach(() => engine?.close())

  /** An engine that keeps the requests that it gets. */
  async function recorder(): Promise<{ gate: Gate; received: { path: string; headers: IncomingMessage['headers']; body: string }[] }> {
    const received: { path: string; headers: IncomingMessage['headers']; body: string }[] = []
    engine = createServer(async (incoming, outgoing) => {
      received.push({ path: incoming.url ?? '', headers: incoming.headers, body: await text(incoming) })
      outgoing.writeHead(200, { 'access-control-allow-origin': '*', 'x-clickhouse-query-id': 'q' }).end('1\n')
    }).listen(0, '127.0.0.1')
    await once(engine, 'listening')
    const engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
    return { gate: await openGate({ engineUrl, accounts: [{ user: 'analyst', password: 'right', secret: 'of the analyst' }] }), received }
  }

  it('the request to the engine has no credential in it, the rest byte for byte, and the answer has no header of CORS', async () => {
    const { gate, received } = await recorder()
    const search = '?database=orrery&user=analyst&%75ser=analyst&query=SELECT%20%27%FF%27+1&password=right&quota_key=k&param_a=%2B'
    const answer = await send(`${gate.url}/${search}`, 'body')
    expect(answer.body).toBe('1\n')
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('x-clickhouse-query-id')]).toEqual([null, 'q'])
    await send(gate.url, '', { ...basic('analyst', 'right'), 'x-clickhouse-quota': 'k', 'x-clickhouse-database': 'orrery' })
    await gate.stop()
    expect(received.map(({ path }) => path)).toEqual(['/?database=orrery&query=SELECT%20%27%FF%27+1&param_a=%2B', '/'])
    expect(received[0]?.body).toBe('body')
    for (const { headers } of received) {
      expect(headers[SECRET_HEADER]).toBe('of the analyst')
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']))
      expect(Object.keys(headers).filter((name) => name.startsWith('x-clickhouse') && name !== 'x-clickhouse-database')).toEqual([])
    }
  })

  it('the request to the engine is one request, however a GET frames its body', async () => {
    const { gate, received } = await recorder()
    const { hostname, port } = new URL(gate.url)
    const inner = 'POST /?query=SELECT+2 HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /?query=SELECT+1 HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\nauthorization: ${basic('analyst', 'right').authorization}\r\n` +
        `transfer-encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
    await gate.stop()
    expect(received.map(({ path, body }) => [path, body])).toEqual([['/?query=SELECT+1', inner]])
  })

  it('the request to the engine is nothing when the engine has ended, and the client gets that error', async () => {
    const { gate } = await recorder()
    engine?.close()
    const answer = await send(gate.url, WHO, basic('analyst', 'right'))
    expect([answer.status, answer.body.slice(0, 10)]).toEqual([503, 'Code: 210.'])
    await gate.stop()
  })
})
