-- Index versions: each fold of a protocol from its first ledger writes under a number of its own, so a replay never shares sort keys with the
-- rows that readers see. The column adapter_version of every table holds this number.

CREATE TABLE IF NOT EXISTS index_versions_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol',
  index_version UInt16 COMMENT 'Number under which the rows were written: the column adapter_version of the other tables. Never used twice',
  adapter_version UInt16 COMMENT 'Version of the adapter''s code that wrote the rows',
  partitions UInt16 COMMENT 'Count of the protocol''s partitions',
  purpose LowCardinality(String) COMMENT 'Why it was begun: index (the first one), upgrade (a newer adapter version) or replay (the same code again)',
  was_active Bool COMMENT 'True once readers have seen it',
  retired Bool COMMENT 'True when its rows were deleted, or are being deleted',
  held_until DateTime64(3, 'UTC') COMMENT 'Until this time its adapters write nothing, because its rows are being repaired. UTC milliseconds',
  set_at DateTime64(3, 'UTC') COMMENT 'When the row was written, UTC milliseconds; the newest row is in force'
) ENGINE = $RMT(set_at)
ORDER BY (protocol, index_version)
COMMENT 'Index versions of each protocol and the adapter version that wrote them. Which one readers see is in active_versions. A version without a row here was written by the adapter version of the same number';

ALTER TABLE active_versions_v1$L $ON COMMENT COLUMN adapter_version 'Index version that views and the API read';
