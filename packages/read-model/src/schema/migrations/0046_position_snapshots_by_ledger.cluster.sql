-- On a cluster the plain names read and write all shards.

CREATE TABLE IF NOT EXISTS position_snapshots_by_ledger_v1 $ON AS position_snapshots_by_ledger_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), position_snapshots_by_ledger_v1_local, cityHash64(address));
