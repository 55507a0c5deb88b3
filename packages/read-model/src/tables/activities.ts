// Activities, transactions and notices. Materialized views fill the orders by contract and by ledger, and
// the look-up of a hash.

import type { ActivityRow, NoticeRow, TransactionRow } from '@orrery/protocol-kit'
import { decimal, fraction, int256, json, nullable, seconds, table, text, unsigned, unsigned64 } from './column.ts'

export const activitiesTable = table<ActivityRow>('activities_v1', {
  protocol: text((row) => row.protocol),
  ledger: unsigned(32, (row) => row.key.ledger),
  tx_order: unsigned(32, (row) => row.key.txOrder),
  op_index: unsigned(16, (row) => row.key.opIndex),
  event_index: unsigned(32, (row) => row.key.eventIndex),
  row: unsigned(32, (row) => row.key.row),
  close_time: seconds((row) => row.closeTimeSeconds),
  tx_hash: text((row) => row.txHash),
  address: text((row) => row.address),
  activity_type: text((row) => row.activityType),
  contract: text((row) => row.contract),
  counterparty: text((row) => row.counterparty),
  asset_id: text((row) => row.assetId),
  asset_symbol: text((row) => row.assetSymbol),
  asset_decimals: nullable(
    (row) => row.assetDecimals,
    (present) => unsigned(8, present),
  ),
  amount: int256((row) => row.amount),
  share_amount: int256((row) => row.shareAmount),
  share_decimals: unsigned(8, (row) => row.shareDecimals),
  share_type: text((row) => row.shareType),
  usd_value: nullable(
    (row) => row.usdValue,
    (present) => decimal(38, 8, present),
  ),
  volume_usd: decimal(38, 8, (row) => row.volumeUsd),
  counts: unsigned(8, (row) => row.counts),
  action_id: text((row) => row.actionId),
  direction: text((row) => row.direction),
  confidence: fraction((row) => row.confidence),
  price_usd: nullable(
    (row) => row.priceUsd,
    (present) => decimal(76, 18, present),
  ),
  price_source: text((row) => row.priceSource),
  price_age_seconds: unsigned(32, (row) => row.priceAgeSeconds),
  metadata: json((row) => row.metadata),
})

export const transactionsTable = table<TransactionRow>('transactions_v1', {
  protocol: text((row) => row.protocol),
  tx_hash: text((row) => row.txHash),
  ledger: unsigned(32, (row) => row.ledger),
  tx_order: unsigned(32, (row) => row.txOrder),
  close_time: seconds((row) => row.closeTimeSeconds),
  source: text((row) => row.source),
  fee_source: text((row) => row.feeSource),
  fee_charged: nullable(
    (row) => row.feeCharged,
    (present) => unsigned64(present),
  ),
  memo_type: text((row) => row.memoType),
  memo: text((row) => row.memo),
  activity_rows: unsigned(32, (row) => row.activityRows),
})

export const noticesTable = table<NoticeRow>('notices_v1', {
  protocol: text((row) => row.protocol),
  partition: unsigned(16, (row) => row.partition),
  contract: text((row) => row.contract),
  kind: text((row) => row.kind),
  reason: text((row) => row.reason),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  count: unsigned(32, (row) => row.count),
})
