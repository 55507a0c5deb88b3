// MCP over stdin and stdout: the client starts this process, and ends it by closing stdin.

import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Logger } from '@orrery/service-kit'
import { loadTools } from './load-tools.ts'
import { openApiClient } from './open-api-client.ts'
import { createToolServer } from './tool-server.ts'
import { untilAborted } from './until-aborted.ts'

export interface StdioOptions {
  /** Of the API, without `/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Of this build. */
  readonly version: string
  readonly stdin: Readable
  /** Only messages of the protocol are written to it. */
  readonly stdout: Writable
  readonly logger: Logger
  readonly stop: AbortSignal
}

/** Resolves when stdin has ended and every call was answered, or when it is stopped. @throws the errors of `loadTools`. */
export async function serveStdio({ url, apiKey, version, stdin, stdout, logger, stop }: StdioOptions): Promise<void> {
  const tools = await loadTools(url, logger, stop)
  const { mcp, idle } = createToolServer({ url, version, tools, client: openApiClient(url, apiKey), logger })
  const closed = Promise.withResolvers<void>()
  mcp.server.onclose = closed.resolve
  await mcp.connect(new StdioServerTransport(stdin, stdout))
  logger.info({ url, tools: tools.byName.size }, 'Serving tools over stdin and stdout')
  const ended = finished(stdin, { writable: false }).catch((error: unknown) => logger.warn({ err: error }, 'stdin failed'))
  await Promise.race([closed.promise, untilAborted(stop), ended.then(idle)])
  await mcp.close()
}
