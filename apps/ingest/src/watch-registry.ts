// Two ingest processes over one log append equal slices only while both route with the same registry. When another process records a larger
// registry, as the new instance of a rolling update does, this one must stop: the two would append different slices of the same ledgers.

import { OrreryError } from '@orrery/errors'
import { decodeControl, type RegistryControl, summarizeControl } from '@orrery/event-log'
import type { RegistryHistory } from '@orrery/protocol-kit'
import { compareRegistries, recordedNetwork } from '@orrery/registry'

/**
 * Reads the values of the control topic until they end.
 * @param history The registries that this ingest routes with.
 * @throws OrreryError `invalid`/`log_registry_grown` when it records a registry that this ingest does not route with,
 *   `invalid`/`registry_newer_than_build`.
 */
export async function watchRegistry(values: AsyncIterable<Uint8Array>, history: RegistryHistory): Promise<void> {
  for await (const value of values) {
    if (!summarizeControl(value).kinds.has('registry')) continue
    for (const record of decodeControl(value)) if (record.kind === 'registry') checkIsOurs(record, history)
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
