export { blend } from './protocol.ts'
export type { BlendState } from './state/state.ts'
export type { LendingBackstop, LendingPool, LendingReserve, PoolStatus, SideEmission } from './view/lending-pool.ts'
export type {
  AccruedShares,
  BackstopPosition,
  LendingPosition,
  OngoingLiquidation,
  OwedBalance,
  QueuedBackstopShares,
  SuppliedBalance,
} from './view/lending-position.ts'
export type { PoolAuction } from './view/pool-auctions.ts'
export { type BlendContract, type BlendView, blendView } from './view/view.ts'
