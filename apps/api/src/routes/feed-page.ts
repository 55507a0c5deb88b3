// One page of a feed of activities, of an account or of a pool.

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
  readonly from_ledger: number | null
  readonly to_ledger: number
  readonly after_ledger: number | null
  readonly after_tx_order: number | null
  readonly after_op_index: number | null
  readonly after_event_index: number | null
  readonly after_row: number | null
  readonly types: string[]
  readonly tx_hash: string
  readonly rows: number
}

/** A retry may write a row again: a page that lacks rows because of copies reads enough for two of each that are not merged yet. */
const COPIES = 2

type Asked = Omit<FeedQuery, 'cursor' | 'protocol' | 'contract'>

/** `read` runs the statement of the order, which returns copies of one row as neighbours. Rarely it is run twice. */
export async function readFeedPage(
  query: Asked,
  cursor: Cursor | null,
  indexed: IndexedSpan,
  context: Pick<RouteContext, 'readModel' | 'call'>,
  read: (bounds: FeedBounds) => Promise<readonly ActivityRecord[]>,
): Promise<FeedPage> {
  const { from, to, watermark } = await feedWindow(query, cursor?.watermark ?? null, indexed, context)
  const descending = query.order === 'desc'
  const after = cursor?.key ?? null
  const bounds = {
    watermark,
    from_ledger: descending || after === null ? from : Math.max(after.ledger, from ?? 0),
    to_ledger: descending && after !== null ? Math.min(after.ledger, to) : to,
    after_ledger: after?.ledger ?? null,
    after_tx_order: after?.txOrder ?? null,
    after_op_index: after?.opIndex ?? null,
    after_event_index: after?.eventIndex ?? null,
    after_row: after?.row ?? null,
    types: [...(query.activity_type ?? [])],
    tx_hash: query.tx_hash ?? '',
  }
  const wanted = query.limit + 1
  let asked = wanted
  let stored = await read({ ...bounds, rows: asked })
  let found = withoutCopies(stored)
  if (found.length < wanted && stored.length === asked) {
    asked = wanted * COPIES
    stored = await read({ ...bounds, rows: asked })
    found = withoutCopies(stored)
  }
  const rows = found.slice(0, query.limit)
  const more = found.length > rows.length || (rows.length > 0 && stored.length === asked)
  return { rows, more, watermark: cursor?.watermark ?? watermark }
}

function withoutCopies(rows: readonly ActivityRecord[]): readonly ActivityRecord[] {
  return rows.filter((row, n) => n === 0 || !isCopy(row, rows[n - 1] ?? row))
}

function isCopy(a: ActivityRecord, b: ActivityRecord): boolean {
  return (
    a.ledger === b.ledger && a.tx_order === b.tx_order && a.op_index === b.op_index && a.event_index === b.event_index && a.row === b.row
  )
}
