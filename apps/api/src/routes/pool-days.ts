// TVL of past days, added up from one row for each pool and day. It is what the statement that takes the sums gives, which runs where rows are too many.

import { isOverReadLimit } from '@orrery/read-model'
import { poolDays, protocolTvlByDay } from '@orrery/read-model/queries'
import type { z } from 'zod'
import type { PastDays } from '../kept-days.ts'
import { DAY_SECONDS } from '../params/tvl-query.ts'
import { exact, exactText, minus, plus, ZERO } from '../present/exact.ts'
import { dayOf } from '../present/timestamp.ts'
import type { RouteContext } from '../route.ts'

/** More take longer to receive and add up here than the sums take in the engine. */
const MOST_ROWS = 2_000

type Context = Pick<RouteContext, 'isShown' | 'keptDays' | 'readModel' | 'call'>
type PoolRow = z.output<typeof poolDays.row>
type DayRow = z.output<typeof protocolTvlByDay.row>
type Window = Omit<z.input<typeof protocolTvlByDay.params>, 'protocol'> & Pick<PastDays, 'protocol'>

/** One row for each day, in ascending order. */
export async function readPoolDays({ protocol, first, days }: PastDays, watermark: number, context: Context): Promise<readonly DayRow[]> {
  const window = { protocol, first: dayOf(first), days, watermark }
  const rows = await rowsOf(window, context)
  return rows === null ? context.readModel.query(protocolTvlByDay, window, context.call) : addedUp(rows, first, days)
}

/** Null: the engine is to take the sums. */
async function rowsOf(window: Window, { isShown = false, keptDays, readModel, call }: Context): Promise<readonly PoolRow[] | null> {
  if (isShown || keptDays.large.has(window.protocol, window.days)) return null
  try {
    const rows = await readModel.query(poolDays, { ...window, rows: MOST_ROWS + 1 }, call)
    if (rows.length <= MOST_ROWS) return rows
    keptDays.large.add(window.protocol, window.days)
  } catch (error) {
    if (!isOverReadLimit(error)) throw error
    keptDays.large.add(window.protocol, 0)
  }
  return null
}

/** A pool counts with its last row of the day or, on a quiet day, of a day before. */
function addedUp(rows: readonly PoolRow[], first: number, days: number): DayRow[] {
  const byDay = Map.groupBy(rows, ({ day_seconds }) => Math.max(first, day_seconds))
  const held = new Map<string, PoolRow>()
  let [tvl, unpriced] = [ZERO, 0]
  return Array.from({ length: days }, (_, n): DayRow => {
    const day = first + n * DAY_SECONDS
    for (const row of byDay.get(day) ?? []) {
      const before = held.get(row.pool)
      tvl = plus(minus(tvl, exact(before?.tvl_usd ?? '0')), exact(row.tvl_usd))
      unpriced += row.unpriced_assets - (before?.unpriced_assets ?? 0)
      held.set(row.pool, row)
    }
    return { day_seconds: day, tvl_usd: exactText(tvl), unpriced: BigInt(unpriced) }
  })
}
