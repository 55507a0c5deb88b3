// Every tool of `orrery mcp` on the demo network, called by the client of the SDK as a desktop client does.

import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { EXAMPLES, exampleTarget } from '@orrery/api'
import { isShippedRecording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { operationsOf } from './examples/ask-example.ts'
import { asShown } from './examples/volatile.ts'
import type { Whereabouts } from './global-setup.ts'
import { askData } from './indexed-network.ts'
import { Orrery } from './orrery.ts'
import { fetchText } from './truth/whole-network.ts'

const BIN = fileURLToPath(new URL('../bin/orrery.mjs', import.meta.url))

let at: Whereabouts
let client: Client
let tools: ReadonlyMap<string, Tool>

beforeAll(async () => {
  at = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
  client = new Client({ name: 'test', version: '0.0.0' })
  const args = [BIN, 'mcp', '--url', at.url]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ORRERY_API_KEY: at.apiKey } }))
  // Having read the list, the client refuses an answer that does not match the output schema of its tool.
  tools = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]))
}, 900_000)
afterAll(() => client.close())

/** `get_pool` -> `getPool`. */
const operationOf = (tool: string): string => tool.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The request of the example of its operation, with the types of the tool. */
function exampleArguments({ name, inputSchema }: Tool): Record<string, unknown> {
  const { path = {}, query = {} } = EXAMPLES.get(operationOf(name))?.request ?? {}
  const given = Object.entries({ ...path, ...query }).map(([parameter, text]) => {
    const { type } = (inputSchema.properties?.[parameter] ?? {}) as { readonly type?: string }
    return [parameter, type === 'integer' ? Number(text) : text]
  })
  return Object.fromEntries(given)
}

describe.runIf(isShippedRecording)('orrery mcp on the demo network', () => {
  it('the structured answer of every tool is what /v1 answers, and its text is the same', async () => {
    const operations = await operationsOf(at.url)
    expect(tools.size).toBe(17)
    for (const tool of tools.values()) {
      const id = operationOf(tool.name)
      const operation = operations.find(({ operationId }) => operationId === id)
      const example = EXAMPLES.get(id)
      if (operation === undefined || example === undefined) throw new Error(`${id} has no example`)
      const result = await client.callTool({ name: tool.name, arguments: exampleArguments(tool) })
      const answer = await askData(at, exampleTarget(operation.path, example.request))
      expect([tool.name, asShown(id, result.structuredContent)]).toEqual([tool.name, asShown(id, answer)])
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
    }
  })

  it('every argument of a tool has the example of its parameter', () => {
    const lacking = [...tools.values()].flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([argument, schema]) => ('examples' in schema ? [] : [`${name}: ${argument}`])),
    )
    expect(lacking).toEqual([])
  })

  it('the pages of a tool are those of /v1: the cursor of a page gives the next one', async () => {
    const given = exampleArguments(tools.get('list_actions') as Tool)
    const first = await client.callTool({ name: 'list_actions', arguments: { ...given, limit: 2 } })
    const { data } = first.structuredContent as { readonly data: { readonly next_cursor: string; readonly actions: readonly unknown[] } }
    const next = await client.callTool({ name: 'list_actions', arguments: { ...given, limit: 2, cursor: data.next_cursor } })
    const both = await askData(at, `/v1/users/${String(given.address)}/actions?limit=4`)
    const { data: following } = next.structuredContent as { readonly data: { readonly actions: readonly unknown[] } }
    expect([...data.actions, ...following.actions]).toEqual(both.data.actions)
  })

  it('a refusal of /v1 is a tool error with its code and the page of the code', async () => {
    const result = await client.callTool({ name: 'get_transaction', arguments: { hash: '0'.repeat(64) } })
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^not_found: /) }] })
    expect(JSON.stringify(result.content)).toContain(`Documentation: ${at.url}/docs/errors/not_found`)
  })

  it('over HTTP a caller is served with its own key, and a wrong one is refused by the API', async () => {
    await using run = new Orrery(['mcp', '--url', at.url, '--http-port', '0', '--json'], { ORRERY_API_KEY: at.apiKey })
    const { url } = await run.result<{ readonly url: string }>()
    expect(run.stderr).toContain('ORRERY_API_KEY is not used over HTTP')
    const call = async (key: string) => {
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } })
      const caller = new Client({ name: 'test', version: '0.0.0' })
      await caller.connect(transport as Transport)
      const result = await caller.callTool({ name: 'list_protocols', arguments: {} })
      await caller.close()
      return result
    }
    const answer = await askData(at, '/v1/protocols')
    expect(asShown('listProtocols', (await call(at.apiKey)).structuredContent)).toEqual(asShown('listProtocols', answer))
    expect(await call('ory_wrong')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^unauthorized: /) }],
    })
  })
})
