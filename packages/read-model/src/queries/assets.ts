// The assets of the index: every token that a source priced, a pool held or an activity moved.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/**
 * Assets after `after` in the order of their contracts, at most `rows`. Reads one row for each asset and protocol from there on: the table
 * grows with tokens, not with what happens to them.
 */
export const assetPage = defineQuery({
  name: 'asset_page',
  watermark: 'required',
  params: z.object({ after: z.string(), rows: z.int().positive(), watermark: U32 }),
  row: z.object({ asset: z.string() }),
  sql: `
    SELECT DISTINCT asset
    FROM assets_v1
    WHERE asset > {after:String} AND first_ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY asset
    LIMIT {rows:UInt32}`,
})

/** Whether the index has met the asset: one row, or none. Reads one granule. */
export const assetMet = defineQuery({
  name: 'asset_met',
  watermark: 'required',
  params: z.object({ asset: z.string(), watermark: U32 }),
  row: z.object({ asset: z.string() }),
  sql: `
    SELECT asset
    FROM assets_v1
    WHERE asset = {asset:String} AND first_ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    LIMIT 1`,
})
