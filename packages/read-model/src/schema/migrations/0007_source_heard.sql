-- Whether a partition is behind is judged against its source's tip, not against the wall clock: so readers must know how old that word is.

ALTER TABLE adapter_health_v1$L $ON
  ADD COLUMN IF NOT EXISTS source_heard_at DateTime64(3, 'UTC') DEFAULT 0
  COMMENT 'When ingest last heard from the source, as far as the worker knows, UTC milliseconds; 1970 when it never did' AFTER source_ended;
