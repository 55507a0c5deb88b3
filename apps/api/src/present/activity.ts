// One asset leg of an account's action, as the activity feed and the transaction endpoint show it.

import { ACTIVITY_TYPES, type ActivityType, encodeEventKey, SHARE_TYPES, type ShareType } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { z } from 'zod'
import { ACTIVITY_VARIANTS } from './activity-metadata/activity-metadata.ts'
import { DECIMALS, wholeUnits } from './amount.ts'
import { ProtocolMember } from './protocol-member.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Activity = z
  .strictObject({
    id: z.string().describe('Unique id of the row. Opaque; ids sort in the order of the ledger.'),
    activity_type: z.enum(ACTIVITY_TYPES).describe('What the account did, or what happened to its position.'),
    address: z.string().describe('Account whose position changes. It is not always the source account of the transaction.'),
    amount: z.string().describe('Amount of the asset, never negative; `direction` has the sign.'),
    asset_decimals: z.int().nullable().describe(DECIMALS),
    asset_id: z.string().describe('Contract of the token. "" if only shares or settings changed.'),
    asset_symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    contract: z.string().describe('Contract of the pool.'),
    counterparty: z
      .string()
      .describe('Address of the other side: the pool, another account, or a different receiver. "" if there is none.'),
    direction: z
      .enum(['sent', 'received', 'none'])
      .describe(
        'Seen from `address`: `sent`, the account itself gives the asset (or shares of its position); `received`, it gets it; `none`, neither. `none` stands where only a debt changes (`metadata.debt_change`), where another account pays or is paid (`metadata.payer`, `metadata.receiver`, `counterparty`), where a path goes from one pool to the next (`metadata.path_step`), where a claim is deposited again at once, and where nothing moves.',
      ),
    ledger: z.int().describe('Ledger sequence of the transaction.'),
    metadata: z
      .unknown()
      .describe(
        'Further members of the activity. `protocol` and `activity_type` decide which schema it has; where they have several, `event` does.',
      ),
    price_source: z
      .string()
      .nullable()
      .describe('Source of `price_usd`: `oracle:<contract>` or `pool:<contract>` (implied by a pool). Null without a price.'),
    price_usd: z
      .string()
      .nullable()
      .describe(
        "USD for one unit of the token at the row's ledger, at most 18 fractional digits: the price that gave `usd_value`. Null without a price; shares of a pool have a value and no price.",
      ),
    protocol: ProtocolMember,
    share_amount: z
      .string()
      .describe('Amount of shares that moved. Given once for each movement, on the leg of its asset; "0" on the other legs.'),
    share_type: z.enum(SHARE_TYPES).describe('What the shares are; "" if no shares moved.'),
    timestamp: Timestamp,
    tx_hash: z.string().describe('Hash of the transaction: 64 lowercase hex characters.'),
    usd_value: z
      .string()
      .nullable()
      .describe("USD value of `amount` at the price of the row's ledger. Null if the asset has no price there."),
  })
  .meta({ id: 'Activity', allOf: [{ anyOf: ACTIVITY_VARIANTS }] })

export function presentActivity(row: ActivityRecord): z.input<typeof Activity> {
  return {
    id: activityId(row),
    // Folds write only values of the closed lists.
    activity_type: row.activity_type as ActivityType,
    address: row.address,
    amount: wholeUnits(row.amount, row.asset_decimals),
    // A leg without an asset moves nothing, so its decimals are not unknown.
    asset_decimals: row.asset_id === '' ? 0 : row.asset_decimals,
    asset_id: row.asset_id,
    asset_symbol: row.asset_symbol,
    contract: row.contract,
    counterparty: row.counterparty,
    direction: row.direction,
    ledger: row.ledger,
    metadata: {
      ...(JSON.parse(row.metadata) as Record<string, unknown>),
      raw_amount: row.amount.toString(),
      action_id: row.action_id,
    },
    price_source: row.price_source === '' ? null : row.price_source,
    price_usd: row.price_usd,
    protocol: row.protocol,
    share_amount: wholeUnits(row.share_amount, row.share_decimals),
    share_type: row.share_type as ShareType,
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
