-- The distributed tables have columns of their own. They compute the default, too: a shard takes the value that it is sent.

ALTER TABLE position_snapshots_v1 $ON
  ADD COLUMN IF NOT EXISTS health_factor Nullable(Decimal(76, 18)) DEFAULT if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7))
    COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' AFTER net_apy;
ALTER TABLE positions_latest_v1 $ON
  ADD COLUMN IF NOT EXISTS health_factor Nullable(Decimal(76, 18)) DEFAULT if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7))
    COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' AFTER net_apy;
