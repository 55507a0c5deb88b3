-- Readers ask at each new ledger which contracts it changed. Parts that exist get the index in the background.
ALTER TABLE state_latest_v1$L $ON ADD INDEX IF NOT EXISTS changed_ledgers ledger TYPE minmax GRANULARITY 1 SETTINGS alter_sync = 2;
ALTER TABLE state_latest_v1$L $ON MATERIALIZE INDEX changed_ledgers;
