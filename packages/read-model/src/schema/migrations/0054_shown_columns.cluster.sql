-- The distributed table has columns of its own. The shards compute this one: rows are sent without it.

ALTER TABLE activities_v1 $ON
  ADD COLUMN IF NOT EXISTS shown_json String MATERIALIZED toJSONString((toUnixTimestamp(close_time), activity_type, contract, counterparty, asset_id,
    asset_symbol, asset_decimals, toString(amount), toString(share_amount), share_decimals, share_type, toString(usd_value), action_id, direction,
    confidence, toString(price_usd), price_source, price_age_seconds, metadata))
    COMMENT 'What feeds show beside the key and the hash of the transaction, as a JSON array: close_time as unix seconds, activity_type, contract, counterparty, asset_id, asset_symbol, asset_decimals, amount, share_amount, share_decimals, share_type, usd_value, action_id, direction, confidence, price_usd, price_source, price_age_seconds, metadata';
