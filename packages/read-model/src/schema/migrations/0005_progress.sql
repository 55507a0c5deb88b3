-- Progress: how far each worker is, how it feels, and which adapter version readers see.

CREATE TABLE IF NOT EXISTS ledgers_v1$L $ON (
  ledger UInt32 COMMENT 'Ledger sequence' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time, UTC seconds' CODEC(Delta, ZSTD(1)),
  hash String COMMENT 'Ledger hash, 64 lowercase hex characters' CODEC(ZSTD(1)),
  INDEX by_close_time close_time TYPE minmax GRANULARITY 1
) ENGINE = $RMT()
ORDER BY ledger
SETTINGS index_granularity = 1024
COMMENT 'Every ledger of the index with its close time, as ingest told it';

CREATE TABLE IF NOT EXISTS checkpoints_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol; control stands for the follower that writes ledgers_v1',
  partition UInt16 COMMENT 'Partition of the protocol''s slices; 0 for control',
  adapter_version UInt16 COMMENT 'Version of the adapter; 0 for control',
  ledger UInt32 COMMENT 'Everything of the partition up to this ledger is in the tables; the row with the largest one is in force',
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds',
  log_offset UInt64 COMMENT 'Where to read the event log next',
  rolling_hash String COMMENT 'Rolling hash of the last slice folded, 16 hex characters; empty for control'
) ENGINE = $RMT(ledger)
ORDER BY (protocol, partition, adapter_version)
COMMENT 'How far each partition is. Written after the rows that it stands for';

CREATE TABLE IF NOT EXISTS adapter_health_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol',
  partition UInt16 COMMENT 'Partition',
  adapter_version UInt16 COMMENT 'Version of the adapter',
  reported_at DateTime64(3, 'UTC') COMMENT 'When the worker said this, UTC milliseconds; the newest row is in force',
  state LowCardinality(String) COMMENT 'running or failing',
  checkpoint_ledger UInt32 COMMENT 'Ledger of the checkpoint',
  checkpoint_close_time DateTime('UTC') COMMENT 'Close time of the checkpoint''s ledger, UTC seconds',
  seen_ledger UInt32 COMMENT 'Newest ledger seen in the log',
  seen_close_time DateTime('UTC') COMMENT 'Close time of the newest ledger seen, UTC seconds',
  source_ended Bool COMMENT 'True when nothing newer will come',
  progressed_at DateTime64(3, 'UTC') COMMENT 'When the checkpoint last moved, UTC milliseconds',
  gap_after Nullable(UInt32) COMMENT 'A hole (gap_after, gap_before] in the log, or null',
  gap_before Nullable(UInt32) COMMENT 'End of the hole, included, or null',
  error String COMMENT 'Last error in words, empty when there is none',
  errors_last_hour UInt32 COMMENT 'Errors in the hour before the report',
  contracts_tracked UInt32 COMMENT 'Contracts that the partition owns'
) ENGINE = $RMT(reported_at)
ORDER BY (protocol, partition, adapter_version)
COMMENT 'What each worker said last of itself';

CREATE TABLE IF NOT EXISTS active_versions_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol',
  adapter_version UInt16 COMMENT 'Version of the adapter whose rows views and the API read',
  partitions UInt16 COMMENT 'Count of the protocol''s partitions: the watermark waits for all of them',
  set_at DateTime64(3, 'UTC') COMMENT 'When it was made active, UTC milliseconds; the newest row is in force'
) ENGINE = $RMT(set_at)
ORDER BY protocol
COMMENT 'Which adapter version readers see. A swap, or a roll-back, is one row';
