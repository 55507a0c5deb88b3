import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationOf } from '../src/operation.ts'
import { TOOL_OPERATIONS } from '../src/tool-operations.ts'
import { type Connected, connect, KEY, textOf } from './connected.ts'
import { ANSWER, FakeApi, RELEASED } from './fake-api.ts'

const ADDRESS = `G${'A'.repeat(55)}`
const POOL = `C${'A'.repeat(55)}`
const ASSET = `C${'B'.repeat(55)}`

let api: FakeApi
let connected: Connected
beforeAll(async () => {
  api = await FakeApi.start()
  connected = await connect(api)
})
afterAll(async () => {
  await connected[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

describe('the tools', () => {
  it('every tool has the title, description and parameters of its operation, and none that the API reserves for later', async () => {
    const { tools } = await connected.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [
        ...['find_ledger', 'get_activity_series', 'get_asset_prices', 'get_net_worth_history', 'get_pool', 'get_pool_history'],
        ...['get_portfolio', 'get_portfolios', 'get_prices', 'get_reserves', 'get_transaction', 'get_tvl', 'list_actions'],
        ...['list_assets', 'list_pools', 'list_protocol_accounts', 'list_protocols'],
      ].sort(),
    )
    for (const id of Object.keys(TOOL_OPERATIONS)) {
      const operation = operationOf(RELEASED, id)
      const tool = tools.find(({ title }) => title === operation?.summary)
      const wanted = operation?.parameters.filter(({ description }) => !description.startsWith('Reserved')) ?? []
      expect(tool).toMatchObject({ description: operation?.description, annotations: { readOnlyHint: true } })
      expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(wanted.map(({ name }) => name))
      expect(tool?.inputSchema.required).toEqual(wanted.flatMap(({ name, required }) => (required ? [name] : [])))
      for (const { name, schema, description } of wanted)
        expect(tool?.inputSchema.properties?.[name]).toMatchObject({ ...schema, description })
    }
  })

  it('the page on the tools lists each of them, and no other', async () => {
    const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/`((?:get|list|find)_\w+)`/g)].map((match) => match[1])
    const { tools } = await connected.client.listTools()
    expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort())
  })

  it('the output schema of every tool stands alone and describes the envelope of /v1', async () => {
    const { tools } = await connected.client.listTools()
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema?.type, outputSchema?.required]).toEqual([name, 'object', ['data', 'enrichment', 'meta']])
      const text = JSON.stringify(outputSchema)
      const referred = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]))
      const defined = Object.keys((outputSchema?.$defs ?? {}) as object).map((definition) => `#/$defs/${definition}`)
      expect([...referred].filter((to) => !defined.includes(to ?? ''))).toEqual([])
      expect(defined.length).toBeGreaterThan(0)
    }
  })

  it.each([
    ['get_portfolio', { address: ADDRESS }, `/v1/users/${ADDRESS}/positions`],
    ['get_portfolios', { addresses: `${ADDRESS},${POOL}`, as_of_ledger: 7 }, `/v1/positions?as_of_ledger=7&addresses=${ADDRESS},${POOL}`],
    ['get_net_worth_history', { address: ADDRESS, range: '30d' }, `/v1/users/${ADDRESS}/history?range=30d`],
    [
      'list_actions',
      { address: ADDRESS, activity_type: 'swap,deposit', limit: 5, cursor: 'abc' },
      `/v1/users/${ADDRESS}/actions?limit=5&cursor=abc&activity_type=swap,deposit`,
    ],
    ['get_activity_series', { address: ADDRESS, protocol: 'blend' }, `/v1/users/${ADDRESS}/activities/series?protocol=blend`],
    ['get_transaction', { hash: 'a'.repeat(64), address: ADDRESS }, `/v1/transactions/${'a'.repeat(64)}?address=${ADDRESS}`],
    ['list_protocols', {}, '/v1/protocols'],
    ['get_tvl', { id: 'soroswap', from: '2026-10-01T00:00:00Z' }, '/v1/protocols/soroswap/tvl?from=2026-10-01T00:00:00Z'],
    ['get_reserves', { id: 'blend', as_of_ledger: 7 }, '/v1/protocols/blend/reserves?as_of_ledger=7'],
    [
      'list_protocol_accounts',
      { id: 'blend', sort: 'health_factor', health_factor_below: '1.05' },
      '/v1/protocols/blend/accounts?sort=health_factor&health_factor_below=1.05',
    ],
    ['list_pools', { sort: 'volume' }, '/v1/pools?sort=volume'],
    ['get_pool', { pool_id: POOL }, `/v1/pools/${POOL}`],
    ['get_pool_history', { pool_id: POOL, range: '7d' }, `/v1/pools/${POOL}/history?range=7d`],
    ['list_assets', { limit: 10 }, '/v1/assets?limit=10'],
    ['get_prices', { assets: `${ASSET},${POOL}`, as_of_ledger: 7 }, `/v1/prices?as_of_ledger=7&assets=${ASSET},${POOL}`],
    ['get_asset_prices', { id: POOL, range: '7d' }, `/v1/assets/${POOL}/prices?range=7d`],
    ['find_ledger', { at: '2026-10-01T00:00:00Z' }, '/v1/ledgers?at=2026-10-01T00:00:00Z'],
  ])('%s with %j requests %s with the key', async (name, given, path) => {
    // A client that has not read the list of tools does not check answers, so that one answer does for all.
    await using unchecked = await connect(api)
    const before = api.asked.length
    const result = await unchecked.client.callTool({ name, arguments: given })
    const [request, ...others] = api.asked.slice(before)
    expect([decodeURIComponent(request?.url ?? ''), request?.headers['x-service-api-key']]).toEqual([path, KEY])
    expect([result.structuredContent, JSON.parse(textOf(result)), others]).toEqual([ANSWER, ANSWER, []])
  })

  it.each([
    ['get_portfolio', {}, "must have required property 'address'"],
    ['get_portfolio', { address: 'alice' }, 'data/address must match pattern'],
    ['get_portfolio', { address: ADDRESS, as_of_ledger: 7 }, 'There is no argument as_of_ledger. The arguments are address.'],
    ['list_pools', { limit: '10' }, 'data/limit must be integer'],
    ['list_pools', { sort: 'beauty' }, 'data/sort must be equal to one of the allowed values'],
  ])('%s refuses the arguments %j without a request', async (name, given, reason) => {
    const before = api.asked.length
    const result = await connected.client.callTool({ name, arguments: given })
    expect([result.isError, result.structuredContent, api.asked.length]).toEqual([true, undefined, before])
    expect(textOf(result)).toMatch(/^invalid_parameter: /)
    expect(textOf(result)).toContain(reason)
    expect(textOf(result)).toContain(`${api.url}/docs/errors/invalid_parameter`)
  })

  it('a tool that does not exist is an error of the protocol', async () => {
    await expect(connected.client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no tool delete_everything'),
    })
  })
})
