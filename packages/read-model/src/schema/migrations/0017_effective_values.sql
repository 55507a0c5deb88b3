-- Vaults have effective values too.

ALTER TABLE position_snapshots_v1$L $ON
  COMMENT COLUMN effective_collateral_usd 'USD. Lending: sum of collateral x c_factor; vaults: collateral / minimum ratio; 0 elsewhere. Null when a part has no price or the minimum is unknown',
  COMMENT COLUMN effective_liabilities_usd 'USD. Lending: sum of liabilities / l_factor; vaults: debt; 0 elsewhere. The health factor is effective_collateral_usd divided by this. Null when a part has no price';
ALTER TABLE positions_latest_v1$L $ON
  COMMENT COLUMN effective_collateral_usd 'USD. Lending: sum of collateral x c_factor; vaults: collateral / minimum ratio; 0 elsewhere. Null when a part has no price or the minimum is unknown',
  COMMENT COLUMN effective_liabilities_usd 'USD. Lending: sum of liabilities / l_factor; vaults: debt; 0 elsewhere. The health factor is effective_collateral_usd divided by this. Null when a part has no price';
