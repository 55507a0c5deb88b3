-- The distributed table has columns of its own.

ALTER TABLE transactions_v1 $ON
  ADD COLUMN IF NOT EXISTS fee_charged Nullable(UInt64) COMMENT 'Fee that the network charged for the whole transaction, in stroops (10,000,000 are 1 XLM), after refunds. fee_source paid it, or source where that is empty. Null when the log of an older build lacks it' AFTER fee_source,
  ADD COLUMN IF NOT EXISTS memo_type LowCardinality(String) COMMENT 'Type of the memo: none, text, id, hash or return. Empty when fee_charged is null' AFTER fee_charged,
  ADD COLUMN IF NOT EXISTS memo String COMMENT 'Memo: text as UTF-8, id in decimal digits, hash and return as 64 lowercase hex characters. Empty for none' AFTER memo_type;
