export { contractDataKey, contractDataValue } from './contract-data.ts'
export { openRpc } from './open-rpc.ts'
export type {
  CallOptions,
  Rpc,
  RpcHealth,
  RpcLedger,
  RpcLedgerEntries,
  RpcLedgerEntry,
  RpcLedgers,
  RpcOptions,
  RpcRetry,
  RpcSurvey,
  RpcTime,
} from './rpc.ts'
