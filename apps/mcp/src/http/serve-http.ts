// MCP over Streamable HTTP, on a port of 127.0.0.1.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, type Logger, listen } from '@orrery/service-kit'
import { loadTools } from '../load-tools.ts'
import { untilAborted } from '../until-aborted.ts'
import { callerKeyOf } from './caller-key.ts'
import { foreignHeaderOf } from './foreign-header.ts'
import { Sessions } from './sessions.ts'

const PATH = '/mcp'
const DRAIN_MS = 1_000

export interface HttpOptions {
  /** Of the API, without `/v1`. */
  readonly url: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Of this build. */
  readonly version: string
  readonly logger: Logger
  readonly stop: AbortSignal
  /** With the address for clients, once the port is open. */
  readonly onReady: (address: string) => void
}

/** Resolves when it is stopped. @throws the errors of `loadTools` and `listen`. */
export async function serveHttp({ url, port, version, logger, stop, onReady }: HttpOptions): Promise<void> {
  const tools = await loadTools(url, logger, stop)
  const sessions = new Sessions({ url, version, tools, logger })
  const server = createServer((request, response) => {
    answer(request, response, sessions).catch((error: unknown) => {
      logger.error({ err: error }, 'A request failed')
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'The MCP server of Orrery failed. Its log on stderr has the reason.')
    })
  })
  const address = await listen(server, { port, host: '127.0.0.1', option: '--http-port or ORRERY_HTTP_PORT' })
  if (!stop.aborted) onReady(`${address}${PATH}`)
  await untilAborted(stop)
  sessions.close()
  await drain(server, DRAIN_MS)
}

async function answer(request: IncomingMessage, response: ServerResponse, sessions: Sessions): Promise<void> {
  const foreign = foreignHeaderOf(request.headers)
  if (foreign !== null) return refuse(response, 403, `The header ${foreign} names another machine. Use 127.0.0.1 or localhost.`)
  if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `The MCP server of Orrery is at ${PATH}.`)
  const key = callerKeyOf(request.headers)
  if (key === null) {
    response.setHeader('www-authenticate', 'Bearer')
    return refuse(response, 401, 'Send an API key of Orrery: Authorization: Bearer KEY.')
  }
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') {
    const session = sessions.find(id, key)
    // A client begins another session after a 404.
    if (session === null) return refuse(response, 404, 'There is no such session of this key.')
    return session.transport.handleRequest(request, response)
  }
  const session = await sessions.begin(key)
  try {
    await session.transport.handleRequest(request, response)
  } finally {
    if (session.transport.sessionId === undefined) await session.close()
  }
}

/** As an error of JSON-RPC that belongs to no request. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}
