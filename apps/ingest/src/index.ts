export { lakeSource } from './lake-source.ts'
export type { LedgerSource, SourceLedger, SourceRange } from './ledger-source.ts'
export type { IngestProgress } from './progress.ts'
export { type IngestOptions, type RunningIngest, startIngest } from './start-ingest.ts'
