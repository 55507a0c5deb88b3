-- Health factors that entered another step of 0.01, in the order of ledgers: what interest and prices do to a position between its snapshots.
-- Filled from the state, which has the step of each position for the restart of a fold.

CREATE TABLE IF NOT EXISTS health_factor_steps_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool LowCardinality(String) COMMENT 'Pool contract (C...)',
  address String COMMENT 'Account (G... or C...) that holds the position' CODEC(ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger at whose end the health factor is in this step, and was in another one when it was looked at before' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  health_factor Nullable(Decimal(76, 18)) COMMENT 'Effective collateral / effective debt, rounded down as the contract does. Null where it has more than 58 digits before the point' CODEC(ZSTD(1)),
  step Decimal(3, 2) COMMENT 'Lower edge of the step: 0.50 to 2.99. 0 below 0.5, 3 at 3 and above' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
PARTITION BY intDiv(ledger, 500000)
ORDER BY (ledger, protocol, pool, address, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Health factors of positions that entered another step of 0.01, ordered by ledger. Filled from state_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS health_factor_steps_v1_mv$L $ON TO health_factor_steps_v1$L AS
SELECT protocol, contract AS pool, owner AS address, ledger, close_time,
  toDecimal256OrNull(JSONExtractString(value, 'health_factor'), 18) AS health_factor,
  toDecimal32(toUInt16OrZero(JSONExtractString(value, 'step')), 2) / 100 AS step,
  adapter_version
FROM state_v1$L
WHERE endsWith(key, ':health_step') AND NOT removed
COMMENT 'Keeps health_factor_steps_v1';
