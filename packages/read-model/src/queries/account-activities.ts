// One page of an account's feed.

import { z } from 'zod'
import { defineQuery, ifGiven } from '../query.ts'
import { ACCOUNT_COLUMNS, AccountActivityRecord } from './activity-columns.ts'
import { byOrder, FEED_FILTERS, FEED_LEDGERS, FEED_PAGE, GRANULE_BLOCKS, pageAfter, pageOrder } from './feed-order.ts'

/**
 * The first `rows` stored rows after the key (`after_*`, in the order of the page) with from_ledger <= ledger <= to_ledger; `desc`: newest first. An
 * empty filter matches everything. Copies of one row that are not merged yet are neighbours: the reader removes them.
 *
 * At 10 G rows: the sort key begins with the address, so a page reads the granules around the cursor and stops (read in order). The key
 * comparison alone is not used by the index: the ledger bound on the side of the cursor, which the caller moves to the cursor's ledger, is
 * what lets it (a whale's page 71 ms -> 9 ms). Removing copies here costs a window and a second sort, a quarter of the statement; FINAL would
 * read the whole account.
 */
export const accountActivities = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'account_activities' : 'account_activities_ascending',
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({ address: z.string(), protocol: z.string(), contract: z.string(), ...FEED_PAGE }),
    row: AccountActivityRecord,
    sql: `
    SELECT ${ACCOUNT_COLUMNS}
    FROM activities_v1
    WHERE address = {address:String}
      ${FEED_LEDGERS}
      ${pageAfter(order)}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
      ${ifGiven('protocol', 'AND protocol = {protocol:String}')}
      ${ifGiven('contract', 'AND contract = {contract:String}')}
      ${FEED_FILTERS}
    ORDER BY ${pageOrder(order)}
    LIMIT {rows:UInt32}`,
  }),
)
