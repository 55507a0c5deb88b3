// The MCP server of one client: it lists the tools and calls them with the client's key.

import { setImmediate } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { isApiError, type OrreryClient, type RequestOptions } from '@orrery/client'
import type { Logger } from '@orrery/service-kit'
import type { Arguments, Tool, Tools } from './tool.ts'
import { answered, refusalOf, refused } from './tool-result.ts'

const INSTRUCTIONS = `Data on DeFi positions of the Stellar network, as of the ledger in meta.last_indexed_ledger of each answer.
Amounts, prices and rates are decimal strings: compute with decimals, not with floating point. enrichment names the assets and contracts of data.
meta.warnings lists what is missing; null means unknown, not zero. The next page of a list is asked for with data.next_cursor as cursor.`

export interface ToolServerOptions {
  readonly url: string
  readonly version: string
  readonly tools: Tools
  readonly client: OrreryClient
  readonly logger: Logger
  /** Called after a request was cancelled, which then gets no response. */
  readonly onCancelled?: (id: RequestId) => void
}

export interface ToolServer {
  readonly mcp: McpServer
  /** Resolves when every message that was read has been answered. */
  readonly idle: () => Promise<void>
}

/** Not connected yet. */
export function createToolServer(options: ToolServerOptions): ToolServer {
  const { version, tools, logger } = options
  const mcp = new McpServer({ name: 'orrery', title: 'Orrery', version }, { instructions: INSTRUCTIONS })
  mcp.server.registerCapabilities({ tools: { listChanged: false } })
  const running = new Set<Promise<unknown>>()
  mcp.server.onerror = (error) => logger.warn({ err: error }, 'A message of the MCP client was refused, or could not be answered')
  // `registerTool` takes zod schemas alone, and these are the JSON Schemas of the OpenAPI document.
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.byName.values()].map(({ declaration }) => declaration) }))
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, requestId }) => {
    const tool = tools.byName.get(params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    signal.addEventListener('abort', () => options.onCancelled?.(requestId), { once: true })
    const call = callTool(tool, params.arguments ?? {}, { signal }, options)
    running.add(call)
    return call.finally(() => running.delete(call))
  })
  return { mcp, idle: () => untilIdle(running) }
}

async function untilIdle(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  await setImmediate() // a message that was read has reached its handler
  while (running.size > 0) {
    await Promise.allSettled(running)
    await setImmediate() // the answer has reached the transport
  }
}

async function callTool(tool: Tool, given: Arguments, request: RequestOptions, options: ToolServerOptions): Promise<CallToolResult> {
  const { url, client, logger } = options
  const problem = tool.problemWith(given)
  if (problem !== null) return refused('invalid_parameter', problem, new URL('/docs/errors/invalid_parameter', url).href)
  try {
    return answered(await tool.call(client, given, request))
  } catch (error) {
    request.signal?.throwIfAborted()
    const refusal = refusalOf(error)
    const isOfCaller = isApiError(error) && error.status < 500
    if (!isOfCaller) logger.warn({ err: error, tool: tool.declaration.name }, 'A tool got no answer from the API')
    if (refusal === null) throw error
    return refusal
  }
}
