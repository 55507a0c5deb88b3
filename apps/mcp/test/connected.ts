// A client of the SDK connected to the tool server in the same process.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { loadTools } from '../src/load-tools.ts'
import { openApiClient } from '../src/open-api-client.ts'
import { createToolServer } from '../src/tool-server.ts'
import type { FakeApi } from './fake-api.ts'
import { logLines } from './log-lines.ts'

export const KEY = 'ory_test'

export interface Connected extends AsyncDisposable {
  readonly client: Client
  readonly logged: readonly string[]
}

export async function connect({ url }: FakeApi): Promise<Connected> {
  const { logger, lines } = logLines()
  const tools = await loadTools(url, logger, new AbortController().signal)
  const { mcp } = createToolServer({ url, version: '0.0.0', tools, client: openApiClient(url, KEY), logger })
  const [ofServer, ofClient] = InMemoryTransport.createLinkedPair()
  await mcp.connect(ofServer)
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(ofClient)
  return { client, logged: lines, [Symbol.asyncDispose]: () => client.close() }
}

/** The text of the first part of an answer or a refusal. */
export function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [part] = result.content as readonly { readonly type: string; readonly text?: string }[]
  return part?.text ?? ''
}
