-- Pools by the hour: the last snapshot of each pool, and of each asset in it, with its counters and rates in columns of their own.
-- Both are copies that materialized views keep, idempotent under replay.

CREATE TABLE IF NOT EXISTS pool_hourly_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...), or fxdao:<currency>',
  hour DateTime('UTC') COMMENT 'Start of the UTC hour, UTC seconds' CODEC(Delta, ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger of the hour''s last snapshot; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of that ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  tvl_usd Decimal(38, 8) COMMENT 'USD: sum of the parts that have a price',
  unpriced_assets UInt16 COMMENT 'Count of the parts left out of tvl_usd' CODEC(ZSTD(1)),
  share_supply Int256 COMMENT 'Raw total shares' CODEC(ZSTD(1)),
  volume_usd Nullable(Decimal(38, 8)) COMMENT 'USD: inputs of all swaps since the pool was first seen. Null outside AMMs',
  fees_usd Nullable(Decimal(38, 8)) COMMENT 'USD: fees of all swaps since then. Null outside AMMs',
  lp_fees_usd Nullable(Decimal(38, 8)) COMMENT 'USD: the part of the fees that stays with the holders of shares. Null outside AMMs',
  value_seconds_usd Nullable(Decimal(38, 8)) COMMENT 'USD seconds: the value of the pool integrated over time since then. Null outside AMMs',
  reward_apy Nullable(Decimal(38, 8)) COMMENT 'Fraction per year: rewards of a holder without a boost (0.05 = 5 %). Null without a price, and outside Aquarius',
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (protocol, pool, hour, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Last snapshot of each pool in each UTC hour, with its counters. Filled from pool_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS pool_hourly_v1_mv$L $ON TO pool_hourly_v1$L AS
SELECT protocol, pool, toStartOfHour(close_time) AS hour, ledger, close_time, tvl_usd, unpriced_assets, share_supply,
  toDecimal128OrNull(JSONExtractString(native, 'volume_usd'), 8) AS volume_usd,
  toDecimal128OrNull(JSONExtractString(native, 'fees_usd'), 8) AS fees_usd,
  toDecimal128OrNull(JSONExtractString(native, 'lp_fees_usd'), 8) AS lp_fees_usd,
  toDecimal128OrNull(JSONExtractString(native, 'value_seconds_usd'), 8) AS value_seconds_usd,
  toDecimal128OrNull(JSONExtractString(native, 'reward_apy'), 8) AS reward_apy,
  adapter_version
FROM pool_snapshots_v1$L
COMMENT 'Keeps pool_hourly_v1';

CREATE TABLE IF NOT EXISTS reserve_hourly_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...), or fxdao:<currency>',
  asset LowCardinality(String) COMMENT 'Token contract (C...) of the reserve',
  hour DateTime('UTC') COMMENT 'Start of the UTC hour, UTC seconds' CODEC(Delta, ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger of the hour''s last snapshot; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of that ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  supplied Int256 COMMENT 'Raw: stored reserve of an AMM, supplied total of a lending reserve' CODEC(ZSTD(1)),
  borrowed Int256 COMMENT 'Raw: borrowed total of a lending reserve, debt of FxDAO, 0 elsewhere' CODEC(ZSTD(1)),
  supplied_usd Nullable(Decimal(38, 8)) COMMENT 'USD of supplied. Null without a price',
  borrowed_usd Nullable(Decimal(38, 8)) COMMENT 'USD of borrowed. Null without a price',
  utilization Nullable(Decimal(38, 8)) COMMENT 'Fraction: borrowed / supplied (lending). Null elsewhere',
  supply_apy Nullable(Decimal(38, 8)) COMMENT 'Fraction per year: interest of supply, compounded weekly (lending). Null elsewhere',
  borrow_apy Nullable(Decimal(38, 8)) COMMENT 'Fraction per year: interest of debts, compounded daily (lending). Null elsewhere',
  supply_emission_apy Nullable(Decimal(38, 8)) COMMENT 'Fraction per year: emissions to suppliers (lending). Null without a price, and elsewhere',
  borrow_emission_apy Nullable(Decimal(38, 8)) COMMENT 'Fraction per year: emissions to borrowers (lending). Null without a price, and elsewhere',
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (protocol, pool, asset, hour, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Last snapshot of each asset of each pool in each UTC hour. Filled from reserve_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS reserve_hourly_v1_mv$L $ON TO reserve_hourly_v1$L AS
SELECT protocol, pool, asset, toStartOfHour(close_time) AS hour, ledger, close_time, supplied, borrowed, supplied_usd, borrowed_usd,
  toDecimal128OrNull(JSONExtractString(native, 'utilization'), 8) / 10000000 AS utilization,
  toDecimal128OrNull(JSONExtractString(native, 'supply_apy'), 8) AS supply_apy,
  toDecimal128OrNull(JSONExtractString(native, 'borrow_apy'), 8) AS borrow_apy,
  toDecimal128OrNull(JSONExtractString(native, 'supply_emission_apy'), 8) AS supply_emission_apy,
  toDecimal128OrNull(JSONExtractString(native, 'borrow_emission_apy'), 8) AS borrow_emission_apy,
  adapter_version
FROM reserve_snapshots_v1$L
COMMENT 'Keeps reserve_hourly_v1';
