// The keys under which a pool's auctions are stored.

import { z } from 'zod'
import { defineQuery } from '../query.ts'

/**
 * Keys of all auctions that a pool ever had: `@<account>:auction:<type>`. A key says nothing of whether its auction is open, so the read
 * needs no watermark.
 *
 * Reads the keys of the pool's accounts in `state_latest_v1`, a few for each account, and nothing of their history.
 */
export const poolAuctionKeys = defineQuery({
  name: 'pool_auction_keys',
  watermark: 'none',
  params: z.object({ protocol: z.string(), pool: z.string() }),
  row: z.object({ key: z.string() }),
  sql: `
    SELECT DISTINCT key
    FROM state_latest_v1
    WHERE protocol = {protocol:String} AND contract = {pool:String} AND key >= '@' AND key < 'A' AND match(key, ':auction:[0-9]+$')
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY key`,
})
