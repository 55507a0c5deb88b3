-- Changes of positions in the order of ledgers, for readers that follow the index. Rows that only the hour made are left out, except those of
-- positions that owe something: interest and prices move their health factor.

CREATE TABLE IF NOT EXISTS position_snapshots_by_ledger_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...), or fxdao:<currency>',
  address String COMMENT 'Account (G... or C...) that holds the position' CODEC(ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger at whose end the values hold' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  heartbeat Bool COMMENT 'True when only the hour made the row, false when something changed' CODEC(ZSTD(1)),
  open Bool COMMENT 'False in the row of zeros that closes a position' CODEC(ZSTD(1)),
  borrowed_usd Nullable(Decimal(38, 8)) COMMENT 'USD: debt. Parts without a price are left out; null if no part has one' CODEC(ZSTD(1)),
  deposited_usd Nullable(Decimal(38, 8)) COMMENT 'USD: supplied + backstop (+ LP, vault collateral). Parts without a price are left out; null if no part has one' CODEC(ZSTD(1)),
  health_factor Nullable(Decimal(76, 18)) COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' CODEC(ZSTD(1)),
  unpriced_assets UInt16 COMMENT 'Count of the position''s assets that had no price: the values leave them out' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
PARTITION BY intDiv(ledger, 500000)
ORDER BY (ledger, protocol, pool, address, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Changes of positions, and the hourly values of those that owe, ordered by ledger. Filled from position_snapshots_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS position_snapshots_by_ledger_v1_mv$L $ON TO position_snapshots_by_ledger_v1$L AS
SELECT protocol, pool, address, ledger, close_time, heartbeat, open, borrowed_usd, deposited_usd,
  if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7)) AS health_factor,
  unpriced_assets, adapter_version
FROM position_snapshots_v1$L
WHERE NOT heartbeat OR effective_liabilities_usd > 0
COMMENT 'Keeps position_snapshots_by_ledger_v1';

-- What earlier builds have stored. A row that is written meanwhile is replaced by its copy.
INSERT INTO position_snapshots_by_ledger_v1$L
SELECT protocol, pool, address, ledger, close_time, heartbeat, open, borrowed_usd, deposited_usd,
  if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7)) AS health_factor,
  unpriced_assets, adapter_version
FROM position_snapshots_v1$L
WHERE NOT heartbeat OR effective_liabilities_usd > 0;
