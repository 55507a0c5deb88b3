import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openReceivers, type ReceiversOptions } from '../src/send-request.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** A server on loopback. `count`: requests so far. */
async function serverOf(
  listener: RequestListener,
): Promise<{ readonly port: number; count: () => number; hosts: () => readonly string[] }> {
  const hosts: string[] = []
  const server = createServer((request, response) => {
    hosts.push(request.headers.host ?? '')
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, count: () => hosts.length, hosts: () => hosts }
}

function receiversOf(options: ReceiversOptions) {
  const receivers = openReceivers({ times: { answer: 300, connect: 300 }, ...options })
  stack.defer(() => receivers.close())
  return (url: string, signal = new AbortController().signal) => receivers.send({ url, headers: { 'webhook-id': 'x' }, body: '{}' }, signal)
}

const found = (...addresses: string[]): NonNullable<ReceiversOptions['lookup']> => {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
}
const NOT_ALLOWED = { is: 'failed', error: 'the address is not allowed: the host must have public addresses only' }

describe('a request to an address that is not public', () => {
  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['fe80::1'],
    ['0.0.0.0'],
    ['100.64.0.1'],
    ['64:ff9b::7f00:1'],
    // One of several is enough.
    ['93.184.215.14', '127.0.0.1'],
    ['2606:4700:4700::1111', '::1'],
    [],
  ])('is not made when the host resolves to %s %s', async (...addresses) => {
    const send = receiversOf({ allowPrivate: false, lookup: found(...addresses.filter((one) => typeof one === 'string')) })
    expect(await send('https://receiver.example/')).toEqual(NOT_ALLOWED)
  })

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'http://93.184.215.14/',
    'https://93.184.215.14:8443/',
    'https://a:b@example.org/',
  ])('is not made to %s, also when it was stored while more was allowed', async (url) => {
    const send = receiversOf({
      allowPrivate: false,
      lookup: () => {
        throw new Error('No name may be resolved.')
      },
    })
    expect(await send(url)).toEqual(NOT_ALLOWED)
  })

  it('is made when it is allowed: to the address that was looked up once, with the name of the host', async () => {
    const server = await serverOf((_, response) => response.writeHead(204).end())
    const asked: string[] = []
    const send = receiversOf({
      allowPrivate: true,
      lookup: (hostname, options, callback) => {
        asked.push(hostname)
        // Another look-up would go to an address where no server listens.
        found(asked.length === 1 ? '127.0.0.1' : '127.0.0.2')(hostname, options, callback)
      },
    })
    expect(await send(`http://receiver.example:${server.port}/hook`)).toEqual({ is: 'answered', status: 204, retryAfterMs: null })
    expect([asked, server.hosts()]).toEqual([['receiver.example'], [`receiver.example:${server.port}`]])
  })
})

describe('an answer', () => {
  it('that redirects is not followed', async () => {
    const target = await serverOf((_, response) => response.end())
    const server = await serverOf((_, response) => response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end())
    const send = receiversOf({ allowPrivate: true })
    expect(await send(`http://127.0.0.1:${server.port}/`)).toMatchObject({ is: 'answered', status: 307 })
    expect([server.count(), target.count()]).toEqual([1, 0])
  })

  it('with an endless or slow body counts by its status, and its connection is closed', async () => {
    let isClosed = 0
    const server = await serverOf((request, response) => {
      response.writeHead(200)
      request.socket.once('close', () => isClosed++)
      if (request.url === '/slow') return void response.write('x')
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const send = receiversOf({ allowPrivate: true, times: { answer: 10_000, connect: 1_000 } })
    for (const path of ['/endless', '/slow']) {
      expect(await send(`http://127.0.0.1:${server.port}${path}`)).toMatchObject({ is: 'answered', status: 200 })
    }
    await expect.poll(() => isClosed).toBe(2)
  })

  it('has the pause that the receiver asks for in seconds', async () => {
    const values = ['120', 'Wed, 21 Oct 2026 07:28:00 GMT', '-1', '1e9']
    const server = await serverOf((_, response) => response.writeHead(503, { 'retry-after': values[server.count() - 1] ?? '' }).end())
    const send = receiversOf({ allowPrivate: true })
    const pauses: unknown[] = []
    for (const _ of values) pauses.push(await send(`http://127.0.0.1:${server.port}/`))
    expect(pauses.map((one) => (one as { retryAfterMs: unknown }).retryAfterMs)).toEqual([120_000, null, null, null])
  })
})

describe('no answer', () => {
  it.each([
    ['the connection was refused', 'http://127.0.0.1:1/'],
    ['the host has no address', 'http://no-such-host.invalid/'],
  ])('is reported as: %s', async (error, url) => {
    const lookup: NonNullable<ReceiversOptions['lookup']> = (_, __, callback) =>
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])
    expect(await receiversOf({ allowPrivate: true, lookup })(url)).toEqual({ is: 'failed', error })
  })

  it('is reported for a connection that is cut, one that is no HTTP, and one without an answer in time', async () => {
    const server = await serverOf((request, response) => {
      if (request.url === '/cut') response.destroy()
    })
    const noise = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve))
    stack.defer(() => void noise.close())
    const send = receiversOf({ allowPrivate: true })
    expect(await send(`http://127.0.0.1:${server.port}/cut`)).toEqual({
      is: 'failed',
      error: 'the connection was closed before an answer came',
    })
    expect(await send(`http://127.0.0.1:${server.port}/silent`)).toEqual({ is: 'failed', error: 'no answer came within 0.3 seconds' })
    expect(await send(`http://127.0.0.1:${(noise.address() as AddressInfo).port}/`)).toMatchObject({ is: 'failed' })
    expect(await send(`https://127.0.0.1:${server.port}/`)).toMatchObject({ is: 'failed' })
  })

  it('is waited for no longer when the process stops', async () => {
    const server = await serverOf(() => undefined)
    const stopping = new AbortController()
    const sent = receiversOf({ allowPrivate: true, times: { answer: 60_000, connect: 1_000 } })(
      `http://127.0.0.1:${server.port}/`,
      stopping.signal,
    )
    await expect.poll(() => server.count()).toBe(1)
    stopping.abort()
    expect(await sent).toEqual({ is: 'aborted' })
  })
})
