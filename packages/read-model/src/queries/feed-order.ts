// What the feeds of an account and of a pool have in common: both orders of a page, and its parameters. Each order is a statement of its own,
// so that it reads in the order of the sort key.

import { z } from 'zod'
import { ifGiven } from '../query.ts'
import { U32 } from './column-types.ts'

/** `desc`: newest first. */
export type FeedOrder = 'desc' | 'asc'

/** The statement of each order. */
export function byOrder<Statement>(of: (order: FeedOrder) => Statement): Readonly<Record<FeedOrder, Statement>> {
  return { desc: of('desc'), asc: of('asc') }
}

export const FEED_PAGE = {
  /** Null: from the first one on. */
  from_ledger: U32.nullable(),
  to_ledger: U32,
  watermark: U32,
  /** The key after which the page begins; null for the first page. */
  after_ledger: U32.nullable(),
  after_tx_order: U32.nullable(),
  after_op_index: U32.nullable(),
  after_event_index: U32.nullable(),
  after_row: U32.nullable(),
  rows: z.int().positive(),
}

/** The parameters of `FEED_FILTERS`. */
export const FILTERS_OF_PAGE = { types: z.array(z.string()), tx_hash: z.string() }

/** The ledgers of a page, in as few conditions as can be: each costs the engine about a twentieth of a page. */
export const FEED_LEDGERS = `${ifGiven('from_ledger', 'AND ledger >= {from_ledger:UInt32}')}
      AND ledger <= least({to_ledger:UInt32}, {watermark:UInt32})`

/** The condition that a row comes after the key in the order of the page, if there is a key. */
export function pageAfter(order: FeedOrder): string {
  return ifGiven(
    'after_ledger',
    `AND (ledger, tx_order, op_index, event_index, row)
        ${order === 'desc' ? '<' : '>'} ({after_ledger:UInt32}, {after_tx_order:UInt32}, {after_op_index:UInt32}, {after_event_index:UInt32}, {after_row:UInt32})`,
  )
}

/** The conditions of a feed's filters, each only if it is given. */
export const FEED_FILTERS = `${ifGiven('types', 'AND has({types:Array(String)}, activity_type)')}
      ${ifGiven('tx_hash', 'AND tx_hash = {tx_hash:String}')}`

export function pageOrder(order: FeedOrder): string {
  return ['ledger', 'tx_order', 'op_index', 'event_index', 'row'].map((column) => `${column} ${order.toUpperCase()}`).join(', ')
}

/** A granule. Reading forwards takes whole blocks, and the default is many granules; reading backwards takes one granule at a time anyway. */
export const GRANULE_BLOCKS = { max_block_size: '1024' } as const
