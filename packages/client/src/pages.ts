// An answer of several pages: one page at a time, or all items one after the other.

/** What the answers with pages have in common. */
export interface PageOf {
  readonly data: { readonly next_cursor: string | null }
}

/**
 * Nothing is requested before it is read. All pages are of one watermark: rows that are indexed in the meantime do not move them.
 *
 *     for await (const activity of orrery.accounts.activities(address)) …
 *     const { data } = await orrery.accounts.activities(address).first()
 */
export class Pages<Page extends PageOf, Item> implements AsyncIterable<Item> {
  readonly #load: (cursor: string | undefined) => Promise<Page>
  readonly #itemsOf: (page: Page) => readonly Item[]

  constructor(load: (cursor: string | undefined) => Promise<Page>, itemsOf: (page: Page) => readonly Item[]) {
    this.#load = load
    this.#itemsOf = itemsOf
  }

  /** The first page with its envelope: the newest one, or the one of the `cursor` that the query has. */
  first(): Promise<Page> {
    return this.#load(undefined)
  }

  /** Every page with its envelope. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#load(cursor)
      yield page
      cursor = page.data.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page)
  }

  /** The items, at most `max` of them. */
  async take(max: number): Promise<Item[]> {
    const items: Item[] = []
    if (max <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= max) break
    }
    return items
  }
}
