// One transaction, also beyond the watermark: its records, one for each protocol, and its activity rows.
// GLOBAL: on a cluster the places are found once, by all shards together.
// At 10 G rows: the hash leads to (ledger, tx_order) through 12 bytes a transaction, and those are the sort keys' beginning here.

import { MEMO_TYPES } from '@orrery/ledger'
import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { RawInteger, U32 } from './column-types.ts'

const params = z.object({ tx_hash: z.string().regex(/^[0-9a-f]{64}$/) })

const PLACES = `(ledger, tx_order) GLOBAL IN (
      SELECT ledger, tx_order FROM tx_lookup_v1
      WHERE tx64 = reinterpretAsUInt64(reverse(unhex(substring({tx_hash:String}, 1, 16))))
    )
    AND tx_hash = {tx_hash:String} AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

/** Legs of a transaction over all protocols and accounts, in the order in which they happened. */
export const transactionActivities = defineQuery({
  name: 'transaction_activities',
  // Rows are read as soon as they are written: decoding a transaction that just closed is the purpose, and `partial_result` marks missing parts.
  watermark: 'none',
  params,
  row: ActivityRecord,
  sql: `
    SELECT ${ACTIVITY_COLUMNS}
    FROM activities_by_ledger_v1
    WHERE ${PLACES}
    ORDER BY ledger, tx_order, op_index, event_index, row, address
    LIMIT 1 BY ledger, tx_order, op_index, event_index, row, address`,
})

const TransactionRecord = z.object({
  protocol: z.string(),
  ledger: U32,
  close_time_seconds: U32,
  source: z.string(),
  /** '' unless it is a fee bump. */
  fee_source: z.string(),
  /** Stroops. */
  fee_charged: RawInteger.nullable(),
  memo_type: z.enum([...MEMO_TYPES, '']),
  memo: z.string(),
  activity_rows: U32,
})
export type TransactionRecord = z.infer<typeof TransactionRecord>

/** Records of a transaction, one a protocol. Written after its activities: without a record, rows may still be missing. */
export const transactionRecords = defineQuery({
  name: 'transaction_records',
  watermark: 'none',
  params,
  row: TransactionRecord,
  sql: `
    SELECT protocol, ledger, toUnixTimestamp(close_time) AS close_time_seconds, source, fee_source,
      toString(fee_charged) AS fee_charged, memo_type, memo, activity_rows
    FROM transactions_v1
    WHERE ${PLACES}
    ORDER BY protocol
    LIMIT 1 BY protocol`,
})
