// One page of an account's actions, as the rows of these actions.

import { z } from 'zod'
import { defineQuery, ifGiven } from '../query.ts'
import { ACCOUNT_COLUMNS, ACTIVITY_COLUMNS, AccountActivityRecord, ActivityRecord, TEXT_SETTINGS } from './activity-columns.ts'
import { U32 } from './column-types.ts'
import { byOrder, FEED_LEDGERS, type FeedOrder, GRANULE_BLOCKS, pageOrder } from './feed-order.ts'

const KEY = ['ledger', 'tx_order', 'action_id', 'protocol']

const keyOrder = (order: FeedOrder): string => KEY.map((column) => `${column} ${order.toUpperCase()}`).join(', ')

const OF_ACCOUNT = `address = {address:String}
        AND ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

/**
 * The rows of the first `actions` actions after the key (`after_*`, in the order of the page) that have a row with all filters. An empty filter
 * matches everything. Every row of an action comes, in the order in which they happened. An action is in one transaction, so the ledger
 * bounds never split one; `action_id` is the key of its first row, so actions of a transaction are in the order in which they began.
 *
 * At 10 G rows: the inner statement reads the account from the cursor on in the order of the sort key, until it has the actions; the outer one
 * reads the ledgers of these actions.
 */
export const accountActions = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'account_actions' : 'account_actions_ascending',
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({
      address: z.string(),
      from_ledger: U32,
      to_ledger: U32,
      watermark: U32,
      after_ledger: U32,
      after_tx_order: U32,
      after_action_id: z.string(),
      after_protocol: z.string(),
      protocol: z.string(),
      types: z.array(z.string()),
      contract: z.string(),
      tx_hash: z.string(),
      actions: z.int().positive(),
    }),
    row: ActivityRecord,
    sql: `
    SELECT ${ACTIVITY_COLUMNS}
    FROM activities_v1
    WHERE ${OF_ACCOUNT}
      AND (${KEY.join(', ')}) GLOBAL IN (
        SELECT ${KEY.join(', ')}
        FROM activities_v1
        WHERE ${OF_ACCOUNT}
          AND (${KEY.join(', ')})
            ${order === 'desc' ? '<' : '>'} ({after_ledger:UInt32}, {after_tx_order:UInt32}, {after_action_id:String}, {after_protocol:String})
          AND ({protocol:String} = '' OR protocol = {protocol:String})
          AND (empty({types:Array(String)}) OR has({types:Array(String)}, activity_type))
          AND ({contract:String} = '' OR contract = {contract:String})
          AND ({tx_hash:String} = '' OR tx_hash = {tx_hash:String})
        ORDER BY ${keyOrder(order)}
        LIMIT 1 BY ${KEY.join(', ')}
        LIMIT {actions:UInt32}
      )
    ORDER BY ${keyOrder(order)}, op_index, event_index, row
    LIMIT 1 BY ledger, tx_order, op_index, event_index, row`,
  }),
)

/**
 * An action of a token or two, and some with more: the newest 51 actions of an account of the recording have 99 rows at most. Each row that is read in
 * vain is written, sent and checked as well. An account whose actions have more rows is read once more, by `accountActions`.
 */
const ROWS_OF_ACTION = 2.25

/** How many rows to read for the first `actions` actions of an account. */
export const rowsOfActions = (actions: number): number => Math.ceil(actions * ROWS_OF_ACTION)

/**
 * The first `rows` rows from a transaction on (`after_*`, itself included; null: from the beginning), in the order of the page. Copies of a
 * row that are not merged yet are neighbours. For pages without filters: it reads the account once, where `accountActions` reads it twice.
 */
export const accountActionRows = byOrder((order) =>
  defineQuery({
    name: order === 'desc' ? 'account_action_rows' : 'account_action_rows_ascending',
    watermark: 'required',
    settings: { ...GRANULE_BLOCKS, ...TEXT_SETTINGS },
    params: z.object({
      address: z.string(),
      from_ledger: U32.nullable(),
      to_ledger: U32,
      watermark: U32,
      after_ledger: U32.nullable(),
      after_tx_order: U32.nullable(),
      rows: z.int().positive(),
    }),
    row: AccountActivityRecord,
    sql: `
    SELECT ${ACCOUNT_COLUMNS}
    FROM activities_v1
    WHERE address = {address:String}
      ${FEED_LEDGERS}
      ${ifGiven('after_ledger', `AND (ledger, tx_order) ${order === 'desc' ? '<=' : '>='} ({after_ledger:UInt32}, {after_tx_order:UInt32})`)}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY ${pageOrder(order)}
    LIMIT {rows:UInt32}`,
  }),
)
