// The list of the pools of all protocols.

export const POOL_EXPLORER_MEMBERS = [
  'data.pools.*.pool_id',
  'data.pools.*.protocol',
  'data.pools.*.name',
  'data.pools.*.type',
  'data.pools.*.status',
  'data.pools.*.tokens.*.symbol',
  'data.pools.*.tvl_usd',
  'data.pools.*.volume_24h_usd',
  'data.pools.*.volume_7d_usd',
  'data.pools.*.fee_apy',
  'data.pools.*.reward_apy',
  // The yields of a lending pool are those of its reserves.
  'data.pools.*.reserves.*.symbol',
  'data.pools.*.reserves.*.supply_apy',
  'data.pools.*.reserves.*.supply_emission_apy',
  'data.pools.*.reserves.*.borrow_apy',
]
