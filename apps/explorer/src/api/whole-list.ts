// Lists of which a page needs every item, such as those that a search goes through.

import type { ListAssetsResponse, ListPoolsResponse, OrreryClient } from '@orrery/client'
import { type ApiCall, apiCall } from './api-call.ts'

/** The largest page of the lists. */
const LIMIT = 100
/** More items than any network has today; a longer list is searched up to here. */
const MOST_ITEMS = 5_000

type Paged = { readonly data: { readonly next_cursor: string | null } }

/** All assets as one answer: that of the first page, with the items of all. */
export function allAssets(): ApiCall<ListAssetsResponse> {
  const pages = (client: OrreryClient): AsyncIterable<ListAssetsResponse> => client.assets.list({ limit: LIMIT }).pages()
  return whole(apiCall('assets', 'list', { limit: LIMIT }), pages, (first, others) => ({
    ...first,
    data: { ...first.data, assets: [first, ...others].flatMap(({ data }) => data.assets) },
  }))
}

/** All pools as one answer: that of the first page, with the items of all. */
export function allPools(): ApiCall<ListPoolsResponse> {
  const pages = (client: OrreryClient): AsyncIterable<ListPoolsResponse> => client.pools.list({ limit: LIMIT }).pages()
  return whole(apiCall('pools', 'list', { limit: LIMIT }), pages, (first, others) => ({
    ...first,
    data: { ...first.data, pools: [first, ...others].flatMap(({ data }) => data.pools) },
  }))
}

function whole<Page extends Paged>(
  call: ApiCall<Page>,
  pagesOf: (client: OrreryClient) => AsyncIterable<Page>,
  join: (first: Page, others: readonly Page[]) => Page,
): ApiCall<Page> {
  return {
    ...call,
    take: MOST_ITEMS,
    async send(client) {
      const pages: Page[] = []
      for await (const page of pagesOf(client)) {
        pages.push(page)
        if (pages.length * LIMIT >= MOST_ITEMS) break
      }
      const [first, ...others] = pages
      if (first === undefined) throw new Error('The list has no page.')
      return join(first, others)
    },
  }
}
