// Reads at start what the partitions of the log hold: the position of each.

import { EMPTY_ROLLING_HASH, type EventLog, type LogPartition, readSliceHeader, SliceAssembler, storedRecords } from '@orrery/event-log'
import type { PartitionPosition } from './slice-builder.ts'

/** The position of a partition: that of its newest complete slice. `null` when it has none. */
export async function readPosition(log: EventLog, at: LogPartition): Promise<PartitionPosition | null> {
  const last = await log.last(at)
  if (!last) return null
  const header = readSliceHeader(last.value)
  // Parts are appended in order, so the last part implies the others.
  if (header.part === header.parts) return { ledger: header.ledger, rollingHash: header.rollingHash }
  return readPositionBefore(log, at, last.offset)
}

/** The last stored position of a partition at or before `ledger`. Null when no such slice is stored. */
export async function readPositionUpTo(log: EventLog, at: LogPartition, ledger: number): Promise<PartitionPosition | null> {
  let position: PartitionPosition | null = null
  for await (const { value } of storedRecords(log, at)) {
    const header = readSliceHeader(value)
    const isNewer = position === null || header.ledger > position.ledger
    if (header.ledger <= ledger && isNewer) position = { ledger: header.ledger, rollingHash: header.rollingHash }
  }
  return position
}

/** The writer died between the parts of a slice. Offsets need not be consecutive, so look back twice as far until a complete slice is found. */
async function readPositionBefore(log: EventLog, at: LogPartition, offset: bigint): Promise<PartitionPosition | null> {
  for (let back = 64n; ; back *= 2n) {
    const from = offset > back ? offset - back : 0n
    const assembler = new SliceAssembler()
    let position: PartitionPosition | null = null
    for await (const { value } of storedRecords(log, at, from)) {
      const slice = assembler.push(value)
      if (slice) position = { ledger: slice.ledger, rollingHash: slice.rollingHash }
    }
    if (position || from === 0n) return position
  }
}

/** The position before the first ledger of the index. */
export function emptyPosition(firstLedger: number): PartitionPosition {
  return { ledger: firstLedger - 1, rollingHash: EMPTY_ROLLING_HASH }
}
