-- On a cluster the plain names read and write all shards.

CREATE TABLE IF NOT EXISTS pool_hourly_v1 $ON AS pool_hourly_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), pool_hourly_v1_local, cityHash64(pool));
CREATE TABLE IF NOT EXISTS reserve_hourly_v1 $ON AS reserve_hourly_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), reserve_hourly_v1_local, cityHash64(pool));
