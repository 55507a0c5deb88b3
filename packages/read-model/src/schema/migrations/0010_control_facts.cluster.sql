-- On a cluster the plain name reads and writes all shards.

CREATE TABLE IF NOT EXISTS control_facts_v1 $ON AS control_facts_v1_local
ENGINE = Distributed('{cluster}', currentDatabase(), control_facts_v1_local, cityHash64(kind, ledger));
