// One asset leg of what an account did, as the feed and the decoding of a transaction show it.

import { encodeEventKey } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { z } from 'zod'
import { ACTIVITY_TYPES } from '../params/feed-query.ts'
import { wholeUnits } from './amount.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Activity = z
  .strictObject({
    id: z.string().describe('Sortable and opaque: the key of the row.'),
    activity_type: z.string().describe(`One of: ${ACTIVITY_TYPES.join(', ')}.`),
    address: z.string().describe('Account whose position changes, not always the source of the transaction.'),
    amount: z.string().describe('Whole units; the direction stands in `metadata.leg`.'),
    asset_decimals: z.int().nullable().describe("Null when the token's decimals are unknown; amounts are raw then."),
    asset_id: z.string().describe('"" where nothing but shares or settings changed.'),
    asset_symbol: z.string(),
    contract: z.string().describe('The pool touched.'),
    counterparty: z.string().describe('The pool, another account, or the receiver where it is another; "" where there is none.'),
    ledger: z.int(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe("`raw_amount`, `action_id`, `leg`, `event` and further fields of the contract's event."),
    protocol: z.string(),
    share_amount: z.string().describe('Each movement of shares stands once, on the leg of its asset; "0" elsewhere.'),
    share_type: z.string().describe('b_token, b_token_collateral, d_token, backstop_share, lp_share, or "" where no share moves.'),
    timestamp: Timestamp,
    tx_hash: z.string(),
    usd_value: z.string().nullable().describe('At the price of its ledger.'),
  })
  .meta({ id: 'Activity' })

export function presentActivity(row: ActivityRecord): z.input<typeof Activity> {
  return {
    id: activityId(row),
    activity_type: row.activity_type,
    address: row.address,
    amount: wholeUnits(row.amount, row.asset_decimals),
    // A leg without an asset moves nothing: it has no decimals to miss.
    asset_decimals: row.asset_id === '' ? 0 : row.asset_decimals,
    asset_id: row.asset_id,
    asset_symbol: row.asset_symbol,
    contract: row.contract,
    counterparty: row.counterparty,
    ledger: row.ledger,
    metadata: {
      ...(JSON.parse(row.metadata) as Record<string, unknown>),
      raw_amount: row.amount.toString(),
      action_id: row.action_id,
      ...(row.leg === '' ? {} : { leg: row.leg }),
    },
    protocol: row.protocol,
    share_amount: wholeUnits(row.share_amount, row.share_decimals),
    share_type: row.share_type,
    timestamp: timestampOf(row.close_time_seconds),
    tx_hash: row.tx_hash,
    usd_value: row.usd_value,
  }
}

export function activityId(row: ActivityRecord): string {
  return encodeEventKey({ ledger: row.ledger, txOrder: row.tx_order, opIndex: row.op_index, eventIndex: row.event_index, row: row.row })
}

/** An asset leg whose token has unknown decimals. */
export function hasUnknownUnits(row: ActivityRecord): boolean {
  return row.asset_id !== '' && row.asset_decimals === null
}
