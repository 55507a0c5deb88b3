-- The last snapshot of each position on each UTC day: charts of days read one row a day instead of one an hour.

CREATE TABLE IF NOT EXISTS position_daily_v1$L $ON (
  address String COMMENT 'Account (G... or C...) that holds the position' CODEC(ZSTD(1)),
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...), or fxdao:<currency>',
  day Date COMMENT 'UTC day' CODEC(Delta, ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger of the day''s last snapshot; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of that ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  open Bool COMMENT 'False in the row of zeros that closes a position' CODEC(ZSTD(1)),
  supplied_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supply + collateral, for LP what the shares would pay. Parts without a price are left out; null if no part has one',
  borrowed_usd Nullable(Decimal(38, 8)) COMMENT 'USD: debt. Parts without a price are left out; null if no part has one',
  deposited_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supplied + backstop (+ LP, vault collateral). Parts without a price are left out; null if no part has one',
  net_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supplied - borrowed. Parts without a price are left out; null if no part has one',
  effective_collateral_usd Nullable(Decimal(38, 8)) COMMENT 'USD: sum of collateral x c_factor (lending), 0 elsewhere',
  effective_liabilities_usd Nullable(Decimal(38, 8)) COMMENT 'USD: sum of liability / l_factor (lending), 0 elsewhere',
  net_apy Nullable(Decimal(38, 18)) COMMENT 'Fraction per year over the net value (0.05 = 5 %). Null where snapshots carry none',
  health_factor Nullable(Decimal(76, 18)) COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' CODEC(ZSTD(1)),
  unpriced_assets UInt16 COMMENT 'Count of the position''s assets that had no price: the values leave them out' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (address, protocol, pool, day, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1, min_bytes_for_wide_part = 1099511627776
COMMENT 'Last snapshot of each position on each UTC day. It may be newer than the watermark. Filled from position_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS position_daily_v1_mv$L $ON TO position_daily_v1$L AS
SELECT address, protocol, pool, toDate(close_time) AS day, ledger, close_time, open, supplied_usd, borrowed_usd, deposited_usd, net_usd,
  effective_collateral_usd, effective_liabilities_usd, net_apy, health_factor, unpriced_assets, adapter_version
FROM position_snapshots_v1$L
COMMENT 'Keeps position_daily_v1';

-- What earlier builds have stored. Of a day that is written meanwhile the later row is in force.
INSERT INTO position_daily_v1$L
SELECT address, protocol, pool, toDate(close_time) AS day, ledger, close_time, open, supplied_usd, borrowed_usd, deposited_usd, net_usd,
  effective_collateral_usd, effective_liabilities_usd, net_apy, health_factor, unpriced_assets, adapter_version
FROM position_snapshots_v1$L;
