// One page of an account's feed, without filters and with them.

import { z } from 'zod'
import { defineQuery, ifGiven } from '../query.ts'
import { ACCOUNT_COLUMNS, ACTIVITY_COLUMNS, AccountActivityRecord, ActivityRecord, TEXT_SETTINGS } from './activity-columns.ts'
import {
  byOrder,
  FEED_FILTERS,
  FEED_LEDGERS,
  FEED_PAGE,
  type FeedOrder,
  FILTERS_OF_PAGE,
  GRANULE_BLOCKS,
  pageAfter,
  pageOrder,
} from './feed-order.ts'

/** The rows of a page, with the columns that a statement shows. */
const pageOf = (columns: string, order: FeedOrder, filters = ''): string => `
    SELECT ${columns}
    FROM activities_v1
    WHERE address = {address:String}
      ${FEED_LEDGERS}
      ${pageAfter(order)}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}${filters}
    ORDER BY ${pageOrder(order)}
    LIMIT {rows:UInt32}`

/**
 * The first `rows` stored rows after the key (`after_*`, in the order of the page) with from_ledger <= ledger <= to_ledger; `desc`: newest first.
 * Copies of one row that are not merged yet are neighbours: the reader removes them.
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
    settings: { ...GRANULE_BLOCKS, ...TEXT_SETTINGS },
    params: z.object({ address: z.string(), ...FEED_PAGE }),
    row: AccountActivityRecord,
    sql: pageOf(ACCOUNT_COLUMNS, order),
  }),
)

/**
 * The rows of `accountActivities` that have all that is given; an empty filter matches everything.
 *
 * At 10 G rows: as `account_activities`, and a filter that few rows have reads the account back to where the page is full. Only the columns of the
 * conditions are read of rows that do not have it, which is why it reads columns and not their text.
 */
export const filteredAccountActivities = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'filtered_account_activities' : 'filtered_account_activities_ascending',
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({ address: z.string(), protocol: z.string(), contract: z.string(), ...FEED_PAGE, ...FILTERS_OF_PAGE }),
    row: ActivityRecord,
    sql: pageOf(
      ACTIVITY_COLUMNS,
      order,
      `
      ${ifGiven('protocol', 'AND protocol = {protocol:String}')}
      ${ifGiven('contract', 'AND contract = {contract:String}')}
      ${FEED_FILTERS}`,
    ),
  }),
)
