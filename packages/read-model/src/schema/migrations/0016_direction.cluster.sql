-- The distributed tables have columns and comments of their own.

ALTER TABLE activities_v1 $ON RENAME COLUMN IF EXISTS leg TO direction;
ALTER TABLE activities_by_contract_v1 $ON RENAME COLUMN IF EXISTS leg TO direction;
ALTER TABLE activities_by_ledger_v1 $ON RENAME COLUMN IF EXISTS leg TO direction;
ALTER TABLE activities_v1 $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';
ALTER TABLE activities_by_contract_v1 $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';
ALTER TABLE activities_by_ledger_v1 $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';
