export type { Action, Leg, Unused } from './action.ts'
export { activityRows, type ValuedLeg } from './activity-rows.ts'
export { applyTo, type Cell, type KeyedRecord, type Live, type Outcome } from './cell.ts'
export { acquire, type Cost, costBasisFact, costMembers, earn, release, repay } from './cost.ts'
export { type FeeWindow, readFeeWindow, yieldInWindow } from './fee-window.ts'
export {
  type Counters,
  counterMembers,
  countSwaps,
  FEE_WINDOW_SECONDS,
  type FeeYield,
  feeYield,
  NO_YIELD,
  type SwapSums,
} from './fee-yield.ts'
export { DAILY_BELOW_USD, isHeartbeatDue } from './heartbeat.ts'
export { Journal, type Written } from './journal.ts'
export { LedgerEnd, type Setting } from './ledger-end.ts'
export { LOSS_KEY, type LossMemory, lossHourOf, writesLoss } from './loss-writes.ts'
export { type LpSeries, lpSnapshots, type Snapshots } from './lp-snapshots.ts'
export { type MovementKind, matchUnits, moveUnits } from './moved-units.ts'
export { namedPools } from './named-pools.ts'
export { type OperationRecords, operationRecords } from './operation-records.ts'
export { type PassThrough, passedThrough, type SeenTransfer } from './pass-through.ts'
export { rememberSize, SMALL_KEY, type SmallPositions } from './small-positions.ts'
export { StateValue, stateText } from './state-value.ts'
export {
  isInstanceKey,
  isInstanceRecord,
  readBalanceHolder,
  readTokenBalance,
  readTokenMetadata,
  type TokenMetadata,
  tokenMetadata,
} from './token-entries.ts'
export { readTokenMove, readTokenTransfer, type TokenMove, type TokenTransfer } from './token-events.ts'
export { applyTokenInstance, TOKEN_KEY, tokenOfValue } from './token-facts.ts'
export { transactionRows } from './transaction-rows.ts'
export { type Ignore, ignoreEvent, noticeUnused, wonder } from './unused-events.ts'
export { type UsdUnits, usdSum, usdText, usdUnits } from './usd-units.ts'
export { type ValuedToken, valuedToken } from './valued-token.ts'
