export type { LendingBackstop, LendingPool, LendingReserve, PoolStatus, SideEmission } from './lending-pool.ts'
export type {
  AccruedShares,
  BackstopPosition,
  LendingPosition,
  OngoingLiquidation,
  OwedBalance,
  QueuedBackstopShares,
  SuppliedBalance,
} from './lending-position.ts'
export type { BlendState } from './state.ts'
export type { BlendContract, BlendView } from './view.ts'
