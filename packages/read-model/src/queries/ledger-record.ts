// One ledger of the index with its close time and hash, by sequence or by time.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

const row = z.object({ ledger: U32, close_time_seconds: U32, hash: z.string() })

/** No row when the ledger is not indexed. Reads one granule at any scale: the table is ordered by ledger. */
export const ledgerBySequence = defineQuery({
  name: 'ledger_by_sequence',
  watermark: 'required',
  params: z.object({ ledger: U32, watermark: U32 }),
  row,
  sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, hash
    FROM ledgers_v1
    WHERE ledger = {ledger:UInt32} AND ledger <= {watermark:UInt32}
    LIMIT 1`,
})

/** The last ledger that closed at or before a unix second; no row before the first. The table's index on close times leaves one granule. */
export const ledgerByTime = defineQuery({
  name: 'ledger_by_time',
  watermark: 'required',
  params: z.object({ close_time: U32, watermark: U32 }),
  row,
  sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, hash
    FROM ledgers_v1
    WHERE close_time <= toDateTime({close_time:UInt32}, 'UTC') AND ledger <= {watermark:UInt32}
    ORDER BY ledger DESC
    LIMIT 1`,
})
