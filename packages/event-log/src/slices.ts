// What a program needs that reads the slices of Orrery with its own Kafka client: no driver, no connection. It is built as a package of its own.

import { declareProtocolNumber, type ProtocolId } from '@orrery/protocol-kit'

export type { RecordClass, Slice, SliceRecord } from '@orrery/protocol-kit'
export { type ControlRecord, decodeControl } from './control-codec.ts'
export { describeSlice, type JsonObject } from './describe-slice.ts'
export { EMPTY_ROLLING_HASH, sliceRollingHash } from './rolling-hash.ts'
export { SliceAssembler } from './slice-assembler.ts'
export { decodeSlice } from './slice-codec.ts'
export { readSliceHeader, type SliceHeader } from './slice-header.ts'
export { controlSnapshotTopic, controlTopic, sliceTopic } from './topics.ts'

/**
 * The numbers of protocols in slices. In this repository each protocol declares its own, with its fold; a program that only reads slices has no
 * fold. A number never changes.
 */
export const PROTOCOL_NUMBERS: Readonly<Record<ProtocolId, number>> = { blend: 1, aquarius: 2, soroswap: 3, fxdao: 4 }

for (const [protocol, number] of Object.entries(PROTOCOL_NUMBERS)) declareProtocolNumber(protocol, number)
