// The registry of the control topic, for folds: which version applies at a ledger, and when that is certain.
// The process's own registry file only names the network. Folds use the recorded registry, so that processes that run apart fold the same.

import { OrreryError } from '@orrery/errors'
import {
  type ControlSnapshot,
  controlTopic,
  decodeControl,
  type EventLog,
  type LogPartition,
  type RegistryControl,
  summarizeControl,
} from '@orrery/event-log'
import { type Network, RegistryHistory, type RegistryVersion } from '@orrery/protocol-kit'
import { recordedNetwork } from '@orrery/registry'

export interface FollowedRegistry {
  /** Versions are added while the control topic is followed. */
  readonly history: RegistryHistory
  /** Newest ledger of the control topic when it was read: no later record changes the registry of a ledger up to it. */
  readonly certainTo: number
  /** Offset of the last record that was read then; -1 in an empty topic. */
  readonly readTo: bigint
}

export interface ReadRegistryOptions {
  readonly log: EventLog
  readonly network: Pick<Network, 'name' | 'protocols'>
  /** The newest snapshot of the control topic, if it has one: what precedes it need not be read. */
  readonly snapshot: ControlSnapshot | null
  /** Called once when the topic records no registry yet: an ingest of an older build wrote it. */
  readonly onUnrecorded?: (() => void) | undefined
}

/**
 * Reads every registry of the control topic as it is now. Skips other records without decoding. Where an older ingest recorded none, waits
 * until a newer one does: rows that were folded with this process's own file could differ from those of a replay.
 * @throws OrreryError `unavailable`/`log_not_started` when `signal` aborts before that, `invalid`/`registry_newer_than_build`.
 */
export async function readRegistry(
  { log, network, snapshot, onUnrecorded }: ReadRegistryOptions,
  signal: AbortSignal,
): Promise<FollowedRegistry> {
  const source: LogPartition = { topic: controlTopic(network.name), partition: 0 }
  const end = (await log.last(source))?.offset ?? -1n
  const recorded = (snapshot?.records ?? []).filter((record) => record.kind === 'registry')
  let certainTo = snapshot?.ledger ?? 0
  let readTo = -1n
  let isWaiting = false
  // From the last record of the snapshot on: there is one to read, then, also where nothing has followed.
  for await (const records of log.read(source, snapshot?.offset ?? 0n, signal)) {
    for (const { value, offset } of records) {
      const { kinds, lastLedger } = summarizeControl(value)
      if (kinds.has('ledger')) certainTo = Math.max(certainTo, lastLedger)
      if (kinds.has('registry')) recorded.push(...registriesIn(value))
      readTo = offset
      if (readTo >= end && recorded.length > 0)
        return { history: RegistryHistory.ofRecords(recorded.map((it) => versionOf(it, network.protocols))), certainTo, readTo }
    }
    if (readTo < end || isWaiting) continue
    isWaiting = true
    onUnrecorded?.()
  }
  throw new OrreryError(
    'unavailable',
    'log_not_started',
    'Stopped before ingest had recorded the registry of this log. Nothing was changed. Start an ingest of this version for this log as well.',
  )
}

/** The registry version of a record. */
function versionOf({ ledger, document }: RegistryControl, protocols: Network['protocols']): RegistryVersion {
  return { fromLedger: ledger, network: recordedNetwork(protocols, document, ledger) }
}

/** Adds a record that arrived while the topic is followed. A repeated record changes nothing: the topic guarantees at-least-once delivery. */
export function addRegistry(history: RegistryHistory, record: RegistryControl): void {
  const version = versionOf(record, history.newest.network.protocols)
  if (history.accepts(version)) history.add(version)
}

function registriesIn(value: Uint8Array): RegistryControl[] {
  return decodeControl(value).filter((record) => record.kind === 'registry')
}
