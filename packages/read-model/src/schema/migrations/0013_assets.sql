-- Assets: which tokens the index has met, and the price of each by the hour. Both are copies that materialized views keep, idempotent
-- under replay.

CREATE TABLE IF NOT EXISTS prices_hourly_v1$L $ON (
  asset String COMMENT 'Token contract (C...)' CODEC(ZSTD(1)),
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the price',
  source LowCardinality(String) COMMENT 'oracle:<contract> or pool:<contract>',
  hour DateTime('UTC') COMMENT 'Start of the UTC hour, UTC seconds' CODEC(Delta, ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger of the hour''s last price; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of that ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  price_usd Decimal(76, 18) COMMENT 'USD for one whole unit of the asset',
  observed_at DateTime('UTC') COMMENT 'When the source says the price was true, UTC seconds' CODEC(Delta, ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (asset, protocol, source, hour, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Last price of each asset and source in each UTC hour. Filled from prices_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS prices_hourly_v1_mv$L $ON TO prices_hourly_v1$L AS
SELECT asset, protocol, source, toStartOfHour(close_time) AS hour, ledger, close_time, price_usd, observed_at, adapter_version
FROM prices_v1$L
COMMENT 'Keeps prices_hourly_v1';

CREATE TABLE IF NOT EXISTS assets_v1$L $ON (
  asset String COMMENT 'Token contract (C...)' CODEC(ZSTD(1)),
  protocol LowCardinality(String) COMMENT 'Protocol whose fold met the asset',
  first_ledger UInt32 COMMENT 'First ledger with a price of it, a reserve of it, or an activity in it' CODEC(ZSTD(1)),
  earliness UInt32 COMMENT '4294967295 minus first_ledger: the row with the largest one is in force' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(earliness)
ORDER BY (asset, protocol, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Every asset that a source priced, a pool held or an activity moved. Filled from prices_v1, reserve_snapshots_v1 and activities_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_prices_mv$L $ON TO assets_v1$L AS
SELECT asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM prices_v1$L GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_reserves_mv$L $ON TO assets_v1$L AS
SELECT asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM reserve_snapshots_v1$L GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_activities_mv$L $ON TO assets_v1$L AS
SELECT asset_id AS asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM activities_v1$L WHERE asset_id != '' GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';
