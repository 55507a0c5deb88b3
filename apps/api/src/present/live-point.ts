// The last point of a history, at the last indexed ledger: made of the current position, so that a chart ends at the figure beside it.

import { difference, sumOfPriced } from './amount.ts'
import type { HistoryPoint } from './history-point.ts'
import type { ProtocolEntry } from './portfolio.ts'
import type { SummaryPoint } from './summary-point.ts'
import { timestampOf } from './timestamp.ts'

/** The bucket that contains the last indexed ledger. Times in unix seconds. */
export interface LiveBucket {
  readonly start: number
  readonly ledger: number
  readonly closeTimeSeconds: number
}

const placeOf = ({ start, ledger, closeTimeSeconds }: LiveBucket) => ({
  ledger,
  timestamp: timestampOf(start),
  value_at: timestampOf(closeTimeSeconds),
})

/** What the account has in a pool. Null if nothing is open there. @param pool `pool_id` of the portfolio. */
export function livePoint(entry: ProtocolEntry | null, pool: string, at: LiveBucket): HistoryPoint | null {
  const sums = entry?.pools.find(({ pool_id }) => pool_id === pool)
  if (entry === null || sums === undefined) return null
  const { backstop, ...uses } = entry.positions
  const isOpen = Object.values(uses).some((items) => items.some(({ contract }) => contract === sums.contract))
  if (!isOpen) return null
  const inBackstop = sumOfPriced(backstop.filter(({ contract }) => contract === sums.contract).map(({ usd_value }) => usd_value)).sum
  const supplied_usd = difference(sums.deposited_usd, inBackstop)
  const { borrowed_usd } = sums
  return { borrowed_usd, net_usd: difference(supplied_usd, borrowed_usd), supplied_usd, ...placeOf(at) }
}

/** What the account has in all pools of a lending protocol. Null if nothing is open. */
export function liveSummary(entry: ProtocolEntry | null, at: LiveBucket): SummaryPoint | null {
  if (entry === null || Object.values(entry.positions).every((items) => items.length === 0)) return null
  const { borrowed_usd, deposited_usd, health_factor, net_apy, estimates } = entry
  const inBackstop = sumOfPriced(entry.positions.backstop.map(({ usd_value }) => usd_value)).sum
  return {
    borrow_limit_pct: estimates.borrow_limit_pct,
    borrowed_usd,
    deposited_usd,
    health_factor,
    net_apy,
    supplied_usd: difference(deposited_usd, inBackstop),
    ...placeOf(at),
  }
}

/** The points with the live one in its bucket. Null: the points are as they were. */
export function withLivePoint<Point extends { readonly timestamp: string }>(points: readonly Point[], live: Point | null): Point[] {
  if (live === null) return [...points]
  return [...points.filter(({ timestamp }) => timestamp !== live.timestamp), live]
}
