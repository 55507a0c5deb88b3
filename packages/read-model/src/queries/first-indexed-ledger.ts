// The first ledger of the index: needed by every window that may begin before it.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/** No row before the first ledger. Reads one granule at any scale: the table is ordered by ledger. */
export const firstIndexedLedger = defineQuery({
  name: 'first_indexed_ledger',
  watermark: 'none',
  params: z.object({}),
  row: z.object({ ledger: U32, close_time_seconds: U32 }),
  sql: 'SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds FROM ledgers_v1 ORDER BY ledger LIMIT 1',
})
