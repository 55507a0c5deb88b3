// One page of a pool's feed.

import { z } from 'zod'
import { defineQuery, ifGiven } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { byOrder, FEED_FILTERS, FEED_LEDGERS, FEED_PAGE, FILTERS_OF_PAGE, GRANULE_BLOCKS, pageAfter, pageOrder } from './feed-order.ts'

/**
 * Activities in one pool after the key, as `account_activities` reads those of an account. `currency`: of the vaults of one currency, whose
 * contract is that of all currencies; '' for every other pool.
 *
 * At 10 G rows: the sort key begins with the contract, so a page reads the granules around the cursor and stops (read in order). A rare type
 * or currency reads the pool's rows back to where the page is full.
 */
export const poolActivities = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'pool_activities' : 'pool_activities_ascending',
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({ protocol: z.string(), contract: z.string(), currency: z.string(), ...FEED_PAGE, ...FILTERS_OF_PAGE }),
    row: ActivityRecord,
    sql: `
    SELECT ${ACTIVITY_COLUMNS}
    FROM activities_by_contract_v1
    WHERE contract = {contract:String} AND protocol = {protocol:String}
      ${FEED_LEDGERS}
      ${pageAfter(order)}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
      ${ifGiven('currency', "AND JSONExtractString(metadata, 'currency') = {currency:String}")}
      ${FEED_FILTERS}
    ORDER BY ${pageOrder(order)}
    LIMIT {rows:UInt32}`,
  }),
)
