import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { routes } from './testing/all-routes.ts'

/** Members that may be null, by the meaning of null. A member that is not listed here is never null. */
const THERE_IS_NO: Readonly<Record<string, readonly string[]>> = {
  'debt, or value against it': [
    ...['Portfolio.aggregate_health_factor', 'ProtocolPositions.health_factor', 'ProtocolPositions.estimates.borrow_limit_pct'],
    ...['LendingPoolPosition.health_factor', 'LendingPoolPosition.borrow_limit_pct'],
    ...['PortfolioItem.aggregate_health_factor', 'ProtocolPositionsItem.health_factor', 'ProtocolPositionsItem.estimates.borrow_limit_pct'],
    ...[
      'PoolPositionSum.health_factor',
      'PoolPositionSum.borrow_limit_pct',
      'AccountPosition.health_factor',
      'AccountPosition.borrow_limit_pct',
    ],
    ...['FxdaoVault.collateral_ratio_pct', 'FxdaoVault.health_factor'],
  ],
  'debt of the vault': ['VaultItemMetadata.collateral_ratio_pct', 'VaultItemMetadata.health_factor'],
  'price at which it would be liquidated': [
    ...['DebtMetadata.liquidation_price', 'SupplyMetadata.liquidation_price'],
    'PositionItem.liquidation_price',
    'FxdaoVault.liquidation_price',
  ],
  price: [
    ...['Action.usd_value', 'ActionAmount.usd_value', 'DebtChange.usd_value'],
    ...['Asset.price_observed_at', 'AssetItem.price_observed_at', 'AssetItem.price_source', 'AssetItem.price_usd'],
    ...['PricePoint.observed_at', 'PricePoint.price_source', 'PricePoint.price_usd'],
    ...[
      'Asset.price_usd',
      'Asset.price_source',
      'Activity.price_source',
      'Activity.price_usd',
      'Activity.usd_value',
      'Backstop.usd_value',
      'BackstopShare.usd_value',
    ],
    ...['Reward.usd_value', 'FxdaoLocked.usd_value', 'FxdaoVault.collateral_usd', 'FxdaoVault.debt_usd', 'LendingBalance.usd_value'],
    ...['PositionItem.emission_apy', 'PositionItem.usd_value', 'TokenEntry.usd_value'],
    ...['PoolReserve.supplied_usd', 'PoolReserve.borrowed_usd', 'PoolEmission.apy'],
    ...['CostBasis.cost_usd', 'CostBasis.realized_usd', 'CostBasis.unrealized_usd', 'CostBasis.interest_earned_usd'],
  ],
  'snapshot in the bucket': ['HistoryPoint.value_at', 'SummaryPoint.value_at'],
  'snapshot in the bucket, or price of it': [
    ...['HistoryPoint.borrowed_usd', 'HistoryPoint.net_usd', 'HistoryPoint.supplied_usd'],
    ...['SummaryPoint.borrow_limit_pct', 'SummaryPoint.borrowed_usd', 'SummaryPoint.deposited_usd', 'SummaryPoint.health_factor'],
    ...['SummaryPoint.net_apy', 'SummaryPoint.supplied_usd'],
    ...['borrowed_usd', 'deposited_usd', 'net_flows_usd', 'net_usd'].map((name) => `NetWorthPoint.${name}`),
    ...['aquarius', 'blend', 'fxdao', 'soroswap'].map((id) => `NetWorthPoint.by_protocol.${id}`),
  ],
  'such thing in pools of the kind, or price of it': [
    ...['PoolItem', 'Pool'].flatMap((of) => ['fee_apy', 'reward_apy', 'volume_24h_usd', 'volume_7d_usd'].map((name) => `${of}.${name}`)),
    ...['utilization', 'supply_apy', 'borrow_apy', 'supply_emission_apy', 'borrow_emission_apy'].map((name) => `PoolReserve.${name}`),
    ...['tvl_usd', 'volume_usd', 'fee_apy', 'reward_apy'].map((name) => `PoolPoint.${name}`),
    ...['AmmPoolMetadata.amplification', 'AmmPoolMetadata.concentrated', 'LendingPoolMetadata.min_collateral'],
    ...['PoolReserveConfig.supply_cap', 'VaultPoolMetadata.rate'],
  ],
  'ledger that the index saw': ['PoolItem.created_ledger', 'Pool.created_ledger'],
  'price of it, in metadata': [
    ...[
      'BackstopItem',
      'Backstop',
      'Debt',
      'LendingItem',
      'LendingReserve',
      'LiquidityReserve',
      'StakeItem',
      'Supply',
      'VaultItem',
    ].flatMap((of) => [`${of}Metadata.price_source`, `${of}Metadata.price_usd`]),
    ...['VaultReserveMetadata.price_source', 'VaultReserveMetadata.price_usd'],
    ...['PricedTokenEntry.price_source', 'PricedTokenEntry.price_usd', 'PricedTokenEntry.usd_value'],
    ...[
      'BackstopMetadata.apr',
      'BackstopMetadata.emission_apy',
      'LendingReserveMetadata.borrowed_usd',
      'LendingReserveMetadata.supplied_usd',
    ],
    ...['LiquidityReserveMetadata.usd_value', 'SupplyMetadata.collateral_usd', 'VaultReserveMetadata.borrowed_usd'],
    'VaultReserveMetadata.collateral_usd',
  ],
  'balance of the pool, or rate of its feed': ['LendingReserveMetadata.cash', 'VaultReserveMetadata.rate'],
  'deposit that the index knows, or price of it': ['VsHold.hold_usd', 'VsHold.difference_usd'],
  'adapter, or version beside the served one': ['Adapter.index_version', 'Adapter.replay'],
  'cost that was computed': [
    ...['AquariusPool', 'FxdaoVault', 'LendingBalance', 'LiquidityRange', 'SoroswapPair', 'BackstopItemMetadata', 'LendingItemMetadata'],
    ...['LiquidityItemMetadata', 'StakeItemMetadata', 'VaultItemMetadata'],
  ].map((of) => `${of}.cost_basis`),
  'decimals that are known': [
    'Activity.asset_decimals',
    ...['Asset', 'AssetItem', 'LendingBalance', 'PoolToken', 'PricedTokenEntry', 'Reserve', 'TokenEntry'].map((of) => `${of}.decimals`),
  ],
  'first ledger or report': [...['Index.first_ledger', 'Index.last_ledger', 'Index.last_ledger_at', 'IndexPartition.checkpoint_at']],
  request: ['QueryParameter.value'],
  'commit in the build': ['Service.build.commit'],
  'verdict yet': ['Health.verify', 'Index.verify'],
  'place in data': ['Warning.path'],
  'issuer that the registry names': ['AssetItem.issuer'],
  'such thing': [
    'Action.role',
    'BlendRewardZoneMetadata.added',
    'BlendRewardZoneMetadata.removed',
    'IndexPartition.error',
    'IndexPartition.gap',
    'LendingPoolPosition.backstop',
    'Reward.blocked',
    'Reward.unlocks_at',
    'Adapter.error',
    'Adapter.last_sync_at',
  ],
  'record of the transaction yet': ['source_account', 'fee_account', 'fee_charged', 'memo_type'].map((name) => `Transaction.${name}`),
  memo: ['Transaction.memo'],
  'address in the role': ['operations', 'pause', 'rewards', 'system_fee'].map((role) => `AquariusRolesMetadata.${role}_admin`),
  'ledger that names it': ['Health.network_protocol'],
  'next page': ['Actions', 'Activities', 'Assets', 'PoolActivities', 'Pools', 'ProtocolAccounts'].map((of) => `${of}.next_cursor`),
  'answer that it could describe': [
    ...['attribution_confidence', 'data_staleness_seconds', 'last_indexed_ledger', 'oracle_staleness_seconds', 'partial_result'],
    ...['response_time_ms', 'sources'],
  ].map((name) => `SparseMeta.${name}`),
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}

function mayBeNull({ type = [], anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some(mayBeNull)
}

function nullMembers(schema: Schema, at: string): string[] {
  const inner = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])].filter((one) => typeof one === 'object')
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(mayBeNull(member) ? [`${at}.${name}`] : []),
    ...nullMembers(member, `${at}.${name}`),
  ])
  return [...members, ...inner.flatMap((one) => nullMembers(one, at))]
}

it('only members that can be without a value may be null', () => {
  const { components } = openApiDocument(routes, [])
  const found = Object.entries(components.schemas).flatMap(([name, schema]) => nullMembers(schema as Schema, name))
  expect(found.sort()).toEqual(Object.values(THERE_IS_NO).flat().sort())
})
