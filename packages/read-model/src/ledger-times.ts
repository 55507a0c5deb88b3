// Maps ledgers to close times and back. Close times never decrease from one ledger to the next, and a stored ledger never changes,
// so answers at or before the tip are cached.

import { z } from 'zod'
import type { ClickHouseConnection } from './connection.ts'
import type { IndexTip, LedgerTime } from './index-tip.ts'
import { defineQuery } from './query.ts'
import { type QueryOptions, runQuery } from './run-query.ts'

const LedgerTimeRow = z
  .object({ ledger: z.int(), close_time_seconds: z.int() })
  .transform(({ ledger, close_time_seconds }) => ({ ledger, closeTimeSeconds: close_time_seconds }))

/** Newest indexed ledger at or before `ledger`. Reads one granule. */
const ledgerAtOrBefore = defineQuery({
  name: 'ledger_time',
  params: z.object({ ledger: z.int().nonnegative() }),
  row: LedgerTimeRow,
  watermark: 'none',
  sql: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1
    WHERE ledger <= {ledger:UInt32} ORDER BY ledger DESC LIMIT 1`,
})

/** Last indexed ledger that closed at or before `close_time`. The table's index on close times leaves one granule. */
const ledgerByCloseTime = defineQuery({
  name: 'ledger_by_close_time',
  params: z.object({ close_time: z.int().nonnegative() }),
  row: LedgerTimeRow,
  watermark: 'none',
  sql: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1
    WHERE close_time <= toDateTime({close_time:UInt32}, 'UTC') ORDER BY ledger DESC LIMIT 1`,
})

export interface LedgerTimes {
  /** See `ReadModel`. */
  atOrBefore(closeTimeSeconds: number, options: QueryOptions): Promise<LedgerTime | null>
  closeTimeOf(ledger: number, options: QueryOptions): Promise<number | null>
}

export function openLedgerTimes(connection: ClickHouseConnection, tip: () => Promise<IndexTip>): LedgerTimes {
  const byLedger = unchanging(
    async (ledger, options) => (await runQuery(connection, ledgerAtOrBefore, { ledger }, tip, options))[0] ?? null,
    (ledger, last) => ledger <= last.ledger,
  )
  const byTime = unchanging(
    async (close_time, options) => (await runQuery(connection, ledgerByCloseTime, { close_time }, tip, options))[0] ?? null,
    // The next ledger may close in the same second as the last one.
    (seconds, last) => seconds < last.closeTimeSeconds,
  )
  return {
    atOrBefore: async (closeTimeSeconds, options) => byTime(closeTimeSeconds, (await tip()).ledgers, options),
    closeTimeOf: async (ledger, options) => (await byLedger(ledger, (await tip()).ledgers, options))?.closeTimeSeconds ?? null,
  }
}

/** Most cached answers: some hundred KiB. */
const MOST_CACHED = 10_000

/**
 * `read` with a cache for answers that are final while `last` is the last ledger. A missing answer is read again. Requests at the same time wait for one reading of
 * a final answer: after a new ledger all of them ask when the same window begins. One that failed or was given up is no answer to the others.
 */
function unchanging(
  read: (at: number, options: QueryOptions) => Promise<LedgerTime | null>,
  isFinal: (at: number, last: LedgerTime) => boolean,
) {
  const known = new Map<number, LedgerTime>()
  const asked = new Map<number, Promise<LedgerTime | null>>()
  const readOnce = (at: number, options: QueryOptions): Promise<LedgerTime | null> => {
    const reading = read(at, options).finally(() => {
      if (asked.get(at) === reading) asked.delete(at)
    })
    asked.set(at, reading)
    return reading
  }
  return async (at: number, last: LedgerTime | null, options: QueryOptions): Promise<LedgerTime | null> => {
    const cached = known.get(at)
    if (cached !== undefined) return cached
    const others = await asked.get(at)?.catch(() => null)
    if (others !== null && others !== undefined) return others
    const isLasting = last !== null && isFinal(at, last)
    const found = await (isLasting ? readOnce(at, options) : read(at, options))
    if (found === null || !isLasting) return found
    const [oldest] = known.keys()
    if (known.size >= MOST_CACHED && oldest !== undefined) known.delete(oldest)
    known.set(at, found)
    return found
  }
}
