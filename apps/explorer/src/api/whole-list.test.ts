import { createClient } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { allAssets, allPools } from './whole-list.ts'

/** A client of an API whose lists have as many pages, each with one item: the number of the page. */
const clientOf = (pages: number, asked: string[]) =>
  createClient({
    baseUrl: 'http://localhost',
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      asked.push(`${pathname} ${searchParams.get('cursor')}`)
      const page = Number(searchParams.get('cursor') ?? 1)
      const data = { assets: [page], pools: [page], next_cursor: page < pages ? String(page + 1) : null }
      const meta = {
        response_time_ms: page,
        oracle_staleness_seconds: page * 10,
        partial_result: page === 2,
        sources: ['clickhouse', `oracle:${page}`],
        warnings: [
          { code: 'adapter_unhealthy', path: null },
          { code: 'unpriced_asset', path: `${pathname.replace('/v1', '')}/0/tvl_usd` },
        ],
      }
      return new Response(JSON.stringify({ data, enrichment: {}, meta }), { headers: { 'content-type': 'application/json' } })
    },
  })

describe('a whole list', () => {
  it('has the items of all pages, and the envelope of the first', async () => {
    const asked: string[] = []
    const answer = await allAssets().send(clientOf(3, asked))
    expect(answer).toMatchObject({ data: { assets: [1, 2, 3] }, meta: { response_time_ms: 1 } })
    expect(asked).toEqual(['/v1/assets null', '/v1/assets 2', '/v1/assets 3'])
    expect(await allPools().send(clientOf(2, asked))).toMatchObject({ data: { pools: [1, 2] } })
  })

  it('is partial if a page is, and has the warnings of all pages at the places of the whole list', async () => {
    const { meta } = await allPools().send(clientOf(3, []))
    expect(meta).toMatchObject({
      partial_result: true,
      oracle_staleness_seconds: 30,
      sources: ['clickhouse', 'oracle:1', 'oracle:2', 'oracle:3'],
    })
    expect(meta.warnings.map(({ path }) => path)).toEqual([null, '/pools/0/tvl_usd', '/pools/1/tvl_usd', '/pools/2/tvl_usd'])
  })

  it('ends after 5,000 items', async () => {
    const asked: string[] = []
    await allPools().send(clientOf(1_000, asked))
    expect(asked).toHaveLength(50)
  })
})
