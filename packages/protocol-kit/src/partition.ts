// Which partition a contract's records go to: xxhash64 (seed 0) of the 32 raw bytes of its home contract, mod P.
// The same in every driver of the event log: no message key and no partitioner of a Kafka client is used.

import xxhash from 'xxhash-wasm'
import type { ProtocolId } from './protocol-id.ts'

const { h64Raw } = await xxhash()

/** One partition of a protocol's slices. */
export interface Partition {
  readonly protocol: ProtocolId
  readonly partition: number
}

/** Partition of a home contract given its 32 raw bytes. */
export function partitionOf(homeBytes: Uint8Array, partitions: number): number {
  return Number(h64Raw(homeBytes, 0n) % BigInt(partitions))
}
