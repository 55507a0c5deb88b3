// What the log holds of one partition: how far its slices continue without a gap, and where a range of ledgers begins in it.
// Reads headers only.

import { EMPTY_ROLLING_HASH, type EventLog, type LogPartition, readSliceHeader, storedRecords } from '@orrery/event-log'

export interface PartitionReach {
  /** The last slice before the range: where a second fold begins. */
  readonly start: { readonly ledger: number; readonly rollingHash: string; readonly offset: bigint }
  /** Last ledger up to which slices continue without a gap. */
  readonly ledger: number
  /** Ledgers (after, before] that no slice covers, at the first gap that was not closed. Null without one. */
  readonly gap: { readonly after: number; readonly before: number } | null
  /** Rolling hash of the partition at the end of `hashAt`; null where the slices end before it. */
  readonly hashAt: string | null
}

/**
 * Reads the headers of a partition as it is now.
 * @param firstLedger First ledger of the index.
 * @param from First ledger of the range.
 * @param checkpoint Ledger whose rolling hash is wanted.
 */
export async function partitionReach(
  log: EventLog,
  at: LogPartition,
  { firstLedger, from, checkpoint }: { readonly firstLedger: number; readonly from: number; readonly checkpoint: number },
): Promise<PartitionReach> {
  let ledger = firstLedger - 1
  let rollingHash = EMPTY_ROLLING_HASH
  let start = { ledger, rollingHash, offset: 0n }
  let hashAt = checkpoint < firstLedger ? EMPTY_ROLLING_HASH : null
  let gap: PartitionReach['gap'] = null
  for await (const { value, offset } of storedRecords(log, at)) {
    const header = readSliceHeader(value)
    if (header.part !== header.parts || header.ledger <= ledger) continue
    if (header.after > ledger) {
      gap ??= { after: ledger, before: header.after }
      continue
    }
    if (gap !== null && header.ledger >= gap.before) gap = null
    ledger = header.ledger
    rollingHash = header.rollingHash
    if (ledger < from) start = { ledger, rollingHash, offset: offset + 1n }
    if (ledger === checkpoint) hashAt = rollingHash
  }
  return { start, ledger, gap, hashAt }
}
