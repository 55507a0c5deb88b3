-- What accounts have in pools, in raw shares, by pool: from these, lists of positions are valued at any ledger with that ledger's rates and
-- prices. Both tables are copies that materialized views keep from the entries of accounts, idempotent under replay.

CREATE TABLE IF NOT EXISTS open_positions_v1$L $ON (
  protocol LowCardinality(String) COMMENT 'Protocol of the pool',
  pool String COMMENT 'Pool contract (C...), or fxdao:<currency>' CODEC(ZSTD(1)),
  address String COMMENT 'Account (G... or C...) that holds the position' CODEC(ZSTD(1)),
  entry String COMMENT 'Name of the account''s entry that the row is made of, such as positions, backstop, shares, range:<lower>:<upper>' CODEC(ZSTD(1)),
  ledger UInt32 COMMENT 'Ledger at whose end these shares hold' CODEC(Delta, ZSTD(1)),
  side Array(LowCardinality(String)) COMMENT 'Of each part: supply, collateral, liability, backstop, lp, range or stake. Empty where the entry has nothing any more',
  asset Array(LowCardinality(String)) COMMENT 'Of each part: the reserve index (Blend), the token (stakes), <lower>:<upper> tick (ranges), else empty',
  shares Array(Int256) COMMENT 'Of each part: raw bTokens, dTokens, backstop shares (queued ones included), LP shares, liquidity, or the raw amount (FxDAO)' CODEC(ZSTD(1)),
  adapter_version UInt16 COMMENT 'Version of the adapter that wrote the row' CODEC(ZSTD(1))
) ENGINE = $RMT()
ORDER BY (protocol, pool, address, entry, ledger, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Shares and debts of each account in each pool, one row for each ledger that changed them. Filled from state_v1';

CREATE TABLE IF NOT EXISTS open_positions_latest_v1$L $ON AS open_positions_v1$L
ENGINE = $RMT(ledger)
ORDER BY (protocol, pool, address, entry, adapter_version)
SETTINGS index_granularity = 1024, primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns = 1
COMMENT 'Newest row of each entry of open_positions; the row with the largest ledger is in force. It may be newer than the watermark. Filled from open_positions_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS open_positions_v1_mv$L $ON TO open_positions_v1$L AS
SELECT protocol, if(startsWith(entry, 'vault:'), concat(protocol, substring(entry, 6)), contract) AS pool, owner AS address, entry, ledger,
  arrayMap(part -> part.1, parts) AS side, arrayMap(part -> part.2, parts) AS asset, arrayMap(part -> toInt256OrZero(part.3), parts) AS shares,
  adapter_version
FROM (
  SELECT protocol, contract, owner, substring(key, length(owner) + 3) AS entry, ledger, adapter_version,
    multiIf(
      removed, CAST([] AS Array(Tuple(String, String, String))),
      entry = 'positions', arrayConcat(
        arrayMap(of -> ('supply', of.1, of.2), JSONExtractKeysAndValues(value, 'supply', 'String')),
        arrayMap(of -> ('collateral', of.1, of.2), JSONExtractKeysAndValues(value, 'collateral', 'String')),
        arrayMap(of -> ('liability', of.1, of.2), JSONExtractKeysAndValues(value, 'liabilities', 'String'))),
      entry = 'backstop', [('backstop', '', toString(toInt256OrZero(JSONExtractString(value, 'shares'))
        + arraySum(arrayMap(queued -> toInt256OrZero(queued[1]), JSONExtract(value, 'queue', 'Array(Array(String))')))))],
      entry = 'shares', [('lp', '', JSONExtractString(value, 'amount'))],
      startsWith(entry, 'range:'), [('range', substring(entry, 7), JSONExtractString(value, 'liquidity'))],
      startsWith(entry, 'vault:'), [('collateral', '', JSONExtractString(value, 'collateral')), ('liability', '', JSONExtractString(value, 'debt'))],
      [('stake', substring(entry, 9), JSONExtractString(value, 'amount'))]) AS parts
  FROM state_v1$L
  WHERE owner != '' AND match(key, '^@[A-Z0-9]+:((positions|backstop|shares)\\z|range:|vault:|deposit:)')
)
COMMENT 'Keeps open_positions_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS open_positions_latest_v1_mv$L $ON TO open_positions_latest_v1$L AS
SELECT * FROM open_positions_v1$L
COMMENT 'Keeps open_positions_latest_v1';
