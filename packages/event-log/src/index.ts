export {
  type BootstrapControl,
  type ControlRecord,
  controlValues,
  decodeControl,
  encodeControl,
  type LedgerControl,
  type ProtocolControl,
  type RegistryControl,
  type SourceTipControl,
  type StartControl,
  summarizeControl,
  type TrackedControl,
} from './control-codec.ts'
export { type ControlSnapshot, encodeControlSnapshot, readControlSnapshot } from './control-snapshot.ts'
export { copyLmdbLog } from './copy-lmdb-log.ts'
export { describeSlice } from './describe-slice.ts'
export type { EventLog, LogPartition, LogRecord, Share, TopicSettings } from './event-log.ts'
export { openLog } from './open.ts'
export { chainRollingHash, EMPTY_ROLLING_HASH, sliceRollingHash } from './rolling-hash.ts'
export { SliceAssembler } from './slice-assembler.ts'
export { decodeSlice, encodeNextSlice, encodeSlice } from './slice-codec.ts'
export { readSliceHeader, type SliceHeader } from './slice-header.ts'
export { storedRecords, storedSlices } from './stored.ts'
export { controlSnapshotTopic, controlTopic, sliceTopic } from './topics.ts'
