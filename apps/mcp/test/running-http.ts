// The server over HTTP, in the process of the test.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { serveHttp } from '../src/index.ts'
import type { FakeApi } from './fake-api.ts'
import { logLines } from './log-lines.ts'

export interface RunningHttp extends AsyncDisposable {
  /** With the path. */
  readonly address: string
  readonly logged: readonly string[]
  readonly stop: () => Promise<void>
}

export async function startHttp({ url }: FakeApi): Promise<RunningHttp> {
  const { logger, lines } = logLines()
  const stop = new AbortController()
  const ready = Promise.withResolvers<string>()
  const served = serveHttp({ url, port: 0, version: '0.0.0', logger, stop: stop.signal, onReady: ready.resolve })
  const address = await Promise.race([ready.promise, served.then(() => Promise.reject(new Error('ended before it was ready')))])
  const end = () => {
    stop.abort()
    return served
  }
  return { address, logged: lines, stop: end, [Symbol.asyncDispose]: end }
}

export interface HttpClient extends AsyncDisposable {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
}

export async function connectHttp(address: string, headers: Readonly<Record<string, string>>): Promise<HttpClient> {
  const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { ...headers } } })
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(transport as Transport)
  return { client, transport, [Symbol.asyncDispose]: () => client.close() }
}
