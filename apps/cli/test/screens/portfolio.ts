// The portfolio of an account with its chart of 30 days.

export const PORTFOLIO_MEMBERS = [
  // The headline: value, rewards that can be claimed, yields.
  'data.total_value_usd',
  'data.total_claimable_usd',
  'data.aggregate_net_apy',
  'data.aggregate_net_apy_with_rewards',
  // A card for each protocol.
  'data.protocols.*.protocol_id',
  'data.protocols.*.deposited_usd',
  'data.protocols.*.borrowed_usd',
  'data.protocols.*.claimable_usd',
  'data.protocols.*.net_apy_with_rewards',
  // In it a line for each pool, with the pool that is closest to liquidation.
  'data.protocols.*.pools.*.pool_id',
  'data.protocols.*.pools.*.name',
  'data.protocols.*.pools.*.net_usd',
  'data.protocols.*.pools.*.health_factor',
  'data.protocols.*.pools.*.borrow_limit_pct',
  // Below it the items, with gain or loss.
  'data.protocols.*.positions.*.*.asset_id',
  'data.protocols.*.positions.*.*.asset_amount',
  'data.protocols.*.positions.*.*.usd_value',
  'data.protocols.*.positions.*.*.apy',
  'data.protocols.*.positions.*.*.emission_apy',
  'data.protocols.*.positions.*.*.liquidation_price',
  'data.protocols.*.positions.*.*.metadata.cost_basis.unrealized_usd',
  // Rewards, also of pools that the account has left.
  'data.protocols.*.rewards.*.symbol',
  'data.protocols.*.rewards.*.amount',
  'data.protocols.*.rewards.*.usd_value',
  // Names of tokens and contracts, and how old the figures are.
  'enrichment.assets.*.symbol',
  'enrichment.contracts.*.name',
  'meta.data_staleness_seconds',
  'meta.partial_result',
]

export const NET_WORTH_MEMBERS = [
  'data.points.*.value_at',
  'data.points.*.net_usd',
  'data.points.*.net_flows_usd',
  'data.points.*.by_protocol.blend',
  'data.points.*.by_protocol.aquarius',
  'data.points.*.by_protocol.soroswap',
  'data.points.*.by_protocol.fxdao',
]
