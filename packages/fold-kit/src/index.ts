export { isInstanceKey } from '@orrery/pricing'
export type { Action, Leg, Unused } from './action.ts'
export { activityRows, type ValuedLeg } from './activity-rows.ts'
export {
  type Deposited,
  type HoldingCost,
  holdingCostValue,
  sumOfDeposited,
  worthOfDeposited,
} from './amm/holding-cost.ts'
export { type Holding, writeCosts } from './amm/holding-costs.ts'
export { type LpFacts, lpPool, lpPosition, percentOf } from './amm/lp-answers.ts'
export { type PoolView, poolView } from './amm/pool-view.ts'
export { emptySharePools, type SharePoolInstance, type SharePoolState, sharePoolEntries } from './amm/share-pool.ts'
export type { SharePoolAction, SharePoolAmm } from './amm/share-pool-amm.ts'
export { sharePoolSteps } from './amm/share-pool-steps.ts'
export { sharePoolView } from './amm/share-pool-view.ts'
export {
  type AmountsWorth,
  partOfReserves,
  type ReservesValue,
  tokenAmount,
  tokenAmounts,
  valueReserves,
  worthOfAmounts,
} from './amm/valuation.ts'
export { acquire, type Cost, costBasisFact, earn, release, repay } from './cost.ts'
export { type DefinedProtocol, defineProtocol } from './define-protocol.ts'
export { type EventBytes, either, eventReader, on } from './event-reader.ts'
export { type FeeWindow, feeApyOf, readFeeWindow, volumeInWindow, yieldInWindow } from './fee-window.ts'
export {
  type Counters,
  countSwaps,
  FEE_WINDOW_SECONDS,
  type FeeYield,
  feeYield,
  NO_YIELD,
  type SwapSums,
} from './fee-yield.ts'
export { getOrMake } from './get-or-make.ts'
export { DAILY_BELOW_USD, isHeartbeatDue } from './heartbeat.ts'
export { type LedgerContext, type LedgerEnd, ledgerEnd } from './ledger-end.ts'
export { type LpSeries, lpSnapshots, type Snapshots } from './lp-snapshots.ts'
export type { MovementKind } from './moved-units.ts'
export { namedAsset } from './named-asset.ts'
export { namedPools, trackerOf } from './named-pools.ts'
export { type OperationRecords, operationRecords } from './operation-records.ts'
export { type PassThrough, passedThrough, type SeenTransfer } from './pass-through.ts'
export { ReadValues } from './read-values.ts'
export { type DerivedActions, type DerivedOperation, type FoldSteps, runFold } from './run-fold.ts'
export type { EventPlace, Seen } from './seen.ts'
export type { KeyedRecord, LiveEntry } from './state/apply-entry.ts'
export { lossFact, smallFact, tokenFact } from './state/common-facts.ts'
export { amountValue, costValue, countersValue, smallValue } from './state/common-values.ts'
export { Journal, type Written } from './state/journal.ts'
export { LOSS_KEY, type LossMemory, writesLoss } from './state/loss-writes.ts'
export { type FactPlace, factItem, factMember, item, member, nameIn, type Place, placeIn } from './state/place.ts'
export { rememberSize, SMALL_KEY, type SmallPositions } from './state/small-positions.ts'
export { type FoldState, StateEntries, stateTable } from './state/state-entries.ts'
export { type ApplyContext, type At, type Change, stateEntry } from './state/state-entry.ts'
export {
  choice,
  flag,
  integer,
  list,
  type Members,
  mapOf,
  named,
  nullable,
  number,
  object,
  only,
  optional,
  optionalObject,
  type Scalar,
  stored,
  text,
  tuple,
  usd,
  type ValueOf,
} from './state/stored-value.ts'
export { applyTokenInstance, TOKEN_KEY, tokenValue } from './state/token-facts.ts'
export {
  isInstanceRecord,
  readBalanceHolder,
  readTokenBalance,
  readTokenMetadata,
  type TokenMetadata,
  tokenMetadata,
} from './token-entries.ts'
export { readTokenMove, readTokenTransfer, type TokenMove, type TokenTransfer } from './token-events.ts'
export { transactionRows } from './transaction-rows.ts'
export { type Ignore, ignoreEvent, reportUnexpected } from './unused-events.ts'
export { type UsdUnits, usdSum, usdSumOfPriced, usdText, usdUnits } from './usd-units.ts'
export { usdFraction, type ValuedToken, valuedToken } from './valued-token.ts'
