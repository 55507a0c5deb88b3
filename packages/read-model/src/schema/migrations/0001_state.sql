-- State: every remembered thing of every fold, in the orders that restarts and readers need.
-- state_v1 is written; the other three are copies that materialized views keep, each idempotent under replay.

CREATE TABLE IF NOT EXISTS state_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the row: blend, aquarius, soroswap, fxdao',
  contract LowCardinality(String) COMMENT 'Contract (C...) that the entry is filed under: pool, root, oracle or token',
  key String COMMENT 'Name of the entry under the contract. Of an account: @<address>:<name>, of everything else: starts with a letter',
  ledger UInt32 COMMENT 'Ledger at whose end this value holds' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  owner String COMMENT 'Account (G... or C...) that the entry belongs to, empty when it is nobody''s' CODEC(ZSTD(1)),
  scope UInt16 COMMENT 'Partition that folded the row; 65535 = shared by all partitions of the protocol' CODEC(ZSTD(1)),
  live_until UInt32 COMMENT 'Last live ledger of the chain entry; 0 for facts and where unknown' CODEC(ZSTD(1)),
  durability LowCardinality(String) COMMENT 'temporary (absent once live_until has passed), persistent or fact (remembered by the fold, not on chain)',
  removed Bool COMMENT 'True when the entry was removed at this ledger: absent from here on, value is empty' CODEC(ZSTD(1)),
  inferred Bool COMMENT 'True when taken from a pre-image instead of a change that the index saw' CODEC(ZSTD(1)),
  value String COMMENT 'JSON; integers of the chain as decimal strings in their contract scale' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, contract, key, ledger, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Every value that every entry of state had, one row for each ledger that changed it. Replaced by key when written again';

CREATE TABLE IF NOT EXISTS state_by_owner_v1$L $ON (
  owner String COMMENT 'Account (G... or C...) that the entry belongs to' CODEC(ZSTD(1)),
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the row',
  contract LowCardinality(String) COMMENT 'Contract (C...) that the entry is filed under',
  key String COMMENT 'Name of the entry under the contract: @<address>:<name>',
  ledger UInt32 COMMENT 'Ledger at whose end this value holds' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  scope UInt16 COMMENT 'Partition that folded the row; 65535 = shared' CODEC(ZSTD(1)),
  live_until UInt32 COMMENT 'Last live ledger of the chain entry; 0 for facts and where unknown' CODEC(ZSTD(1)),
  durability LowCardinality(String) COMMENT 'temporary, persistent or fact',
  removed Bool COMMENT 'True when the entry was removed at this ledger' CODEC(ZSTD(1)),
  inferred Bool COMMENT 'True when taken from a pre-image' CODEC(ZSTD(1)),
  value String COMMENT 'JSON; integers of the chain as decimal strings in their contract scale' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (owner, protocol, contract, key, ledger, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'State of accounts, ordered by account. Filled from state_v1';

CREATE TABLE IF NOT EXISTS state_latest_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the row',
  scope UInt16 COMMENT 'Partition that folded the row; 65535 = shared by all partitions of the protocol' CODEC(ZSTD(1)),
  contract LowCardinality(String) COMMENT 'Contract (C...) that the entry is filed under',
  key String COMMENT 'Name of the entry under the contract',
  ledger UInt32 COMMENT 'Newest ledger that changed the entry; the row with the largest one is in force' CODEC(ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(ZSTD(1)),
  owner String COMMENT 'Account that the entry belongs to, empty when it is nobody''s' CODEC(ZSTD(1)),
  live_until UInt32 COMMENT 'Last live ledger of the chain entry; 0 for facts and where unknown' CODEC(ZSTD(1)),
  durability LowCardinality(String) COMMENT 'temporary, persistent or fact',
  removed Bool COMMENT 'True when the entry was removed at this ledger' CODEC(ZSTD(1)),
  inferred Bool COMMENT 'True when taken from a pre-image' CODEC(ZSTD(1)),
  value String COMMENT 'JSON; integers of the chain as decimal strings in their contract scale' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (protocol, scope, contract, key, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Newest row of every entry of state: what a restart loads. Before parts are merged a key may stand several times: the largest ledger counts. Filled from state_v1';

-- Buckets of ledgers, not of days: which bucket a ledger is in is arithmetic, so a read as of a ledger needs no close time.
CREATE TABLE IF NOT EXISTS state_buckets_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the row',
  contract LowCardinality(String) COMMENT 'Contract (C...) that the entry is filed under',
  key String COMMENT 'Name of the entry under the contract',
  bucket UInt32 COMMENT 'Ledger divided by 16384, rounded down: about 23 hours at 5 s a ledger' CODEC(Delta, ZSTD(1)),
  ledger UInt32 COMMENT 'Newest ledger of the bucket that changed the entry; the row with the largest one is in force' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  owner String COMMENT 'Account that the entry belongs to, empty when it is nobody''s' CODEC(ZSTD(1)),
  scope UInt16 COMMENT 'Partition that folded the row; 65535 = shared' CODEC(ZSTD(1)),
  live_until UInt32 COMMENT 'Last live ledger of the chain entry; 0 for facts and where unknown' CODEC(ZSTD(1)),
  durability LowCardinality(String) COMMENT 'temporary, persistent or fact',
  removed Bool COMMENT 'True when the entry was removed at this ledger' CODEC(ZSTD(1)),
  inferred Bool COMMENT 'True when taken from a pre-image' CODEC(ZSTD(1)),
  value String COMMENT 'JSON; integers of the chain as decimal strings in their contract scale' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT(ledger)
ORDER BY (protocol, contract, key, bucket, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Last row of every entry of state in each bucket of 16384 ledgers, so that a read as of a ledger stays bounded with years of history. Filled from state_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS state_by_owner_v1_mv$L $ON TO state_by_owner_v1$L AS
SELECT owner, protocol, contract, key, ledger, close_time, scope, live_until, durability, removed, inferred, value, adapter_version
FROM state_v1$L WHERE owner != ''
COMMENT 'Keeps state_by_owner_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS state_latest_v1_mv$L $ON TO state_latest_v1$L AS
SELECT protocol, scope, contract, key, ledger, close_time, owner, live_until, durability, removed, inferred, value, adapter_version
FROM state_v1$L
COMMENT 'Keeps state_latest_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS state_buckets_v1_mv$L $ON TO state_buckets_v1$L AS
SELECT protocol, contract, key, intDiv(ledger, 16384) AS bucket, ledger, close_time, owner, scope, live_until, durability, removed, inferred,
  value, adapter_version
FROM state_v1$L
COMMENT 'Keeps state_buckets_v1';
