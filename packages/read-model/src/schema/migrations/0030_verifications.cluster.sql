-- On a cluster the plain name reads and writes all shards.

CREATE TABLE IF NOT EXISTS verifications_v1 $ON AS verifications_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), verifications_v1_local, cityHash64(started_at));
