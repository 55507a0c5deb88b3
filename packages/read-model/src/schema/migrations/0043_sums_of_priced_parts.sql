-- Comments of columns: values of positions are sums of the parts that have a price. No column changes.

ALTER TABLE position_snapshots_v1$L $ON
  COMMENT COLUMN supplied_usd 'USD: supply + collateral, for LP what the shares would pay. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN borrowed_usd 'USD: debt. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN deposited_usd 'USD: supplied + backstop (+ LP, vault collateral). Parts without a price are left out; null if no part has one',
  COMMENT COLUMN net_usd 'USD: supplied - borrowed. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN unpriced_assets 'Count of the position''s assets that had no price: the values leave them out';
ALTER TABLE positions_latest_v1$L $ON
  COMMENT COLUMN supplied_usd 'USD: supply + collateral, for LP what the shares would pay. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN borrowed_usd 'USD: debt. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN deposited_usd 'USD: supplied + backstop (+ LP, vault collateral). Parts without a price are left out; null if no part has one',
  COMMENT COLUMN net_usd 'USD: supplied - borrowed. Parts without a price are left out; null if no part has one',
  COMMENT COLUMN unpriced_assets 'Count of the position''s assets that had no price: the values leave them out';
