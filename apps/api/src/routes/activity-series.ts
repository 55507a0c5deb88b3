// The rows of an activity series: added up here where an account has few of them in the window, else by the engine.

import type { ReadModel } from '@orrery/read-model'
import { accountActivitySeries, accountSeriesRows } from '@orrery/read-model/queries'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { sumOf } from '../present/amount.ts'
import type { RouteContext } from '../route.ts'

/** More take longer to add up here than in the engine, and would delay other answers. */
const MOST_ROWS = 2_000

export interface OfAccount {
  readonly address: string
  /** '' for all. */
  readonly protocol: string
  readonly watermark: number
}

interface SeriesWindow {
  readonly axis: 'time' | 'ledger'
  readonly first: number
  readonly width: number
  readonly from_ledger: number
  readonly to_ledger: number
}

type Point = z.output<typeof accountActivitySeries.row>
type Row = z.output<typeof accountSeriesRows.row>

/** One point for each bucket and type, in ascending order. */
export async function readSeries(
  of: OfAccount,
  window: SeriesWindow,
  { readModel, call, isShown = false }: Pick<RouteContext, 'readModel' | 'call' | 'isShown'>,
): Promise<readonly Point[]> {
  const { from_ledger, to_ledger } = window
  const busy = isShown ? null : busyOf(readModel)
  const account = `${of.address} ${of.protocol}`
  const known = busy?.get(account)
  const isKnownBusy = known !== undefined && from_ledger <= known.first && known.last <= to_ledger
  if (busy !== null && !isKnownBusy) {
    const rows = await readModel.query(accountSeriesRows, { ...of, from_ledger, to_ledger, rows: MOST_ROWS + 1 }, call)
    if (rows.length <= MOST_ROWS) return pointsOf(rows, window)
    busy.set(account, { first: rows[0]?.ledger ?? from_ledger, last: rows.at(-1)?.ledger ?? to_ledger })
  }
  return readModel.query(accountActivitySeries, { ...of, ...window }, call)
}

/** Ledgers in which an account has more than `MOST_ROWS`: of a window over them rows would be read in vain. */
interface Busy {
  readonly first: number
  readonly last: number
}

/** Accounts that were asked about lately. */
const MOST_ACCOUNTS = 10_000
/** After that time rows are read again: another version may have fewer. */
const BUSY_FOR_MS = 3_600_000

const busyAccounts = new WeakMap<ReadModel, LRUCache<string, Busy>>()

function busyOf(readModel: ReadModel): LRUCache<string, Busy> {
  const known = busyAccounts.get(readModel) ?? new LRUCache({ max: MOST_ACCOUNTS, ttl: BUSY_FOR_MS })
  busyAccounts.set(readModel, known)
  return known
}

/** As the statement does it: an action is worth what the legs of its largest rank are worth. */
function pointsOf(rows: readonly Row[], { axis, first, width }: SeriesWindow): Point[] {
  const ranks = new Map<string, number>()
  for (const row of rows) ranks.set(actionOf(row), Math.max(row.rank, ranks.get(actionOf(row)) ?? 0))
  const startOf = (row: Row): number => {
    const place = axis === 'time' ? row.close_time_seconds : row.ledger
    return Math.trunc((place - first) / width) * width + first
  }
  const groups = Map.groupBy(rows, (row) => `${startOf(row)} ${row.activity_type}`)
  const points = [...groups.values()].flatMap((group): Point[] => {
    const [head] = group
    if (head === undefined) return []
    const decisive = group.filter((row) => row.rank === ranks.get(actionOf(row)))
    const valued = decisive.filter(({ rank, has_volume }) => rank > 1 || has_volume)
    const point: Point = {
      start: startOf(head),
      activity_type: head.activity_type,
      ledger: Math.max(...group.map(({ ledger }) => ledger)),
      close_time_seconds: Math.max(...group.map(({ close_time_seconds }) => close_time_seconds)),
      events: group.reduce((sum, { counts }) => sum + counts, 0),
      usd_volume: sumOf(valued.map(({ usd_value }) => usd_value ?? '0')),
      confidence: Math.min(...group.map(({ confidence }) => confidence)),
      unpriced: decisive.some(({ rank, has_asset, usd_value }) => (rank > 1 || has_asset) && usd_value === null),
      price_sources: [...new Set(valued.map(({ price_source }) => price_source))],
      oldest_price_seconds: Math.max(0, ...valued.map(({ price_age_seconds }) => price_age_seconds)),
    }
    return [point]
  })
  return points.sort((a, b) => a.start - b.start || (a.activity_type < b.activity_type ? -1 : 1))
}

const actionOf = ({ action_id, activity_type }: Row): string => `${action_id} ${activity_type}`
