-- Activities: `direction`, seen from the account, in place of `leg`, whose `in` (the account gives) and `out` read the other way round; and the
-- price that gave usd_value. The views that fill the other two orders are made again: they copy the columns that existed when they were made.

DROP VIEW IF EXISTS activities_by_contract_v1_mv$L $ON;
DROP VIEW IF EXISTS activities_by_ledger_v1_mv$L $ON;

ALTER TABLE activities_v1$L $ON RENAME COLUMN IF EXISTS leg TO direction;
ALTER TABLE activities_by_contract_v1$L $ON RENAME COLUMN IF EXISTS leg TO direction;
ALTER TABLE activities_by_ledger_v1$L $ON RENAME COLUMN IF EXISTS leg TO direction;

-- Rows of earlier adapter versions.
ALTER TABLE activities_v1$L $ON
  UPDATE direction = multiIf(direction = 'in', 'sent', direction = 'out', 'received', 'none') WHERE direction IN ('in', 'out', '');
ALTER TABLE activities_by_contract_v1$L $ON
  UPDATE direction = multiIf(direction = 'in', 'sent', direction = 'out', 'received', 'none') WHERE direction IN ('in', 'out', '');
ALTER TABLE activities_by_ledger_v1$L $ON
  UPDATE direction = multiIf(direction = 'in', 'sent', direction = 'out', 'received', 'none') WHERE direction IN ('in', 'out', '');

ALTER TABLE activities_v1$L $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' CODEC(ZSTD(1)) AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';
ALTER TABLE activities_by_contract_v1$L $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' CODEC(ZSTD(1)) AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';
ALTER TABLE activities_by_ledger_v1$L $ON
  ADD COLUMN IF NOT EXISTS price_usd Nullable(Decimal(76, 18)) COMMENT 'USD for one whole unit of the asset: the price that gave usd_value. Null without a price' CODEC(ZSTD(1)) AFTER confidence,
  COMMENT COLUMN direction 'sent: the account gives; received: it gets; none: only a debt changed (metadata.debt_change), another account paid or was paid, the tokens went from pool to pool (metadata.path_step), or nothing moved',
  COMMENT COLUMN amount 'Raw amount in the asset''s smallest unit, never negative: direction has the sign',
  COMMENT COLUMN price_source 'oracle:<contract>, pool:<contract> or empty: the source of price_usd';

CREATE MATERIALIZED VIEW IF NOT EXISTS activities_by_contract_v1_mv$L $ON TO activities_by_contract_v1$L AS
SELECT * FROM activities_v1$L
COMMENT 'Keeps activities_by_contract_v1';

CREATE MATERIALIZED VIEW IF NOT EXISTS activities_by_ledger_v1_mv$L $ON TO activities_by_ledger_v1$L AS
SELECT * FROM activities_v1$L
COMMENT 'Keeps activities_by_ledger_v1';
