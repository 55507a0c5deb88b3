// One page of an account's feed, newest first.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { RawInteger, U32 } from './column-types.ts'

/**
 * Rows below the key (`below_*`) with from_ledger <= ledger <= to_ledger, newest first. An empty filter matches everything.
 *
 * `fetched` is the number of stored rows behind the page: when it equals `fetch`, rows may remain although copies of one row that are not
 * merged yet left fewer than `rows`.
 *
 * At 10 G rows: the sort key begins with the address, so a page reads the granules around the cursor and stops (read in order). The key
 * comparison alone is not used by the index: `ledger <= to_ledger`, which the caller lowers to the cursor's ledger, is what lets it (a
 * whale's page 71 ms -> 9 ms). `LIMIT 1 BY` is outside: inside it would prevent reading in order; FINAL would read the whole account.
 */
export const accountActivities = defineQuery({
  name: 'account_activities',
  watermark: 'required',
  params: z.object({
    address: z.string(),
    from_ledger: U32,
    to_ledger: U32,
    watermark: U32,
    below_ledger: U32,
    below_tx_order: U32,
    below_op_index: U32,
    below_event_index: U32,
    below_row: U32,
    protocol: z.string(),
    types: z.array(z.string()),
    contract: z.string(),
    tx_hash: z.string(),
    fetch: z.int().positive(),
    rows: z.int().positive(),
  }),
  row: ActivityRecord.extend({ fetched: RawInteger }),
  sql: `
    SELECT *, count() OVER () AS fetched
    FROM (
      SELECT ${ACTIVITY_COLUMNS}
      FROM activities_v1
      WHERE address = {address:String}
        AND ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
        AND (ledger, tx_order, op_index, event_index, row)
          < ({below_ledger:UInt32}, {below_tx_order:UInt32}, {below_op_index:UInt32}, {below_event_index:UInt32}, {below_row:UInt32})
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        AND ({protocol:String} = '' OR protocol = {protocol:String})
        AND (empty({types:Array(String)}) OR has({types:Array(String)}, activity_type))
        AND ({contract:String} = '' OR contract = {contract:String})
        AND ({tx_hash:String} = '' OR tx_hash = {tx_hash:String})
      ORDER BY ledger DESC, tx_order DESC, op_index DESC, event_index DESC, row DESC
      LIMIT {fetch:UInt32}
    )
    ORDER BY ledger DESC, tx_order DESC, op_index DESC, event_index DESC, row DESC
    LIMIT 1 BY ledger, tx_order, op_index, event_index, row
    LIMIT {rows:UInt32}`,
})
