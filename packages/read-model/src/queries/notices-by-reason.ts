// What the active adapter versions read and could not use, counted by protocol, kind and reason.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { RawInteger, U32 } from './column-types.ts'

/**
 * One row for each protocol, kind and reason, in this order. A row that was written again counts once.
 *
 * Reads every notice at or before the watermark: they are exceptions, and the table is ordered by protocol, contract, kind and reason, so
 * that repeats of a row lie side by side.
 */
export const noticesByReason = defineQuery({
  name: 'notices_by_reason',
  watermark: 'required',
  params: z.object({ watermark: U32 }),
  row: z.object({
    protocol: z.string(),
    kind: z.string(),
    reason: z.string(),
    count: RawInteger,
    first_ledger: U32,
    last_ledger: U32,
  }),
  sql: `
    SELECT protocol, kind, reason, toString(sum(count)) AS count, min(ledger) AS first_ledger, max(ledger) AS last_ledger
    FROM notices_v1 FINAL
    WHERE ledger <= {watermark:UInt32} AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    GROUP BY protocol, kind, reason
    ORDER BY protocol, kind, reason`,
})
