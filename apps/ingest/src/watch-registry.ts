// Two ingest processes over one log append equal slices only while both route with the same registry. When another process records a larger
// registry, as the new instance of a rolling update does, this one must stop: the two would append different slices of the same ledgers.

import { OrreryError } from '@orrery/errors'
import { controlTopic, decodeControl, type EventLog, type LogPartition, type RegistryControl, summarizeControl } from '@orrery/event-log'
import type { RegistryHistory } from '@orrery/protocol-kit'
import { compareRegistries, recordedNetwork } from '@orrery/registry'

export interface WatchedRegistry {
  readonly log: EventLog
  readonly network: string
  /** The registries that this ingest routes with. */
  readonly history: RegistryHistory
  /** Offset of the control topic to read from: everything before was read when ingest started. */
  readonly from: bigint
}

/**
 * Reads the control topic until `signal` aborts.
 * @throws OrreryError `invalid`/`log_registry_grown` when it records a registry that this ingest does not route with,
 *   `invalid`/`registry_newer_than_build`.
 */
export async function watchRegistry({ log, network, history, from }: WatchedRegistry, signal: AbortSignal): Promise<void> {
  const source: LogPartition = { topic: controlTopic(network), partition: 0 }
  for await (const records of log.read(source, from, signal)) {
    for (const { value } of records) {
      if (!summarizeControl(value).kinds.has('registry')) continue
      for (const record of decodeControl(value)) if (record.kind === 'registry') checkIsOurs(record, history)
    }
  }
}

function checkIsOurs({ ledger, document }: RegistryControl, history: RegistryHistory): void {
  const { additions, refusals } = compareRegistries(history.at(ledger), recordedNetwork(history.newest.network.protocols, document, ledger))
  if (additions.length + refusals.length === 0) return
  throw new OrreryError(
    'invalid',
    'log_registry_grown',
    `Another ingest has recorded a registry in this log that applies from ledger ${ledger} on and adds ${[...additions, ...refusals].join(', ')}. This ingest routes without it and stops. Everything before ledger ${ledger} is complete and stored. Run one ingest for a log, with the larger registry.`,
    { context: { fromLedger: ledger } },
  )
}
