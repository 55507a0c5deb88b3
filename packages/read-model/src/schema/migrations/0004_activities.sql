-- Activities: one row for each asset leg of what an account did, in the three orders that readers ask for.
-- Every order ends in row and adapter_version: without row, legs of one event would collapse.

CREATE TABLE IF NOT EXISTS activities_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol that wrote the row: blend, aquarius, soroswap, fxdao',
  ledger UInt32 COMMENT 'Ledger of the action' CODEC(Delta, ZSTD(1)),
  tx_order UInt32 COMMENT 'Apply order of the transaction in its ledger, from 1' CODEC(ZSTD(1)),
  op_index UInt16 COMMENT 'Index of the operation in its transaction, from 0' CODEC(ZSTD(1)),
  event_index UInt32 COMMENT 'Index of the event in its operation; beyond the events: event count + index of the call' CODEC(ZSTD(1)),
  row UInt32 COMMENT 'Place of the row in its whole action, the protocol''s number in the high 8 bits' CODEC(ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Transaction hash, 64 lowercase hex characters' CODEC(ZSTD(1)),
  address String COMMENT 'Account (G... or C...) whose position changes' CODEC(ZSTD(1)),
  activity_type LowCardinality(String) COMMENT 'deposit, withdraw, borrow, repay, swap, claim, stake, ..., see docs/analysts.md',
  contract LowCardinality(String) COMMENT 'Contract touched: the pool (C...)',
  counterparty String COMMENT 'Pool, other account, or the receiver where it differs; empty when there is none' CODEC(ZSTD(1)),
  asset_id LowCardinality(String) COMMENT 'Token contract (C...) of the leg; empty for a leg without an asset',
  asset_symbol LowCardinality(String) COMMENT 'Symbol of the asset; empty when unknown',
  asset_decimals Nullable(UInt8) COMMENT 'Decimals of the asset; null when unknown: the amount then is raw' CODEC(ZSTD(1)),
  amount Int256 COMMENT 'Raw amount in the asset''s smallest unit, never negative: leg tells the direction' CODEC(ZSTD(1)),
  share_amount Int256 COMMENT 'Raw shares that moved, never negative; 0 where none moves' CODEC(ZSTD(1)),
  share_decimals UInt8 COMMENT 'Decimals of share_amount' CODEC(ZSTD(1)),
  share_type LowCardinality(String) COMMENT 'b_token, b_token_collateral, d_token, backstop_share, lp_share, vault or empty',
  usd_value Nullable(Decimal(38, 8)) COMMENT 'USD of the leg at the ledger''s price. Null without a price',
  volume_usd Decimal(38, 8) COMMENT 'USD that counts as volume: 0 unless the leg counts. Sums over accounts and protocols use only this',
  counts UInt8 COMMENT '1 on exactly one row of an action for each address, else 0: its sum counts actions' CODEC(ZSTD(1)),
  action_id String COMMENT 'Same for all legs of an action: the key of its first event, 32 hex characters' CODEC(ZSTD(1)),
  leg LowCardinality(String) COMMENT 'in: the account gives; out: it receives; empty where nothing moves',
  confidence Float64 COMMENT '1: the contract names the account; 0.9: derived from calls and transfers; 0.5: only the transaction''s source is known' CODEC(ZSTD(1)),
  price_source LowCardinality(String) COMMENT 'oracle:<contract>, pool:<contract> or empty',
  price_age_seconds UInt32 COMMENT 'Age of the price at the ledger''s close, seconds; 0 when none was used' CODEC(ZSTD(1)),
  metadata String COMMENT 'JSON: the contract''s own event name, role, reason, path' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (address, ledger, tx_order, op_index, event_index, row, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'What accounts did, ordered by account. Replaced by key when written again';

CREATE TABLE IF NOT EXISTS activities_by_contract_v1$L $ON AS activities_v1$L
ENGINE = $RMT()
ORDER BY (contract, ledger, tx_order, op_index, event_index, address, row, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'What accounts did, ordered by the contract touched. Filled from activities_v1';

CREATE TABLE IF NOT EXISTS activities_by_ledger_v1$L $ON AS activities_v1$L
ENGINE = $RMT()
PARTITION BY intDiv(ledger, 500000)
ORDER BY (ledger, tx_order, op_index, event_index, address, row, adapter_version)
SETTINGS index_granularity = 8192, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'What accounts did, ordered by ledger. Filled from activities_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS activities_by_contract_v1_mv$L $ON TO activities_by_contract_v1$L AS
SELECT * FROM activities_v1$L
COMMENT 'Keeps activities_by_contract_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS activities_by_ledger_v1_mv$L $ON TO activities_by_ledger_v1$L AS
SELECT * FROM activities_v1$L
COMMENT 'Keeps activities_by_ledger_v1';

CREATE TABLE IF NOT EXISTS transactions_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol that wrote the row',
  tx_hash String COMMENT 'Transaction hash, 64 lowercase hex characters' CODEC(ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger of the transaction' CODEC(Delta, ZSTD(1)),
  tx_order UInt32 COMMENT 'Apply order in the ledger, from 1' CODEC(ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  source String COMMENT 'Source account of the transaction (of a fee bump: of the inner one)' CODEC(ZSTD(1)),
  fee_source String COMMENT 'Account that paid the fee of a fee bump, else empty' CODEC(ZSTD(1)),
  activity_rows UInt32 COMMENT 'Count of activity rows that the protocol has for the whole transaction' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (ledger, tx_order, protocol, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Transactions that touched a protocol, one row for each protocol. Written after the activities. By hash: through tx_lookup_v1';

-- Fed by activities and by transactions, so that a hash is found whichever of the two was written.
CREATE TABLE IF NOT EXISTS tx_lookup_v1$L $ON (
  tx64 UInt64 COMMENT 'First 16 hex characters of the transaction hash as a number: compare the whole hash as well' CODEC(NONE),
  ledger UInt32 COMMENT 'Ledger of the transaction' CODEC(ZSTD(1)),
  tx_order UInt32 COMMENT 'Apply order in the ledger, from 1' CODEC(ZSTD(1)),
  protocol LowCardinality(String) COMMENT 'Protocol that has rows of it',
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (tx64, ledger, tx_order, protocol, adapter_version)
SETTINGS index_granularity = 1024
COMMENT 'From a transaction hash to its place. Filled from activities_v1 and transactions_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS tx_lookup_from_activities_v1_mv$L $ON TO tx_lookup_v1$L AS
SELECT DISTINCT reinterpretAsUInt64(reverse(unhex(substring(tx_hash, 1, 16)))) AS tx64, ledger, tx_order, protocol, adapter_version
FROM activities_v1$L
COMMENT 'Keeps tx_lookup_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS tx_lookup_from_transactions_v1_mv$L $ON TO tx_lookup_v1$L AS
SELECT reinterpretAsUInt64(reverse(unhex(substring(tx_hash, 1, 16)))) AS tx64, ledger, tx_order, protocol, adapter_version
FROM transactions_v1$L
COMMENT 'Keeps tx_lookup_v1';

CREATE TABLE IF NOT EXISTS notices_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol that met it',
  partition UInt16 COMMENT 'Partition that met it' CODEC(ZSTD(1)),
  contract LowCardinality(String) COMMENT 'Contract (C...) concerned, empty when none',
  kind LowCardinality(String) COMMENT 'event, entry, call, price_pool, oracle, asset or invariant',
  reason LowCardinality(String) COMMENT 'Why it could not be used, in a few words',
  ledger UInt32 COMMENT 'Ledger in which it was met' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  count UInt32 COMMENT 'How often in this ledger' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, contract, kind, reason, ledger, partition, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Unknown or broken things that were met, counted. Replaced by key when written again';
