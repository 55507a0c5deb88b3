// The newest pages of accounts' feeds, kept while an account has no newer activity. A new ledger has activities of few accounts and ends the answers
// about all of them: the rows of the others need not be read again. What of an answer depends on the ledger (prices, names, `meta`) is computed anew.

import type { Address } from '@orrery/ledger'
import type { QueryOptions, ReadModel } from '@orrery/read-model'
import { type ActivityRecord, activeAccounts } from '@orrery/read-model/queries'
import { LRUCache } from 'lru-cache'

export interface FeedQuestion {
  readonly address: Address
  /** Everything beside the account and the watermark that the rows depend on, such as filters, the size of the page, and adapter versions. */
  readonly asked: unknown
  /** The protocols that the watermark is of. */
  readonly protocols: unknown
  /** The page has the newest rows up to it. */
  readonly watermark: number
}

/** Of the request that asks. */
interface Context {
  readonly readModel: Pick<ReadModel, 'tip' | 'query'>
  readonly call: QueryOptions
  readonly organizationId: string
}

export interface KeptFeeds {
  /** The rows that `read` would give, which only runs if none are kept or the account has newer ones. Each organization has rows of its own. */
  rows(question: FeedQuestion, context: Context, read: () => Promise<readonly ActivityRecord[]>): Promise<readonly ActivityRecord[]>
}

/** Rows are read again after that time even if nothing is newer: an operator may have repaired some. */
const KEPT_MS = 60_000
/** About a kilobyte each. */
const MOST_ROWS = 10_000
/** A distance that one statement reads: further apart are a feed and the newest ledger only while an index catches up. */
const MOST_LEDGERS = 1_000

interface Page {
  readonly rows: readonly ActivityRecord[]
  readonly watermark: number
}

export function openKeptFeeds(): KeptFeeds {
  const pages = new LRUCache<string, Page>({ maxSize: MOST_ROWS, sizeCalculation: ({ rows }) => 1 + rows.length, ttl: KEPT_MS })
  const recent = new LRUCache<string, ActiveAccounts>({ max: 16 })

  const ofProtocols = (key: string): ActiveAccounts => {
    const found = recent.get(key) ?? new ActiveAccounts()
    recent.set(key, found)
    return found
  }

  return {
    async rows({ address, asked, protocols, watermark }, context, read) {
      const { adapters } = await context.readModel.tip()
      // The rows of a quarantined partition come when it has caught up, at ledgers that were read long before.
      if (adapters.some(({ quarantined }) => quarantined.length > 0)) return read()
      const versions = adapters.map(({ protocol, version }) => [protocol, version])
      const key = JSON.stringify([context.organizationId, address, asked, protocols, versions])
      const active = ofProtocols(JSON.stringify([protocols, versions]))
      const page = pages.get(key)
      if (page !== undefined && page.watermark <= watermark && (await active.lacks(address, page.watermark, watermark, context))) {
        pages.set(key, { rows: page.rows, watermark }, { noUpdateTTL: true })
        return page.rows
      }
      const rows = await read()
      active.begin(watermark)
      pages.set(key, { rows, watermark })
      return rows
    },
  }
}

/** Keeps nothing. */
export const noKeptFeeds: KeptFeeds = { rows: (_question, _context, read) => read() }

interface Span {
  readonly after: number
  /** The last ledger of each account with an activity. */
  readonly lastLedgers: ReadonlyMap<string, number>
  readonly readMs: number
}

/** Which accounts the ledgers of the last minute have, read once for each new watermark. */
class ActiveAccounts {
  /** Without gaps, ascending. */
  #spans: Span[] = []
  /** The ledger that the spans reach, also while there are none, and when it was read. */
  #through = 0
  #readMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> = Promise.resolve()

  /** Ledgers after this one will be read, unless some were in the last minute. */
  begin(watermark: number): void {
    if (!this.#isOld(watermark)) return
    this.#spans = []
    this.#through = watermark
    this.#readMs = performance.now()
  }

  /** Nothing that is kept was read before. */
  #isOld(ledger: number): boolean {
    return performance.now() - this.#readMs >= KEPT_MS || ledger - this.#through > MOST_LEDGERS
  }

  /** Whether an account is known to have no activity after one ledger up to another. */
  async lacks(address: Address, after: number, through: number, context: Context): Promise<boolean> {
    if (after === through) return true
    await this.#readThrough(through, context)
    const first = this.#spans[0]
    if (first === undefined || after < first.after || this.#through < through) return false
    return this.#spans.every(({ lastLedgers }) => (lastLedgers.get(address) ?? 0) <= after)
  }

  /** One after the other: spans have no gaps. A failure is that of the request that reads. */
  async #readThrough(ledger: number, context: Context): Promise<void> {
    while (this.#through < ledger && !this.#isOld(ledger)) {
      const reading = this.#reading
      await reading.catch(() => {})
      if (reading !== this.#reading || this.#through >= ledger) continue
      this.#reading = this.#readSpan(this.#through, ledger, context)
      await this.#reading
    }
  }

  async #readSpan(after: number, through: number, { readModel, call }: Context): Promise<void> {
    const rows = await readModel.query(activeAccounts, { after_ledger: after, watermark: through }, call)
    const readMs = performance.now()
    const recent = this.#spans.filter((span) => readMs - span.readMs < KEPT_MS)
    this.#spans = [...recent, { after, lastLedgers: new Map(rows.map((row) => [row.address, row.last_ledger])), readMs }]
    this.#through = through
    this.#readMs = readMs
  }
}
