// One page of an account's feed.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { RawInteger } from './column-types.ts'
import { byOrder, FEED_PAGE, GRANULE_BLOCKS, pageAfter, pageOrder } from './feed-order.ts'

/**
 * Rows after the key (`after_*`, in the order of the page) with from_ledger <= ledger <= to_ledger; `desc`: newest first. An empty filter
 * matches everything.
 *
 * `fetched` is the number of stored rows behind the page: when it equals `fetch`, rows may remain although copies of one row that are not
 * merged yet left fewer than `rows`.
 *
 * At 10 G rows: the sort key begins with the address, so a page reads the granules around the cursor and stops (read in order). The key
 * comparison alone is not used by the index: the ledger bound on the side of the cursor, which the caller moves to the cursor's ledger, is
 * what lets it (a whale's page 71 ms -> 9 ms). `LIMIT 1 BY` is outside: inside it would prevent reading in order; FINAL would read the whole
 * account.
 */
export const accountActivities = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'account_activities' : 'account_activities_ascending',
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({ address: z.string(), protocol: z.string(), contract: z.string(), ...FEED_PAGE }),
    row: ActivityRecord.extend({ fetched: RawInteger }),
    sql: `
    SELECT *, count() OVER () AS fetched
    FROM (
      SELECT ${ACTIVITY_COLUMNS}
      FROM activities_v1
      WHERE address = {address:String}
        AND ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
        AND ${pageAfter(order)}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        AND ({protocol:String} = '' OR protocol = {protocol:String})
        AND (empty({types:Array(String)}) OR has({types:Array(String)}, activity_type))
        AND ({contract:String} = '' OR contract = {contract:String})
        AND ({tx_hash:String} = '' OR tx_hash = {tx_hash:String})
      ORDER BY ${pageOrder(order)}
      LIMIT {fetch:UInt32}
    )
    ORDER BY ${pageOrder(order)}
    LIMIT 1 BY ledger, tx_order, op_index, event_index, row
    LIMIT {rows:UInt32}`,
  }),
)
