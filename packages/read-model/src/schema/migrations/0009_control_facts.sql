-- What the control topic says about the network beside its ledgers, for readers that have no event log: few rows at any scale.

CREATE TABLE IF NOT EXISTS control_facts_v1$L $ON (
  kind LowCardinality(String) COMMENT 'registry: the registry that counts from the ledger on. protocol: the network''s protocol version from the ledger on',
  ledger UInt32 COMMENT 'First ledger that the value counts for',
  value String COMMENT 'The whole registry as JSON, in the shape of a registry file; or the protocol version as a number' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (kind, ledger)
COMMENT 'Registry and protocol version of the network, each from a ledger on, as ingest recorded them';
