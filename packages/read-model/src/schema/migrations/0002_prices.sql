-- Prices: what each source said an asset was worth at a ledger's end.

CREATE TABLE IF NOT EXISTS prices_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol whose fold wrote the price: a query reads its own protocol''s',
  asset LowCardinality(String) COMMENT 'Token contract (C...)',
  source LowCardinality(String) COMMENT 'oracle:<contract> or pool:<contract>',
  ledger UInt32 COMMENT 'Ledger at whose end the price holds' CODEC(Delta, ZSTD(1)),
  close_time DateTime('UTC') COMMENT 'Close time of the ledger, UTC seconds' CODEC(Delta, ZSTD(1)),
  price_usd Decimal(76, 18) COMMENT 'USD for one whole unit of the asset',
  observed_at DateTime('UTC') COMMENT 'When the source says the price was true, UTC seconds' CODEC(Delta, ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, asset, source, ledger, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'One price for each asset, source and ledger that changed it. Replaced by key when written again';
