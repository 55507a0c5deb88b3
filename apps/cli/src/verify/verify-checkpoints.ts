// Checkpoints and the log: a checkpoint is the ledger and rolling hash of a slice that the log holds. Gaps in the log are found here as well.

import { sliceTopic } from '@orrery/event-log'
import type { Findings } from './findings.ts'
import type { VerifiedIndex } from './verified-index.ts'

export function verifyCheckpoints({ partitions, network, firstLedger }: VerifiedIndex, findings: Findings): void {
  for (const { protocol, version, partition, checkpoint, reach } of partitions) {
    const key = { protocol: protocol.id, partition: String(partition), adapter_version: String(version) }
    if (reach.gap !== null) {
      const { after, before } = reach.gap
      findings.add({
        check: 'log',
        where: `${sliceTopic(network.name, protocol.id)}/${partition}`,
        key: { protocol: protocol.id, partition: String(partition) },
        ledger: after + 1,
        message: `The log has no slice of ledgers ${after + 1} to ${before}; a resend closes the gap.`,
      })
    }
    if (checkpoint === null || checkpoint.ledger < firstLedger) continue
    const report = (message: string): void =>
      findings.add({ check: 'checkpoints', where: 'checkpoints_v1', key, ledger: checkpoint.ledger, message })
    if (reach.hashAt === null) {
      report(
        `The checkpoint is ledger ${checkpoint.ledger}, and no slice of the log ends there: its slices continue up to ledger ${reach.ledger}.`,
      )
    } else if (reach.hashAt !== checkpoint.rollingHash) {
      report(`rolling_hash is ${checkpoint.rollingHash}, and the log has ${reach.hashAt}.`)
    }
  }
}
