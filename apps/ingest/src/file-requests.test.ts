import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { fileRequests } from './file-requests.ts'

const BODY = Buffer.from('0123456789'.repeat(2_000))
const MOST_BYTES = 32 * 1024
const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** The address of a server of one file. */
async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ended.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function read(url: string, mostBytes = MOST_BYTES): Promise<{ readonly status: number; readonly bytes: Uint8Array | null }> {
  const answer = await fileRequests(2)('GET', url, { headers: { authorization: 'Basic bWluZQ==' }, signal: AbortSignal.timeout(10_000) })
  return { status: answer.status, bytes: await answer.bytes(mostBytes) }
}

describe('a request for a file of a lake', () => {
  it('gives the whole body, in memory of its own', async () => {
    const url = await served((_, response) => response.writeHead(200, { 'content-length': BODY.length }).end(BODY))
    const { status, bytes } = await read(url)
    expect(status).toBe(200)
    expect(bytes).toEqual(new Uint8Array(BODY))
    expect(bytes?.buffer.byteLength).toBe(BODY.length)
  })

  it('gives a body whose length is not stated', async () => {
    const url = await served((_, response) => {
      response.write(BODY.subarray(0, 7))
      response.end(BODY.subarray(7))
    })
    expect(Buffer.from((await read(url)).bytes ?? [])).toEqual(BODY)
  })

  it('sends the headers of its endpoint, and its name', async () => {
    const url = await served(({ headers }, response) => response.end(`${headers.authorization} ${headers['user-agent']}`))
    expect(Buffer.from((await read(url)).bytes ?? []).toString()).toBe('Basic bWluZQ== orrery')
  })

  it('follows a redirect to another server, which gets no credentials', async () => {
    const target = await served((request, response) => response.end(`${request.url} ${request.headers.authorization}`))
    const url = await served((_, response) => response.writeHead(302, { location: `${target}/moved` }).end())
    expect(Buffer.from((await read(url)).bytes ?? []).toString()).toBe('/moved undefined')
  })

  it('unpacks a body that the server has encoded', async () => {
    const url = await served((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(BODY)))
    expect(Buffer.from((await read(url)).bytes ?? [])).toEqual(BODY)
  })

  it.each([
    ['a length beyond the bound', { 'content-length': String(BODY.length) }],
    ['no length', {}],
  ])('reads no body of more than the bound: %s', async (_, headers) => {
    const url = await served((_, response) => response.writeHead(200, headers).end(BODY))
    expect((await read(url, BODY.length - 1)).bytes).toBeNull()
    expect(Buffer.from((await read(url, BODY.length)).bytes ?? [])).toEqual(BODY)
  })

  it('rejects where the connection breaks off inside the body', async () => {
    const url = await served((_, response) => {
      response.writeHead(200, { 'content-length': BODY.length })
      response.write(BODY.subarray(0, 100), () => response.destroy())
    })
    await expect(read(url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  })

  it('asks for the head of a file alone, also of an encoded one', async () => {
    const methods: (string | undefined)[] = []
    const url = await served((request, response) => {
      methods.push(request.method)
      response.writeHead(404, { 'content-encoding': 'gzip' }).end()
    })
    const { status, ok } = await fileRequests(1)('HEAD', url, { headers: {}, signal: AbortSignal.timeout(10_000) })
    expect({ status, ok, methods }).toEqual({ status: 404, ok: false, methods: ['HEAD'] })
  })
})
