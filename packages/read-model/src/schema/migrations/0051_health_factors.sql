-- The health factor of a position as a column: a history reads every snapshot of an account, and most of their bytes are `native`, where it stood alone.
-- The engine computes it where a row is written, and the view that fills positions_latest_v1 copies it. Parts that exist have it after their next merge; until then it is computed when they are read.

ALTER TABLE position_snapshots_v1$L $ON
  ADD COLUMN IF NOT EXISTS health_factor Nullable(Decimal(76, 18)) DEFAULT if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7))
    COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' CODEC(ZSTD(1)) AFTER net_apy;
ALTER TABLE positions_latest_v1$L $ON
  ADD COLUMN IF NOT EXISTS health_factor Nullable(Decimal(76, 18)) DEFAULT if(JSONHas(native, 'health_factor'), toDecimal256OrNull(JSONExtractString(native, 'health_factor'), 18),
    floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7))
    COMMENT 'Effective collateral / effective debt, rounded down to 7 digits, as the contracts do. Null without debt, and where a part has no price' CODEC(ZSTD(1)) AFTER net_apy;
