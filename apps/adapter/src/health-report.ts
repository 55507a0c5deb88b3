// A partition's progress as a health row. The row has facts only; its readers decide what they mean.

import type { ProtocolId } from '@orrery/protocol-kit'
import type { Checkpoint, HealthReport } from '@orrery/read-model'
import type { ControlFollower } from './control-follower.ts'
import type { PartitionProgress } from './partition-progress.ts'

/** `checkpoint` is the one of `progress`: a partition whose checkpoint was not read yet has no health row. */
export function healthReport(
  adapter: { readonly protocol: ProtocolId; readonly indexVersion: number },
  progress: PartitionProgress,
  checkpoint: Checkpoint,
  control: Pick<ControlFollower, 'seen' | 'sourceEnd' | 'sourceTip'>,
  nowMs: number,
  isHeld = false,
): HealthReport {
  const { seen, sourceEnd, sourceTip } = control
  return {
    protocol: adapter.protocol,
    partition: progress.partition,
    indexVersion: adapter.indexVersion,
    reportedAtMs: nowMs,
    state: stateOf(progress, isHeld),
    checkpointLedger: checkpoint.ledger,
    checkpointCloseTimeSeconds: checkpoint.closeTimeSeconds,
    // Ledgers are appended before their slices, but a follower that has just started may be behind its partitions.
    seenLedger: Math.max(seen.ledger, checkpoint.ledger, sourceTip?.ledger ?? 0),
    seenCloseTimeSeconds: Math.max(seen.closeTimeSeconds, checkpoint.closeTimeSeconds, sourceTip?.closeTimeSeconds ?? 0),
    sourceEnded: sourceEnd !== null,
    sourceHeardAtMs: sourceTip?.heardAtMs ?? 0,
    progressedAtMs: progress.progressedAtMs,
    gap: progress.gap,
    // Where a sum does not add up rows may be wrong, but indexing continues: the state stays `running`.
    error: errorOf(progress, checkpoint),
    errorsLastHour: progress.errorsLastHour,
    contractsTracked: progress.contractsTracked,
  }
}

/** A partition that is quarantined stays so while its rows are repaired: the watermark must not move back. */
function stateOf({ quarantined, gap, error }: PartitionProgress, isHeld: boolean): HealthReport['state'] {
  if (quarantined) return 'quarantined'
  if (isHeld) return 'held'
  return gap === null && error === '' ? 'running' : 'failing'
}

function errorOf({ quarantined, error, brokenInvariant }: PartitionProgress, { ledger }: Checkpoint): string {
  if (!quarantined) return error === '' ? brokenInvariant : error
  return `Quarantined after ledger ${ledger}: ${error === '' ? 'it is catching up.' : error}`
}
