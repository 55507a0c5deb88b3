// Progress of workers: checkpoints, health, ledgers.

import type { Partition } from '@orrery/protocol-kit'
import type { Checkpoint, ControlFact, HealthReport, LedgerRow } from '../store.ts'
import { flag, milliseconds, nullable, seconds, table, text, unsigned, unsigned64 } from './column.ts'

/** `protocol` of the checkpoint of the control topic's follower, which has no partitions and no index version. */
export const CONTROL = 'control'

export interface CheckpointRow extends Checkpoint {
  readonly at: Partition | { readonly protocol: typeof CONTROL; readonly partition: 0 }
  /** 0 for the control topic. */
  readonly indexVersion: number
}

export const checkpointsTable = table<CheckpointRow>('checkpoints_v1', {
  protocol: text((row) => row.at.protocol),
  partition: unsigned(16, (row) => row.at.partition),
  adapter_version: unsigned(16, (row) => row.indexVersion),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  log_offset: unsigned64((row) => row.offset),
  rolling_hash: text((row) => row.rollingHash),
})

export const healthTable = table<HealthReport>('adapter_health_v1', {
  protocol: text((row) => row.protocol),
  partition: unsigned(16, (row) => row.partition),
  adapter_version: unsigned(16, (row) => row.indexVersion),
  reported_at: milliseconds((row) => row.reportedAtMs),
  state: text((row) => row.state),
  checkpoint_ledger: unsigned(32, (row) => row.checkpointLedger),
  checkpoint_close_time: seconds((row) => row.checkpointCloseTimeSeconds),
  seen_ledger: unsigned(32, (row) => row.seenLedger),
  seen_close_time: seconds((row) => row.seenCloseTimeSeconds),
  source_ended: flag((row) => row.sourceEnded),
  source_heard_at: milliseconds((row) => row.sourceHeardAtMs),
  progressed_at: milliseconds((row) => row.progressedAtMs),
  gap_after: nullable(
    (row) => row.gap?.after ?? null,
    (present) => unsigned(32, present),
  ),
  gap_before: nullable(
    (row) => row.gap?.before ?? null,
    (present) => unsigned(32, present),
  ),
  error: text((row) => row.error),
  errors_last_hour: unsigned(32, (row) => row.errorsLastHour),
  contracts_tracked: unsigned(32, (row) => row.contractsTracked),
})

export const ledgersTable = table<LedgerRow>('ledgers_v1', {
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  hash: text((row) => row.hash),
})

export const controlFactsTable = table<ControlFact>('control_facts_v1', {
  kind: text((row) => row.kind),
  ledger: unsigned(32, (row) => row.ledger),
  value: text((row) => row.value),
})
