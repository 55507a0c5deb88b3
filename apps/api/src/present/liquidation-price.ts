// The text about liquidation prices, of items and of balances.

export const LIQUIDATION_PRICE =
  'USD price of the asset at which the health factor is 1, all else equal. An asset that is both collateral and owed has one price, on both items. The position can be liquidated below it if more of the asset counts as collateral than is owed, above it otherwise. Null where no price of the asset decides about a liquidation, and without a price.'
