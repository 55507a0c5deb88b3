export { type EventShape, type EventValues, event, matchEvent, readEvent, type TopicText, topicName, topicText } from './event-shape.ts'
export { extractLedger } from './extract-ledger.ts'
export { type Instance, readInstance } from './instance.ts'
export { MEMO_TYPES, type Memo, type MemoType, readMemo } from './memo.ts'
export { SUPPORTED_PROTOCOLS } from './newer-ledger.ts'
export { type LedgerBatch, readBatch } from './read-batch.ts'
export { readLedgerHeader } from './read-header.ts'
export type {
  Address,
  CallRecord,
  ContractId,
  EntryRecord,
  EventRecord,
  EvictionRecord,
  LedgerExtract,
  LedgerHeaderFacts,
  LedgerRecord,
  TransactionFacts,
  TtlRecord,
} from './record.ts'
export { sc } from './sc.ts'
export { writeScAddress } from './sc-address.ts'
export { type Executable, readScVal, readScVals, type ScMapEntry, type ScVal } from './scval.ts'
export {
  address,
  any,
  bool,
  bytes,
  decode,
  dict,
  i32,
  i64,
  i128,
  i256,
  literal,
  matches,
  nothing,
  type Of,
  oneOf,
  option,
  type Shape,
  string,
  struct,
  symbol,
  tuple,
  u32,
  u64,
  u128,
  u256,
  variant,
  vec,
  type Where,
} from './shape.ts'
export { contractBytes, contractId, decodeStrkey, encodeStrkey, isAccountId, isContractId, type StrkeyKind } from './strkey.ts'
export { TrackedSet } from './tracked-set.ts'
export { putScVal, writeScVal, writeScVals } from './write-scval.ts'
export { XdrWriter } from './xdr-writer.ts'
