// The columns of an activity in every feed: their SQL and the row type. Shared by the queries on the three orders. Of the order by account most are read as one text.

import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS } from '../query.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

export const ACTIVITY_COLUMNS = `protocol, ledger, tx_order, op_index, event_index, row, toUnixTimestamp(close_time) AS close_time_seconds, tx_hash,
  address, activity_type, contract, counterparty, asset_id, asset_symbol, asset_decimals, amount, share_amount, share_decimals, share_type,
  usd_value, action_id, direction, confidence, price_usd, price_source, price_age_seconds, metadata`

export const ActivityRecord = z.object({
  protocol: z.string(),
  ledger: U32,
  tx_order: U32,
  op_index: U32,
  event_index: U32,
  row: U32,
  close_time_seconds: U32,
  tx_hash: z.string(),
  address: z.string(),
  activity_type: z.string(),
  contract: z.string(),
  counterparty: z.string(),
  asset_id: z.string(),
  asset_symbol: z.string(),
  asset_decimals: z.int().nullable(),
  amount: RawInteger,
  share_amount: RawInteger,
  share_decimals: z.int(),
  share_type: z.string(),
  usd_value: DecimalText.nullable(),
  action_id: z.string(),
  direction: z.enum(['sent', 'received', 'none']),
  confidence: z.number(),
  price_usd: DecimalText.nullable(),
  price_source: z.string(),
  price_age_seconds: U32,
  metadata: z.string(),
})

export type ActivityRecord = z.output<typeof ActivityRecord>

/** The columns that `shown_json` of `activities_v1` has, in its order. Amounts and decimals are texts in it. */
export const SHOWN_COLUMNS = [
  'close_time_seconds',
  'activity_type',
  'contract',
  'counterparty',
  'asset_id',
  'asset_symbol',
  'asset_decimals',
  'amount',
  'share_amount',
  'share_decimals',
  'share_type',
  'usd_value',
  'action_id',
  'direction',
  'confidence',
  'price_usd',
  'price_source',
  'price_age_seconds',
  'metadata',
] as const

/**
 * The columns of a page of an account without a filter, for a statement with `TEXT_SETTINGS`. Unpacking nineteen columns of each part is up to two
 * fifths of such a page; as one text they cost half of that.
 */
export const ACCOUNT_COLUMNS = 'protocol, ledger, tx_order, op_index, event_index, row, tx_hash, address, shown_json'

/**
 * Of a part that an earlier build wrote the engine computes `shown_json`, and does so without columns that it read for a condition alone. So a
 * statement on `shown_json` has no condition on one of `SHOWN_COLUMNS`, and no column is read before the others: a quarantine adds a condition on
 * the contract.
 */
export const TEXT_SETTINGS = CONDITIONS_WITH_COLUMNS

/** An activity whose columns are in `shown_json`, which may have more of a later build. */
export const AccountActivityRecord = z
  .looseObject({ shown_json: z.string() })
  .transform(({ shown_json, ...rest }, context) => {
    const values = arrayOf(shown_json)
    if (values !== null && values.length >= SHOWN_COLUMNS.length)
      return { ...rest, ...Object.fromEntries(SHOWN_COLUMNS.map((name, n) => [name, values[n]])) }
    context.addIssue({ code: 'custom', path: ['shown_json'] })
    return z.NEVER
  })
  .pipe(ActivityRecord)

function arrayOf(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
