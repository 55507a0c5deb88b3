// One transaction, also beyond the watermark: its place, its records, one for each protocol, and its activity rows.
// The place is a statement of its own, which both of the others share: as a part of each it costs them half of what they take.
// At 10 G rows: the hash leads to (ledger, tx_order) through 12 bytes a transaction, and those are the sort keys' beginning here.

import { MEMO_TYPES } from '@orrery/ledger'
import { z } from 'zod'
import { defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { RawInteger, U32 } from './column-types.ts'

const tx_hash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * Where a transaction with the hash may be, and the protocols that have rows of it, under any index version: one place, or none; more if other hashes begin with the same 16 characters.
 */
export const transactionPlaces = defineQuery({
  name: 'transaction_places',
  watermark: 'none',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({ tx_hash }),
  row: z.object({ ledger: U32, tx_order: U32, protocol: z.string() }),
  sql: `
    SELECT DISTINCT ledger, tx_order, protocol FROM tx_lookup_v1
    WHERE tx64 = reinterpretAsUInt64(reverse(unhex(substring({tx_hash:String}, 1, 16))))`,
})

/** `ledgers` and `tx_orders`: those of the places. */
const params = z.object({ tx_hash, ledgers: z.array(U32), tx_orders: z.array(U32) })

const AT_PLACES = `ledger IN {ledgers:Array(UInt32)} AND tx_order IN {tx_orders:Array(UInt32)}
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
    WHERE ${AT_PLACES}
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
    WHERE ${AT_PLACES}
    ORDER BY protocol
    LIMIT 1 BY protocol`,
})
