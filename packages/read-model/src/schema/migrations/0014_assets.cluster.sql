-- On a cluster the plain names read and write all shards. Prices, reserves and activities of one asset are on different shards: what they add to
-- assets_v1 goes to the shard of the asset.

CREATE TABLE IF NOT EXISTS prices_hourly_v1 $ON AS prices_hourly_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), prices_hourly_v1_local, cityHash64(asset));
CREATE TABLE IF NOT EXISTS assets_v1 $ON AS assets_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), assets_v1_local, cityHash64(asset));

DROP VIEW IF EXISTS assets_v1_prices_mv$L $ON;
DROP VIEW IF EXISTS assets_v1_reserves_mv$L $ON;
DROP VIEW IF EXISTS assets_v1_activities_mv$L $ON;
CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_prices_mv$L $ON TO assets_v1 AS
SELECT asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM prices_v1$L GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';
CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_reserves_mv$L $ON TO assets_v1 AS
SELECT asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM reserve_snapshots_v1$L GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';
CREATE MATERIALIZED VIEW IF NOT EXISTS assets_v1_activities_mv$L $ON TO assets_v1 AS
SELECT asset_id AS asset, protocol, min(ledger) AS first_ledger, 4294967295 - first_ledger AS earliness, adapter_version
FROM activities_v1$L WHERE asset_id != '' GROUP BY asset, protocol, adapter_version
COMMENT 'Keeps assets_v1';
