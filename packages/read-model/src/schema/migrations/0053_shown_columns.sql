-- A page of an account's feed shows nearly every column of fifty rows, and the engine unpacks each column of each part on its own. As one text, nineteen of them cost
-- less than half. The engine computes it where a row is written; of parts that exist, when it merges them. Views, and the tables by contract and by ledger, do not have it.

ALTER TABLE activities_v1$L $ON
  ADD COLUMN IF NOT EXISTS shown_json String MATERIALIZED toJSONString((toUnixTimestamp(close_time), activity_type, contract, counterparty, asset_id,
    asset_symbol, asset_decimals, toString(amount), toString(share_amount), share_decimals, share_type, toString(usd_value), action_id, direction,
    confidence, toString(price_usd), price_source, price_age_seconds, metadata))
    COMMENT 'What feeds show beside the key and the hash of the transaction, as a JSON array: close_time as unix seconds, activity_type, contract, counterparty, asset_id, asset_symbol, asset_decimals, amount, share_amount, share_decimals, share_type, usd_value, action_id, direction, confidence, price_usd, price_source, price_age_seconds, metadata' CODEC(ZSTD(1));
