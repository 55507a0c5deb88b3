// Between ledgers and close times. Close times never fall from one ledger to the next.

import { z } from 'zod'
import { defineQuery } from './query.ts'

const LedgerTimeRow = z
  .object({ ledger: z.int(), close_time_seconds: z.int() })
  .transform(({ ledger, close_time_seconds }) => ({ ledger, closeTimeSeconds: close_time_seconds }))

/** Newest indexed ledger at or before `ledger`. Reads one granule. */
export const ledgerAtOrBefore = defineQuery({
  name: 'ledger_time',
  params: z.object({ ledger: z.int().nonnegative() }),
  row: LedgerTimeRow,
  watermark: 'none',
  sql: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1
    WHERE ledger <= {ledger:UInt32} ORDER BY ledger DESC LIMIT 1`,
})

/** Last indexed ledger that closed at or before `close_time`. The table's index on close times leaves one granule. */
export const ledgerByCloseTime = defineQuery({
  name: 'ledger_by_close_time',
  params: z.object({ close_time: z.int().nonnegative() }),
  row: LedgerTimeRow,
  watermark: 'none',
  sql: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1
    WHERE close_time <= toDateTime({close_time:UInt32}, 'UTC') ORDER BY ledger DESC LIMIT 1`,
})
