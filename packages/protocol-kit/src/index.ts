export type { AccountEntries, EntryValue } from './account-entries.ts'
export type { Adapter, StateRef } from './adapter.ts'
export {
  ContractAddress,
  type Deployment,
  type DeploymentKind,
  type DeploymentOf,
  defineDeployment,
  LedgerSequence,
  readDeployment,
  writeDeployment,
} from './deployment.ts'
export * from './deployments.ts'
export { balanceName, type EntryName, entryText, instanceName } from './entry-name.ts'
export { decodeEventKey, type EventKey, encodeEventKey, rowNumber } from './event-key.ts'
export { divCeil, divFloor, mulDivCeil, mulDivFloor, sqrtFloor } from './integer.ts'
export { type AssetHint, defaultPartitions, type KnownPool, type Network, type OracleBase, type OracleConfig } from './network.ts'
export { type Partition, partitionOf } from './partition.ts'
export type { CoinIssuer, PeggedCoin, PeggedCoins, PeggedCoinsReader } from './pegged-coins.ts'
export { PLAIN_TERM, type PositionTerm, type UsdFraction } from './position-term.ts'
export type { At, DecimalsOf, PoolQuote, PoolRate, PricePoolFacts, PricePoolReader } from './price-pool.ts'
export type { Protocol } from './protocol.ts'
export { MAX_PARTITIONS, type ProtocolFacts } from './protocol-facts.ts'
export { declareProtocolNumber, type ProtocolId, protocolNumber, protocolOfNumber } from './protocol-id.ts'
export {
  type AmmKind,
  type AmmView,
  type Announcement,
  CONTRACT_STATUSES,
  type ContractDescription,
  type ContractStatus,
  INDEXING_MODES,
  type LendingKind,
  type ProtocolView,
  type VaultKind,
} from './protocol-view.ts'
export { RegistryHistory, type RegistryVersion } from './registry-history.ts'
export { CONTEXT_ONLY, OWNED, OWNED_AND_SHARED, type ProtocolRouting, type Route, SHARED, type TrackedContract } from './routing.ts'
export {
  ACTIVITY_TYPES,
  type ActivityRow,
  type ActivityType,
  type DecimalText,
  NO_ROWS,
  type NoticeRow,
  type PoolSnapshotRow,
  type PositionSnapshotRow,
  type PriceRow,
  type ReserveSnapshotRow,
  ROW_TABLES,
  type Rows,
  SHARE_TYPES,
  SHARED_SCOPE,
  type ShareType,
  type StateRow,
  type TransactionRow,
} from './rows.ts'
export type { RecordClass, Slice, SliceRecord } from './slice.ts'
export type {
  AssetInfo,
  CostBasisFact,
  LpClaimable,
  LpCurve,
  LpEmission,
  LpPool,
  LpPoolType,
  LpPosition,
  LpRange,
  LpTick,
  Price,
  TokenAmount,
} from './view.ts'
