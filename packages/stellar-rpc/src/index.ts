export type { Endpoint } from './endpoint.ts'
export { type Answer, Endpoints } from './endpoints.ts'
export { type HttpAnswer, httpAttempt, type SendOptions } from './http-attempt.ts'
export { KEYS_AT_ONCE, openRpc } from './open-rpc.ts'
export { type ContractDataName, type ContractDataNow, readContractData } from './read-contract-data.ts'
export type { Retry } from './retry.ts'
export type {
  CallOptions,
  Rpc,
  RpcHealth,
  RpcLedger,
  RpcLedgerEntries,
  RpcLedgerEntry,
  RpcLedgers,
  RpcOptions,
  RpcSurvey,
  RpcTime,
} from './rpc.ts'
export { rpcAddresses } from './rpc-addresses.ts'
