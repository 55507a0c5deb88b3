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
      return new Response(JSON.stringify({ data, enrichment: {}, meta: { page } }), { headers: { 'content-type': 'application/json' } })
    },
  })

describe('a whole list', () => {
  it('has the items of all pages, and the envelope of the first', async () => {
    const asked: string[] = []
    const answer = await allAssets().send(clientOf(3, asked))
    expect(answer).toMatchObject({ data: { assets: [1, 2, 3] }, meta: { page: 1 } })
    expect(asked).toEqual(['/v1/assets null', '/v1/assets 2', '/v1/assets 3'])
    expect(await allPools().send(clientOf(2, asked))).toMatchObject({ data: { pools: [1, 2] } })
  })

  it('ends after 5,000 items', async () => {
    const asked: string[] = []
    await allPools().send(clientOf(1_000, asked))
    expect(asked).toHaveLength(50)
  })
})
