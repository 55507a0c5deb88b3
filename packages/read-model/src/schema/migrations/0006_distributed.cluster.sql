-- Only on a cluster: the plain names read and write all shards. Embedded, and on one server, the plain names are the tables themselves.
-- A sharding key is a function of the sort key, also of those tables that materialized views fill: a row that is written again goes to the shard that
-- has it, where it is replaced. State of accounts is placed by the account, which is in the key of the entry (@<address>:<name>).

CREATE TABLE IF NOT EXISTS state_v1 $ON AS state_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_v1_local, cityHash64(if(startsWith(key, '@'), substring(key, 2, position(key, ':') - 2), contract)));
CREATE TABLE IF NOT EXISTS state_by_owner_v1 $ON AS state_by_owner_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_by_owner_v1_local, cityHash64(owner));
CREATE TABLE IF NOT EXISTS state_latest_v1 $ON AS state_latest_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_latest_v1_local, cityHash64(if(startsWith(key, '@'), substring(key, 2, position(key, ':') - 2), contract)));
CREATE TABLE IF NOT EXISTS state_buckets_v1 $ON AS state_buckets_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_buckets_v1_local, cityHash64(if(startsWith(key, '@'), substring(key, 2, position(key, ':') - 2), contract)));
CREATE TABLE IF NOT EXISTS prices_v1 $ON AS prices_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), prices_v1_local, cityHash64(asset));
CREATE TABLE IF NOT EXISTS position_snapshots_v1 $ON AS position_snapshots_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), position_snapshots_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS positions_latest_v1 $ON AS positions_latest_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), positions_latest_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS pool_snapshots_v1 $ON AS pool_snapshots_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), pool_snapshots_v1_local, cityHash64(pool));
CREATE TABLE IF NOT EXISTS pool_daily_v1 $ON AS pool_daily_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), pool_daily_v1_local, cityHash64(pool));
CREATE TABLE IF NOT EXISTS reserve_snapshots_v1 $ON AS reserve_snapshots_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), reserve_snapshots_v1_local, cityHash64(pool));
CREATE TABLE IF NOT EXISTS activities_v1 $ON AS activities_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), activities_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS activities_by_contract_v1 $ON AS activities_by_contract_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), activities_by_contract_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS activities_by_ledger_v1 $ON AS activities_by_ledger_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), activities_by_ledger_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS transactions_v1 $ON AS transactions_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), transactions_v1_local, cityHash64(ledger, tx_order));
CREATE TABLE IF NOT EXISTS tx_lookup_v1 $ON AS tx_lookup_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), tx_lookup_v1_local, tx64);
CREATE TABLE IF NOT EXISTS notices_v1 $ON AS notices_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), notices_v1_local, cityHash64(contract));
CREATE TABLE IF NOT EXISTS ledgers_v1 $ON AS ledgers_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), ledgers_v1_local, ledger);
CREATE TABLE IF NOT EXISTS checkpoints_v1 $ON AS checkpoints_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), checkpoints_v1_local, cityHash64(protocol));
CREATE TABLE IF NOT EXISTS adapter_health_v1 $ON AS adapter_health_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), adapter_health_v1_local, cityHash64(protocol));
CREATE TABLE IF NOT EXISTS active_versions_v1 $ON AS active_versions_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), active_versions_v1_local, cityHash64(protocol));

-- Activities and transactions of one hash are on different shards: what they add to tx_lookup_v1 goes to the shard of the hash.
DROP VIEW IF EXISTS tx_lookup_from_activities_v1_mv$L $ON;
DROP VIEW IF EXISTS tx_lookup_from_transactions_v1_mv$L $ON;
CREATE MATERIALIZED VIEW IF NOT EXISTS tx_lookup_from_activities_v1_mv$L $ON TO tx_lookup_v1 AS
SELECT DISTINCT reinterpretAsUInt64(reverse(unhex(substring(tx_hash, 1, 16)))) AS tx64, ledger, tx_order, protocol, adapter_version
FROM activities_v1$L
COMMENT 'Keeps tx_lookup_v1';
CREATE MATERIALIZED VIEW IF NOT EXISTS tx_lookup_from_transactions_v1_mv$L $ON TO tx_lookup_v1 AS
SELECT reinterpretAsUInt64(reverse(unhex(substring(tx_hash, 1, 16)))) AS tx64, ledger, tx_order, protocol, adapter_version
FROM transactions_v1$L
COMMENT 'Keeps tx_lookup_v1';
