// The page of a Blend pool, with what the account has in it.

export const BLEND_POOL_MEMBERS = [
  'data.name',
  'data.status',
  'data.tvl_usd',
  // A line for each reserve: market size, rates, emissions, risk parameters.
  'data.reserves.*.asset_id',
  'data.reserves.*.symbol',
  'data.reserves.*.supplied_usd',
  'data.reserves.*.borrowed_usd',
  'data.reserves.*.utilization',
  'data.reserves.*.supply_apy',
  'data.reserves.*.borrow_apy',
  'data.reserves.*.supply_emission_apy',
  'data.reserves.*.borrow_emission_apy',
  'data.metadata.reserves.*.c_factor',
  'data.metadata.reserves.*.l_factor',
  'data.metadata.reserves.*.supply_cap',
  'data.metadata.reserves.*.interest_curve.target_utilization',
  // The backstop behind the pool.
  'data.metadata.backstop.usd_value',
  'data.metadata.backstop.q4w_pct',
]

export const OWN_BLEND_POSITION_MEMBERS = [
  'data.pool.net_usd',
  'data.pool.net_apy',
  'data.pool.net_apy_with_rewards',
  'data.pool.health_factor',
  'data.pool.borrow_limit_pct',
  'data.pool.supply.*.symbol',
  'data.pool.supply.*.units',
  'data.pool.supply.*.usd_value',
  'data.pool.supply.*.base_apy',
  'data.pool.supply.*.emission_apy',
  'data.pool.supply.*.cost_basis.unrealized_usd',
  'data.pool.supply.*.metadata.collateral_usd',
  'data.pool.supply.*.metadata.claimable',
  'data.pool.borrow.*.symbol',
  'data.pool.borrow.*.units',
  'data.pool.borrow.*.usd_value',
  'data.pool.borrow.*.base_apy',
]
