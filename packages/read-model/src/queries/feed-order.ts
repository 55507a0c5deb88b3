// What the feeds of an account and of a pool have in common: both orders of a page, and its parameters. Each order is a statement of its own,
// so that it reads in the order of the sort key.

import { z } from 'zod'
import { U32 } from './column-types.ts'

/** `desc`: newest first. */
export type FeedOrder = 'desc' | 'asc'

/** The statement of each order. */
export function byOrder<Statement>(of: (order: FeedOrder) => Statement): Readonly<Record<FeedOrder, Statement>> {
  return { desc: of('desc'), asc: of('asc') }
}

export const FEED_PAGE = {
  from_ledger: U32,
  to_ledger: U32,
  watermark: U32,
  after_ledger: U32,
  after_tx_order: U32,
  after_op_index: U32,
  after_event_index: U32,
  after_row: U32,
  types: z.array(z.string()),
  tx_hash: z.string(),
  fetch: z.int().positive(),
  rows: z.int().positive(),
}

/** The condition that a row comes after the key in the order of the page. */
export function pageAfter(order: FeedOrder): string {
  return `(ledger, tx_order, op_index, event_index, row)
          ${order === 'desc' ? '<' : '>'} ({after_ledger:UInt32}, {after_tx_order:UInt32}, {after_op_index:UInt32}, {after_event_index:UInt32}, {after_row:UInt32})`
}

export function pageOrder(order: FeedOrder): string {
  return ['ledger', 'tx_order', 'op_index', 'event_index', 'row'].map((column) => `${column} ${order.toUpperCase()}`).join(', ')
}

/** A granule. Reading forwards takes whole blocks, and the default is many granules; reading backwards takes one granule at a time anyway. */
export const GRANULE_BLOCKS = { max_block_size: '1024' } as const
