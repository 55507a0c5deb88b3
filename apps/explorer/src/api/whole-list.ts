// Lists of which a page needs every item, such as those that a search goes through.

import type { ListAssetsResponse, ListPoolsResponse, Meta, OrreryClient } from '@orrery/client'
import { type ApiCall, apiCall } from './api-call.ts'
import { movedWarnings } from './warnings.ts'

/** The largest page of the lists. */
const LIMIT = 100
/** More items than any network has today; a longer list is searched up to here. */
const MOST_ITEMS = 5_000

type Paged = { readonly data: { readonly next_cursor: string | null }; readonly meta: Meta }

/** All assets as one answer: that of the first page, with the items and the warnings of all. */
export function allAssets(): ApiCall<ListAssetsResponse> {
  const pages = (client: OrreryClient): AsyncIterable<ListAssetsResponse> => client.assets.list({ limit: LIMIT }).pages()
  return whole(apiCall('assets', 'list', { limit: LIMIT }), pages, (first, others) => ({
    ...first,
    data: { ...first.data, assets: [first, ...others].flatMap(({ data }) => data.assets) },
    meta: joinedMeta([first, ...others], 'assets', ({ data }) => data.assets.length),
  }))
}

/** All pools as one answer: that of the first page, with the items and the warnings of all. */
export function allPools(): ApiCall<ListPoolsResponse> {
  const pages = (client: OrreryClient): AsyncIterable<ListPoolsResponse> => client.pools.list({ limit: LIMIT }).pages()
  return whole(apiCall('pools', 'list', { limit: LIMIT }), pages, (first, others) => ({
    ...first,
    data: { ...first.data, pools: [first, ...others].flatMap(({ data }) => data.pools) },
    meta: joinedMeta([first, ...others], 'pools', ({ data }) => data.pools.length),
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

/** What the answer is based on, over all pages. The places of warnings count within a page; in the whole list they follow the pages before. */
function joinedMeta<Page extends Paged>(pages: readonly [Page, ...Page[]], list: string, lengthOf: (page: Page) => number): Meta {
  let before = 0
  const warnings = pages.flatMap((page, n) => {
    const offset = before
    before += lengthOf(page)
    // What a page warns of without a place holds for every page.
    const own = page.meta.warnings.filter(({ path }) => n === 0 || path !== null)
    return movedWarnings(own, list, (place) => place + offset)
  })
  return {
    ...pages[0].meta,
    oracle_staleness_seconds: Math.max(...pages.map(({ meta }) => meta.oracle_staleness_seconds)),
    partial_result: pages.some(({ meta }) => meta.partial_result),
    sources: [...new Set(pages.flatMap(({ meta }) => meta.sources))],
    warnings,
  }
}
