// One page of a feed of activities, of an account or of a pool.

import type { EventKey } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { Cursor } from '../params/cursor.ts'
import type { FeedQuery } from '../params/feed-query.ts'
import { narrowLedger } from '../params/integer.ts'

export interface FeedPage {
  readonly rows: readonly ActivityRecord[]
  readonly more: boolean
  /** Of the first page. */
  readonly watermark: number
}

/** What every statement of a feed is bounded by. */
interface FeedBounds {
  readonly watermark: number
  readonly from_ledger: number
  readonly to_ledger: number
  readonly below_ledger: number
  readonly below_tx_order: number
  readonly below_op_index: number
  readonly below_event_index: number
  readonly below_row: number
  readonly types: string[]
  readonly tx_hash: string
  readonly fetch: number
  readonly rows: number
}

/** A retry may write a row again, so a page reads enough rows for two copies of each that are not merged yet. */
const COPIES = 2

/** Above every row. */
const TOP: EventKey = { ledger: 4_294_967_295, txOrder: 4_294_967_295, opIndex: 65_535, eventIndex: 4_294_967_295, row: 4_294_967_295 }

type Asked = Pick<FeedQuery, 'from_ledger' | 'to_ledger' | 'as_of_ledger' | 'activity_type' | 'tx_hash' | 'limit'>

/** `read` runs the statement: newest first, and `fetched` says how many stored rows are behind its answer. */
export async function readFeedPage(
  query: Asked,
  cursor: Cursor | null,
  indexed: IndexedSpan,
  read: (bounds: FeedBounds) => Promise<readonly (ActivityRecord & { readonly fetched: bigint })[]>,
): Promise<FeedPage> {
  // A later page never reads past the watermark of the first page, nor past the current one, which a replay may have lowered.
  const watermark = Math.min(cursor?.watermark ?? indexed.last.ledger, indexed.last.ledger)
  const below = cursor?.key ?? TOP
  const asked = query.to_ledger ?? query.as_of_ledger
  const found = await read({
    watermark,
    from_ledger: query.from_ledger === undefined ? 0 : narrowLedger(query.from_ledger),
    to_ledger: Math.min(below.ledger, asked === undefined ? watermark : narrowLedger(asked)),
    below_ledger: below.ledger,
    below_tx_order: below.txOrder,
    below_op_index: below.opIndex,
    below_event_index: below.eventIndex,
    below_row: below.row,
    types: [...(query.activity_type ?? [])],
    tx_hash: query.tx_hash ?? '',
    fetch: (query.limit + 1) * COPIES,
    rows: query.limit + 1,
  })
  const rows = found.slice(0, query.limit)
  const fetchedAll = Number(found[0]?.fetched ?? 0) < (query.limit + 1) * COPIES
  return { rows, more: found.length > rows.length || (rows.length > 0 && !fetchedAll), watermark: cursor?.watermark ?? watermark }
}
