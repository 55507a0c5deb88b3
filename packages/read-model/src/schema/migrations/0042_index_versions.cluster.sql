-- On a cluster the plain name reads and writes all shards.

CREATE TABLE IF NOT EXISTS index_versions_v1 $ON AS index_versions_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), index_versions_v1_local, cityHash64(protocol));
ALTER TABLE active_versions_v1 $ON COMMENT COLUMN adapter_version 'Index version that views and the API read';
