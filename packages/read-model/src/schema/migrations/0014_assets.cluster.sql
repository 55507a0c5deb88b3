-- On a cluster the plain names read and write all shards. Assets are met on the shard of the row that names them: readers group them.

CREATE TABLE IF NOT EXISTS prices_hourly_v1 $ON AS prices_hourly_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), prices_hourly_v1_local, cityHash64(asset));
CREATE TABLE IF NOT EXISTS assets_v1 $ON AS assets_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), assets_v1_local, cityHash64(asset));
