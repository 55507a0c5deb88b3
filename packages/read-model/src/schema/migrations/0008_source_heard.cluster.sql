-- The distributed table has columns of its own.

ALTER TABLE adapter_health_v1 $ON
  ADD COLUMN IF NOT EXISTS source_heard_at DateTime64(3, 'UTC') DEFAULT 0
  COMMENT 'When ingest last heard from the source, as far as the worker knows, UTC milliseconds; 1970 when it never did' AFTER source_ended;
