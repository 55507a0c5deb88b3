-- Comments of columns and tables in the words of docs/analysts.md. No column and no row changes.

ALTER TABLE state_v1$L $ON
  COMMENT COLUMN owner 'Account (G... or C...) that the entry belongs to; empty when it belongs to no account',
  COMMENT COLUMN durability 'temporary (absent after live_until), persistent or fact (computed by the fold, not on chain)';
ALTER TABLE state_latest_v1$L $ON
  COMMENT COLUMN owner 'Account that the entry belongs to; empty when it belongs to no account';
ALTER TABLE state_buckets_v1$L $ON
  COMMENT COLUMN owner 'Account that the entry belongs to; empty when it belongs to no account';
ALTER TABLE prices_v1$L $ON
  COMMENT COLUMN observed_at 'Time of the source''s quote, UTC seconds';
ALTER TABLE activities_v1$L $ON
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: leg has the direction';
ALTER TABLE activities_v1$L $ON MODIFY COMMENT 'Actions of accounts, ordered by account. Replaced by key when written again';
ALTER TABLE activities_by_contract_v1$L $ON
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: leg has the direction';
ALTER TABLE activities_by_contract_v1$L $ON MODIFY COMMENT 'Actions of accounts, ordered by the contract touched. Filled from activities_v1';
ALTER TABLE activities_by_ledger_v1$L $ON
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: leg has the direction';
ALTER TABLE activities_by_ledger_v1$L $ON MODIFY COMMENT 'Actions of accounts, ordered by ledger. Filled from activities_v1';
ALTER TABLE notices_v1$L $ON
  COMMENT COLUMN protocol 'Protocol whose fold counted it',
  COMMENT COLUMN partition 'Partition whose fold counted it',
  COMMENT COLUMN ledger 'Ledger of the observation';
ALTER TABLE notices_v1$L $ON MODIFY COMMENT 'Observations that a fold could not use, counted by reason. Replaced by key when written again';
ALTER TABLE checkpoints_v1$L $ON
  COMMENT COLUMN protocol 'Protocol; control: the follower of the control topic, which writes ledgers_v1';
ALTER TABLE checkpoints_v1$L $ON MODIFY COMMENT 'Checkpoint of each partition. Written after the rows that it covers';
ALTER TABLE adapter_health_v1$L $ON
  COMMENT COLUMN reported_at 'Time of the report, UTC milliseconds; the newest row applies',
  COMMENT COLUMN gap_after 'A gap (gap_after, gap_before] in the log, or null',
  COMMENT COLUMN gap_before 'End of the gap, included, or null',
  COMMENT COLUMN error 'Message of the last error, empty when there is none';
ALTER TABLE adapter_health_v1$L $ON MODIFY COMMENT 'Newest health report of each partition';
ALTER TABLE ledgers_v1$L $ON MODIFY COMMENT 'Every ledger of the index with its close time, as ingest recorded it';
