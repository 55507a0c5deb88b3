// The ledgers that a feed is asked for. Bounds in time become ledgers, so that the feed is read by its sort key.

import type { IndexedSpan } from '../params/bucket-window.ts'
import { firstSecondFrom } from '../params/date-time.ts'
import type { FeedQuery } from '../params/feed-query.ts'
import { narrowLedger } from '../params/integer.ts'
import type { RouteContext } from '../route.ts'
import { firstLedgerFrom, lastLedgerUpTo } from './ledgers-between.ts'

/** Inclusive. Empty if `from` is greater. */
export interface FeedWindow {
  /** Null: from the first ledger on. */
  readonly from: number | null
  readonly to: number
  /** No page reads past it: the watermark of the first page. */
  readonly watermark: number
}

type Asked = Pick<FeedQuery, 'from_ledger' | 'to_ledger' | 'as_of_ledger' | 'from' | 'to'>

/** @param firstWatermark Watermark of the first page; null on the first page. */
export async function feedWindow(
  query: Asked,
  firstWatermark: number | null,
  indexed: IndexedSpan,
  context: Pick<RouteContext, 'readModel' | 'call'>,
): Promise<FeedWindow> {
  // A later page never reads past the watermark of the first page, nor past the current one, which a replay may have lowered.
  const watermark = Math.min(firstWatermark ?? indexed.last.ledger, indexed.last.ledger)
  const [from, to] = await Promise.all([firstLedger(query, indexed, context), lastLedger(query, indexed, context)])
  return { from, to: Math.min(to, watermark), watermark }
}

async function firstLedger(
  { from, from_ledger }: Asked,
  indexed: IndexedSpan,
  context: Pick<RouteContext, 'readModel' | 'call'>,
): Promise<number | null> {
  if (from === undefined) return from_ledger === undefined ? null : narrowLedger(from_ledger)
  return firstLedgerFrom(firstSecondFrom(from), indexed, context)
}

async function lastLedger(
  { to, to_ledger, as_of_ledger }: Asked,
  indexed: IndexedSpan,
  context: Pick<RouteContext, 'readModel' | 'call'>,
): Promise<number> {
  const asked = to_ledger ?? as_of_ledger
  if (to === undefined) return asked === undefined ? indexed.last.ledger : narrowLedger(asked)
  return lastLedgerUpTo(to.seconds, indexed, context)
}
