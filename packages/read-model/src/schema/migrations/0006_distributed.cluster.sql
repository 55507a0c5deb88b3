-- Only on a cluster: the plain names become doors to all shards. Embedded, and on one server, the plain names are the tables themselves.
-- A sharding key is a function of the sort key, or a row written again would lie on another shard and stand twice.

CREATE TABLE IF NOT EXISTS state_v1 $ON AS state_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_v1_local, cityHash64(if(owner = '', contract, owner)));
CREATE TABLE IF NOT EXISTS state_by_owner_v1 $ON AS state_by_owner_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_by_owner_v1_local, cityHash64(owner));
CREATE TABLE IF NOT EXISTS state_latest_v1 $ON AS state_latest_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_latest_v1_local, cityHash64(if(owner = '', contract, owner)));
CREATE TABLE IF NOT EXISTS state_buckets_v1 $ON AS state_buckets_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), state_buckets_v1_local, cityHash64(if(owner = '', contract, owner)));
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
