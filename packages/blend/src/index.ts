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
export { blend } from './protocol.ts'
export type { BlendState } from './state.ts'
export { type BlendContract, type BlendView, blendView } from './view.ts'
