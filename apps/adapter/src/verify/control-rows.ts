// What the control topic makes of the tables `ledgers_v1` and `control_facts_v1`, for a comparison with them.

import { controlTopic, decodeControl, type EventLog, storedRecords } from '@orrery/event-log'
import type { RegistryHistory } from '@orrery/protocol-kit'
import type { ControlFact, LedgerRow } from '@orrery/read-model'

export interface ControlRows {
  readonly ledgers: readonly LedgerRow[]
  readonly facts: readonly ControlFact[]
  /** Offset of the value in the topic. */
  readonly offset: bigint
}

/** The rows of ledgers from `from` to `to`, value by value of the topic. A repeated record is a row once. */
export async function* controlRows(
  log: EventLog,
  network: string,
  registry: RegistryHistory,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncIterable<ControlRows> {
  let newest = 0
  for await (const { value, offset } of storedRecords(log, { topic: controlTopic(network), partition: 0 })) {
    const ledgers: LedgerRow[] = []
    const facts: ControlFact[] = []
    for (const record of decodeControl(value)) {
      if (record.kind === 'start' || record.ledger < from || record.ledger > to) continue
      if (record.kind === 'ledger' && record.ledger > newest) {
        newest = record.ledger
        ledgers.push({ ledger: record.ledger, closeTimeSeconds: record.closeTimeSeconds, hash: record.hash })
      } else if (record.kind === 'registry' && registry.versions.some(({ fromLedger }) => fromLedger === record.ledger)) {
        facts.push({ kind: 'registry', ledger: record.ledger, value: record.document })
      } else if (record.kind === 'protocol') {
        facts.push({ kind: 'protocol', ledger: record.ledger, value: String(record.version) })
      }
    }
    if (ledgers.length + facts.length > 0) yield { ledgers, facts, offset }
  }
}
