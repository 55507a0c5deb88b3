-- Parts of earlier builds get the health factor of positions now, in the background, instead of with their next merge. Where a part has no value of a column,
-- the engine computes the default without columns that only a condition reads, so a statement with a condition on one of its sources could get another
-- health factor.

ALTER TABLE position_snapshots_v1$L $ON MATERIALIZE COLUMN health_factor SETTINGS mutations_sync = 0;
ALTER TABLE positions_latest_v1$L $ON MATERIALIZE COLUMN health_factor SETTINGS mutations_sync = 0;
