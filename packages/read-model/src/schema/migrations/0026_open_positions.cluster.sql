-- On a cluster the plain names read and write all shards.

CREATE TABLE IF NOT EXISTS open_positions_v1 $ON AS open_positions_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), open_positions_v1_local, cityHash64(address));
CREATE TABLE IF NOT EXISTS open_positions_latest_v1 $ON AS open_positions_latest_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), open_positions_latest_v1_local, cityHash64(address));
