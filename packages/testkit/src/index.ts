export { CallFault, type FaultyMethods } from './call-fault.ts'
export { compiledFolder, isSharded, isWholeTier, screenshotsDir, testCacheFolder } from './env.ts'
export { type FoldedRecording, foldedRecording, type RecordedOperation, recordedSlices } from './folding/folded-recording.ts'
export { foldAll, StateTable, slicesOf } from './folding/recorded-fold.ts'
export { type MadeRecord, madeEntry, madeEvent, Scene, sceneSeconds } from './folding/scene.ts'
export { Slicer } from './folding/slicer.ts'
export { freePort } from './free-port.ts'
export { groundTruthRecording, isShippedRecording } from './ground-truth-recording.ts'
export { type LedgerBuilder, type LedgerBuilderOptions, ledgerBuilder } from './ledger-builder.ts'
export type {
  AuthSpec,
  CallSpec,
  ChangeSpec,
  EntryKeySpec,
  EventSpec,
  InvocationSpec,
  LedgerSpec,
  OperationSpec,
  TransactionSpec,
} from './ledger-spec.ts'
export { poolSide } from './pool-side.ts'
export { type ExpectedAnswer, type Recording, readBatchFile, readUnzipped, recording, sharedDir } from './recording.ts'
export { seededRandom } from './seeded-random.ts'
export { testAccount, testContract } from './test-names.ts'
export { excessOf, type FlowComparison, Reconciliation, TokenFlows } from './token-flows.ts'
export { eventsByOperation, placeOf, type TokenMove, tokenMoves } from './token-moves.ts'
export { type FakeLake, type FakeLakeOptions, startFakeLake } from './upstream/fake-lake.ts'
export { type FakeRpc, type FakeRpcOptions, type RpcRequest, startFakeRpc } from './upstream/fake-rpc.ts'
export type { EarlierEntry } from './upstream/recorded-state.ts'
export { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from './upstream/trace-receiver.ts'
export type { UpstreamFault } from './upstream/upstream-fault.ts'
