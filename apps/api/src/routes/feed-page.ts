// One page of a feed of activities, of an account or of a pool.

import type { EventKey } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { Cursor } from '../params/cursor.ts'
import type { FeedQuery } from '../params/feed-query.ts'
import type { RouteContext } from '../route.ts'
import { feedWindow } from './feed-window.ts'

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
  readonly after_ledger: number
  readonly after_tx_order: number
  readonly after_op_index: number
  readonly after_event_index: number
  readonly after_row: number
  readonly types: string[]
  readonly tx_hash: string
  readonly fetch: number
  readonly rows: number
}

/** A retry may write a row again, so a page reads enough rows for two copies of each that are not merged yet. */
const COPIES = 2

/** Above every row, and below every row. */
const TOP: EventKey = { ledger: 4_294_967_295, txOrder: 4_294_967_295, opIndex: 65_535, eventIndex: 4_294_967_295, row: 4_294_967_295 }
const BOTTOM: EventKey = { ledger: 0, txOrder: 0, opIndex: 0, eventIndex: 0, row: 0 }

type Asked = Omit<FeedQuery, 'cursor' | 'protocol' | 'contract'>

/** `read` runs the statement of the order; `fetched` is the number of stored rows behind its answer. */
export async function readFeedPage(
  query: Asked,
  cursor: Cursor | null,
  indexed: IndexedSpan,
  context: Pick<RouteContext, 'readModel' | 'call'>,
  read: (bounds: FeedBounds) => Promise<readonly (ActivityRecord & { readonly fetched: bigint })[]>,
): Promise<FeedPage> {
  const { from, to, watermark } = await feedWindow(query, cursor?.watermark ?? null, indexed, context)
  const descending = query.order === 'desc'
  const after = cursor?.key ?? (descending ? TOP : BOTTOM)
  const found = await read({
    watermark,
    from_ledger: descending ? from : Math.max(after.ledger, from),
    to_ledger: descending ? Math.min(after.ledger, to) : to,
    after_ledger: after.ledger,
    after_tx_order: after.txOrder,
    after_op_index: after.opIndex,
    after_event_index: after.eventIndex,
    after_row: after.row,
    types: [...(query.activity_type ?? [])],
    tx_hash: query.tx_hash ?? '',
    fetch: (query.limit + 1) * COPIES,
    rows: query.limit + 1,
  })
  const rows = found.slice(0, query.limit)
  const fetchedAll = Number(found[0]?.fetched ?? 0) < (query.limit + 1) * COPIES
  return { rows, more: found.length > rows.length || (rows.length > 0 && !fetchedAll), watermark: cursor?.watermark ?? watermark }
}
