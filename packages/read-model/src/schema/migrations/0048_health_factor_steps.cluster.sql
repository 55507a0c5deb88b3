-- On a cluster the plain names read and write all shards.

CREATE TABLE IF NOT EXISTS health_factor_steps_v1 $ON AS health_factor_steps_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), health_factor_steps_v1_local, cityHash64(address));
