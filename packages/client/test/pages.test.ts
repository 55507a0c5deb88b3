import { describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import { ScriptedServer } from './scripted-server.ts'

const page = (ids: readonly string[], next_cursor: string | null) => ({
  body: { data: { pools: ids.map((pool_id) => ({ pool_id })), next_cursor }, enrichment: {}, meta: {} },
})
const THREE = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]

describe('pages of the client', () => {
  it('iteration gives every item of every page in order, and passes each cursor on', async () => {
    await using server = await ScriptedServer.of(...THREE)
    const ids: string[] = []
    for await (const pool of createClient({ baseUrl: server.url }).pools.list({ limit: 2, sort: 'apy' })) ids.push(pool.pool_id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/v1/pools?limit=2&sort=apy',
      '/v1/pools?limit=2&sort=apy&cursor=c1',
      '/v1/pools?limit=2&sort=apy&cursor=c2',
    ])
  })

  it('nothing is requested before it is read, and no more pages than needed', async () => {
    await using server = await ScriptedServer.of(...THREE)
    const pools = createClient({ baseUrl: server.url }).pools.list()
    expect(server.asked).toHaveLength(0)
    expect(await pools.take(0)).toEqual([])
    expect(server.asked).toHaveLength(0)
    expect(await pools.take(2)).toEqual([{ pool_id: 'a' }, { pool_id: 'b' }])
    expect(server.asked).toHaveLength(1)
  })

  it('the first page has its envelope and its cursor, and a query may begin at a cursor', async () => {
    await using server = await ScriptedServer.of(page(['z'], null))
    const { data } = await createClient({ baseUrl: server.url }).pools.list({ cursor: 'given' }).first()
    expect(data).toEqual({ pools: [{ pool_id: 'z' }], next_cursor: null })
    expect(server.asked[0]?.url).toBe('/v1/pools?cursor=given')
  })

  it('an error of a later page is thrown by the iteration, after the items before it', async () => {
    const refusal = { status: 400, body: { error: { code: 'invalid_cursor', message: 'No.', docs: '' } } }
    await using server = await ScriptedServer.of(page(['a'], 'c1'), refusal)
    const ids: string[] = []
    const read = async () => {
      for await (const { pool_id } of createClient({ baseUrl: server.url }).pools.list()) ids.push(pool_id)
    }
    await expect(read()).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect(ids).toEqual(['a'])
  })
})
