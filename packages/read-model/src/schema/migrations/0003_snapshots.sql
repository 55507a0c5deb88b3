-- Snapshots: the value of positions, pools and reserves, fixed at their ledger's rates and prices.
-- One row when something changes and one at the first ledger of an hour (small positions: of a day).

CREATE TABLE IF NOT EXISTS position_snapshots_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  address String COMMENT 'Account (G... or C...) that holds the position' CODEC(ZSTD(1)),
  pool LowCardinality(String) COMMENT 'Pool contract (C...)',
  ledger UInt32 COMMENT 'Ledger at whose end the values hold' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  heartbeat Bool COMMENT 'True when only the hour made the row, false when something changed' CODEC(ZSTD(1)),
  open Bool COMMENT 'False in the row of zeros that closes a position' CODEC(ZSTD(1)),
  supplied_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supply + collateral, for LP what the shares would pay. Null when a part has no price',
  borrowed_usd Nullable(Decimal(38, 8)) COMMENT 'USD: debt. Null when a part has no price',
  deposited_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supplied + backstop (+ LP, vault collateral). Null when a part has no price',
  net_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supplied - borrowed. Null when a part has no price',
  effective_collateral_usd Nullable(Decimal(38, 8)) COMMENT 'USD: sum of collateral x c_factor (lending), 0 elsewhere',
  effective_liabilities_usd Nullable(Decimal(38, 8)) COMMENT 'USD: sum of liability / l_factor (lending), 0 elsewhere',
  net_apy Nullable(Decimal(38, 18)) COMMENT 'Fraction per year over the net value (0.05 = 5 %). Null where snapshots carry none',
  unpriced_assets UInt16 COMMENT 'Count of the position''s assets that had no price' CODEC(ZSTD(1)),
  shares Int256 COMMENT 'Raw shares of the pool (LP), 0 elsewhere' CODEC(ZSTD(1)),
  native String COMMENT 'JSON: native amounts as decimal strings' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (address, protocol, pool, ledger, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Value of each position over time. Replaced by key when written again';

CREATE TABLE IF NOT EXISTS positions_latest_v1$L $ON AS position_snapshots_v1$L
ENGINE = $RMT(ledger)
ORDER BY (address, protocol, pool, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Newest snapshot of each position; the row with the largest ledger is in force. It may be newer than the watermark. Filled from position_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS positions_latest_v1_mv$L $ON TO positions_latest_v1$L AS
SELECT * FROM position_snapshots_v1$L
COMMENT 'Keeps positions_latest_v1';

CREATE TABLE IF NOT EXISTS pool_snapshots_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...)',
  ledger UInt32 COMMENT 'Ledger at whose end the values hold' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  heartbeat Bool COMMENT 'True when only the hour made the row, false when something changed' CODEC(ZSTD(1)),
  tvl_usd Decimal(38, 8) COMMENT 'USD: sum of the parts that have a price',
  unpriced_assets UInt16 COMMENT 'Count of the parts left out of tvl_usd' CODEC(ZSTD(1)),
  share_supply Int256 COMMENT 'Raw total shares' CODEC(ZSTD(1)),
  native String COMMENT 'JSON: native amounts as decimal strings' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, pool, ledger, adapter_version)
SETTINGS index_granularity = 2048, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Value of each pool over time. Replaced by key when written again';

CREATE TABLE IF NOT EXISTS pool_daily_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  day Date COMMENT 'UTC day' CODEC(Delta, ZSTD(1)),
  pool LowCardinality(String) COMMENT 'Pool contract (C...)',
  ledger UInt32 COMMENT 'Ledger of the day''s last snapshot; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of that ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  tvl_usd Decimal(38, 8) COMMENT 'USD: sum of the parts that have a price',
  unpriced_assets UInt16 COMMENT 'Count of the parts left out of tvl_usd' CODEC(ZSTD(1)),
  share_supply Int256 COMMENT 'Raw total shares' CODEC(ZSTD(1)),
  native String COMMENT 'JSON: native amounts as decimal strings' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (protocol, day, pool, adapter_version)
SETTINGS index_granularity = 2048, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Last snapshot of each pool on each UTC day. Filled from pool_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS pool_daily_v1_mv$L $ON TO pool_daily_v1$L AS
SELECT protocol, toDate(close_time) AS day, pool, ledger, close_time, tvl_usd, unpriced_assets, share_supply, native, adapter_version
FROM pool_snapshots_v1$L
COMMENT 'Keeps pool_daily_v1';

CREATE TABLE IF NOT EXISTS reserve_snapshots_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...)',
  asset LowCardinality(String) COMMENT 'Token contract (C...) of the reserve',
  ledger UInt32 COMMENT 'Ledger at whose end the values hold' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  heartbeat Bool COMMENT 'True when only the hour made the row, false when something changed' CODEC(ZSTD(1)),
  supplied Int256 COMMENT 'Raw: stored reserve of an AMM, supplied total of a lending reserve' CODEC(ZSTD(1)),
  borrowed Int256 COMMENT 'Raw: borrowed total of a lending reserve, 0 elsewhere' CODEC(ZSTD(1)),
  supplied_usd Nullable(Decimal(38, 8)) COMMENT 'USD of supplied. Null without a price',
  borrowed_usd Nullable(Decimal(38, 8)) COMMENT 'USD of borrowed. Null without a price',
  price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset. Null without a price',
  price_source LowCardinality(String) COMMENT 'oracle:<contract>, pool:<contract> or empty',
  native String COMMENT 'JSON: native amounts as decimal strings' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, pool, asset, ledger, adapter_version)
SETTINGS index_granularity = 2048, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Each asset of each pool over time. Replaced by key when written again';
