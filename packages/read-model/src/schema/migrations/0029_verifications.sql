-- Verdicts of `orrery verify`.

CREATE TABLE IF NOT EXISTS verifications_v1$L $ON (
  started_at DateTime64(3, 'UTC') COMMENT 'When the verification began, UTC milliseconds' CODEC(ZSTD(1)),
  finished_at DateTime64(3, 'UTC') COMMENT 'When it ended, UTC milliseconds' CODEC(ZSTD(1)),
  from_ledger UInt32 COMMENT 'First ledger that was compared' CODEC(ZSTD(1)),
  to_ledger UInt32 COMMENT 'Last ledger that was compared' CODEC(ZSTD(1)),
  verdict LowCardinality(String) COMMENT 'equal, or different: at least one check found a difference' CODEC(ZSTD(1)),
  checks String COMMENT 'JSON array, one object for each check: check (log, checkpoints, source, rows, invariants, entries), status (equal, different, not_checked), compared (count), detail (text)' CODEC(ZSTD(1)),
  differences UInt64 COMMENT 'Count of differing rows and of other findings' CODEC(ZSTD(1)),
  repairs String COMMENT 'JSON array of what must be folded again: protocol, partitions (null: all), fromLedger, toLedger' CODEC(ZSTD(1))
) ENGINE = $RMT(finished_at)
ORDER BY started_at
COMMENT 'Verdicts of orrery verify, one row for each verification';
