// Where the index begins: the question of every window that may reach before it.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/** The first indexed ledger. No row before the first one. Reads one granule: the table is ordered by ledger. */
export const firstIndexedLedger = defineQuery({
  name: 'first_indexed_ledger',
  watermark: 'none',
  params: z.object({}),
  row: z.object({ ledger: U32, close_time_seconds: U32 }),
  sql: 'SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1 ORDER BY ledger LIMIT 1',
})

/** The newest ledger at or before `at`. No row when the index begins later. Reads one granule. */
export const ledgerAtOrBefore = defineQuery({
  name: 'ledger_at_or_before',
  watermark: 'none',
  params: z.object({ at: U32 }),
  row: z.object({ ledger: U32, close_time_seconds: U32 }),
  sql: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1
    WHERE ledger <= {at:UInt32} ORDER BY ledger DESC LIMIT 1`,
})
