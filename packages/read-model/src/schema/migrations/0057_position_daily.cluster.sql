-- On a cluster the plain names read and write all shards.

CREATE TABLE IF NOT EXISTS position_daily_v1 $ON AS position_daily_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), position_daily_v1_local, cityHash64(address));
