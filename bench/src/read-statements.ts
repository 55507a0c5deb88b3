// The statements behind the answers of `/v1`, each with its floor: the cheapest statement, written by hand, that returns the same rows. A floor
// reads a base table by the prefix of its key, with the watermark, the version and deduplication, and nothing else: no optional condition, no
// grid of buckets, no join, no value carried into a bucket without a row. It is the lower bound that the statement of the API is compared with,
// so it does not change with that statement.

import type { Query } from '@orrery/read-model'
import {
  accountActivities,
  accountActivitySeries,
  accountSeriesRows,
  poolDays,
  positionDays,
  positionHistory,
  positionSnapshots,
  positionSummary,
  protocolTvlByDay,
  summaryDays,
  transactionActivities,
  transactionPlaces,
  transactionRecords,
} from '@orrery/read-model/queries'

/** What the statements are about: rows that the index has many of. */
export interface Subjects {
  /** Account with the most activities. */
  readonly account: string
  /** Position with the most snapshots. */
  readonly position: { readonly protocol: string; readonly address: string; readonly pool: string }
  /** Protocol with the most pools. */
  readonly protocol: string
  readonly transaction: { readonly tx_hash: string; readonly ledger: number; readonly tx_order: number }
  readonly watermark: number
  /** Close time of the watermark, unix seconds. */
  readonly seconds: number
  /** The first ledger of a day that begins at `seconds`, or of a later one. */
  ledgerAt(seconds: number): number
  /** The active index versions. */
  readonly active: readonly (readonly [protocol: string, version: number])[]
}

export interface ReadStatement {
  readonly name: string
  readonly query: Query
  readonly params: Record<string, unknown>
  readonly floor: string
}

const DAY = 86_400
const DAYS = 30

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const ACTIVITY = `protocol, ledger, tx_order, op_index, event_index, row, toUnixTimestamp(close_time) AS close_time_seconds, tx_hash,
  address, activity_type, contract, counterparty, asset_id, asset_symbol, asset_decimals, amount, share_amount, share_decimals, share_type,
  usd_value, action_id, direction, confidence, price_usd, price_source, price_age_seconds, metadata`

export function readStatements(of: Subjects): readonly ReadStatement[] {
  const { account, position, protocol, transaction, watermark, seconds } = of
  const active = `(protocol, adapter_version) IN (${of.active.map(([id, version]) => `(${text(id)}, ${version})`).join(', ')})`
  const versionOf = (id: string): number => of.active.find(([one]) => one === id)?.[1] ?? 0
  const today = seconds - (seconds % DAY)
  const first = today - (DAYS - 1) * DAY
  const dateOf = (at: number): string => new Date(1_000 * at).toISOString().slice(0, 10)
  const days = { first_day: dateOf(first), last_day: dateOf(seconds), rows: 5_001 }
  const pastDays = { protocol, first: dateOf(first), days: DAYS - 1, watermark }
  const floorOfTvl = `SELECT day, sum(value.1) AS tvl, sum(value.2) AS unpriced FROM (
          SELECT day, pool, argMax(tuple(tvl_usd, unpriced_assets), ledger) AS value FROM pool_daily_v1
          WHERE protocol = ${text(protocol)} AND day >= toDate(${first}) AND day < toDate(${today}) AND ledger <= ${watermark}
            AND adapter_version = ${versionOf(protocol)}
          GROUP BY day, pool
        ) GROUP BY day ORDER BY day`
  const buckets = { axis: 'time', first, width: DAY, count: DAYS, from: first, to: seconds }
  const ofPosition = `address = ${text(position.address)} AND protocol = ${text(position.protocol)} AND pool = ${text(position.pool)}
    AND ledger <= ${watermark} AND adapter_version = ${versionOf(position.protocol)}`
  const { tx_hash: hash } = transaction
  const ofTransaction = { tx_hash: hash, ledgers: [transaction.ledger], tx_orders: [transaction.tx_order] }
  const tx64 = `reinterpretAsUInt64(reverse(unhex('${hash.slice(0, 16)}')))`
  const place = `(ledger, tx_order) IN (SELECT ledger, tx_order FROM tx_lookup_v1 WHERE tx64 = ${tx64}) AND tx_hash = '${hash}' AND ${active}`
  return [
    {
      name: 'feed, 50',
      query: accountActivities.desc as unknown as Query,
      params: {
        ...{ address: account, watermark },
        ...{ from_ledger: 0, to_ledger: watermark, after_ledger: null, after_tx_order: null },
        ...{ after_op_index: null, after_event_index: null, after_row: null, rows: 51 },
      },
      floor: `SELECT * FROM (
          SELECT protocol, ledger, tx_order, op_index, event_index, row, tx_hash, address, shown_json
          FROM activities_v1 WHERE address = ${text(account)} AND ledger <= ${watermark} AND ${active}
          ORDER BY ledger DESC, tx_order DESC, op_index DESC, event_index DESC, row DESC LIMIT 102
        ) LIMIT 1 BY ledger, tx_order, op_index, event_index, row LIMIT 51`,
    },
    {
      name: 'position history, 30 d',
      query: positionDays as unknown as Query,
      params: { ...position, ...days },
      floor: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets
        FROM position_daily_v1 WHERE ${ofPosition} AND day >= toDate(${first}) ORDER BY day DESC, ledger DESC LIMIT 1 BY day`,
    },
    {
      name: 'the same of snapshots',
      query: positionHistory.time as unknown as Query,
      params: { ...position, watermark, first, width: DAY, from: first, to: seconds },
      floor: `SELECT intDiv(toUnixTimestamp(close_time), ${DAY}) AS bucket,
          argMax(tuple(ledger, close_time, supplied_usd, borrowed_usd, net_usd, unpriced_assets), ledger) AS last
        FROM position_snapshots_v1 WHERE ${ofPosition} AND close_time >= ${first} GROUP BY bucket ORDER BY bucket`,
    },
    {
      name: 'position history, each snapshot',
      query: positionSnapshots as unknown as Query,
      params: { ...position, watermark, from: 0, to: 4_294_967_295, to_ledger: watermark, rows: 5_001 },
      floor: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets
        FROM position_snapshots_v1 WHERE ${ofPosition} ORDER BY ledger DESC LIMIT 1 BY ledger LIMIT 5001`,
    },
    {
      name: 'summary history, 30 d',
      query: summaryDays as unknown as Query,
      params: { address: position.address, protocol: position.protocol, ...days },
      floor: `SELECT pool, ledger, toUnixTimestamp(close_time) AS close_time_seconds, unpriced_assets, supplied_usd, borrowed_usd, deposited_usd, net_usd,
          net_apy, health_factor, effective_collateral_usd, effective_liabilities_usd
        FROM position_daily_v1 WHERE address = ${text(position.address)} AND protocol = ${text(position.protocol)}
          AND adapter_version = ${versionOf(position.protocol)} AND day >= toDate(${first})
        ORDER BY pool, day DESC, ledger DESC LIMIT 1 BY pool, day`,
    },
    {
      name: 'the same of snapshots',
      query: positionSummary as unknown as Query,
      params: { address: position.address, protocol: position.protocol, watermark, ...buckets, carry: true },
      floor: `SELECT bucket, sum(last.1), sum(last.2), sum(last.3), sum(last.4), sum(last.5), min(last.6), min(last.7), sum(last.8)
        FROM (
          SELECT pool, intDiv(toUnixTimestamp(close_time), ${DAY}) AS bucket, argMax(tuple(supplied_usd, borrowed_usd, deposited_usd, net_usd,
            net_apy, effective_collateral_usd, effective_liabilities_usd, unpriced_assets, health_factor), ledger) AS last
          FROM position_snapshots_v1
          WHERE address = ${text(position.address)} AND protocol = ${text(position.protocol)} AND ledger <= ${watermark}
            AND adapter_version = ${versionOf(position.protocol)} AND close_time >= ${first}
          GROUP BY pool, bucket
        ) GROUP BY bucket ORDER BY bucket`,
    },
    {
      name: 'activity series, 30 d',
      query: accountSeriesRows as unknown as Query,
      params: { address: account, protocol: '', from_ledger: of.ledgerAt(first), to_ledger: watermark, watermark, rows: 2_001 },
      floor: `SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, activity_type, action_id, counts, confidence, usd_value, price_source,
          price_age_seconds, direction, volume_usd, asset_id
        FROM activities_v1 FINAL WHERE address = ${text(account)} AND ledger BETWEEN ${of.ledgerAt(first)} AND ${watermark} AND ${active}
        ORDER BY ledger, tx_order, op_index, event_index, row`,
    },
    {
      name: 'the same in the engine',
      query: accountActivitySeries as unknown as Query,
      params: {
        address: account,
        protocol: '',
        axis: 'time',
        first,
        width: DAY,
        from_ledger: of.ledgerAt(first),
        to_ledger: watermark,
        watermark,
      },
      floor: `SELECT intDiv(toUnixTimestamp(close_time), ${DAY}) AS bucket, activity_type, sum(counts), sum(usd_value), min(confidence),
          countIf(isNull(usd_value)), groupUniqArray(price_source), max(price_age_seconds), uniqExact(action_id), countIf(direction = 'sent'), max(ledger)
        FROM activities_v1 FINAL
        WHERE address = ${text(account)} AND ledger <= ${watermark} AND ${active} AND close_time >= ${first}
        GROUP BY bucket, activity_type ORDER BY bucket, activity_type`,
    },
    {
      name: 'TVL, 30 d',
      query: poolDays as unknown as Query,
      params: { ...pastDays, rows: 2_001 },
      floor: floorOfTvl,
    },
    {
      name: 'TVL, 30 d, in the engine',
      query: protocolTvlByDay as unknown as Query,
      params: pastDays,
      floor: floorOfTvl,
    },
    {
      name: 'place of a transaction',
      query: transactionPlaces as unknown as Query,
      params: { tx_hash: hash },
      floor: `SELECT ledger, tx_order FROM tx_lookup_v1 WHERE tx64 = ${tx64} LIMIT 1`,
    },
    {
      name: 'activities of a transaction',
      query: transactionActivities as unknown as Query,
      params: ofTransaction,
      floor: `SELECT ${ACTIVITY} FROM activities_by_ledger_v1 WHERE ${place}
        ORDER BY ledger, tx_order, op_index, event_index, address, row LIMIT 1 BY op_index, event_index, address, row`,
    },
    {
      name: 'records of a transaction',
      query: transactionRecords as unknown as Query,
      params: ofTransaction,
      floor: `SELECT protocol, ledger, close_time, source, fee_source, fee_charged, memo_type, memo, activity_rows
        FROM transactions_v1 WHERE ${place} LIMIT 1 BY protocol`,
    },
  ]
}
