// Starts an adapter, which follows all given partitions of one protocol. Options that cannot work are refused here.

import { counted, OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import { findVersion } from './followed-version.ts'
import type { AdapterOptions, RunningAdapter } from './running-adapter.ts'
import { VersionedAdapter } from './versioned-adapter.ts'
import { Worker } from './worker.ts'

/** @throws OrreryError `invalid`/`unknown_partition` when the log has fewer partitions. */
export async function startAdapter<State>(options: AdapterOptions<State>): Promise<RunningAdapter> {
  const { protocol, network, partitions, control, store, logger, activatesUpgrade = false } = options
  const adapter = protocol.adapter(network)
  const total = control.start.partitions[protocol.id] ?? 0
  checkPartitions(protocol.id, partitions, total)
  const followed = await findVersion(store, { protocol: protocol.id, adapterVersion: adapter.version, partitions: total })
  const { version, active } = followed
  if (active !== null && active.indexVersion !== version.indexVersion) {
    const fields = {
      ...{ protocol: protocol.id, version: adapter.version, indexVersion: version.indexVersion },
      ...{ activeVersion: active.adapterVersion, activeIndexVersion: active.indexVersion, code: 'version_not_active' },
    }
    if (activatesUpgrade && version.purpose === 'upgrade' && !version.wasActive)
      logger.info(
        fields,
        'Folds the log with a newer adapter version. Readers see the rows of the earlier one until this one has caught up',
      )
    else
      logger.warn(fields, 'Readers see the rows of another index version. To switch, see version_not_active in docs/operations/messages.md')
  }
  return new VersionedAdapter(options, adapter, followed)
}

export interface ReplayOptions<State> extends AdapterOptions<State> {
  /** The version to write, which no other adapter follows. */
  readonly indexVersion: number
}

/** Folds the log into one index version until it is stopped. @throws OrreryError `invalid`/`unknown_partition`. */
export function startReplay<State>(options: ReplayOptions<State>): RunningAdapter {
  const { protocol, network, partitions, control, indexVersion } = options
  checkPartitions(protocol.id, partitions, control.start.partitions[protocol.id] ?? 0)
  return new Worker({ ...options, quarantines: false, group: `${protocol.id}-index-${indexVersion}` }, protocol.adapter(network))
}

function checkPartitions(protocol: ProtocolId, requested: readonly number[], total: number): void {
  if (requested.length > 0 && requested.every((partition) => partition < total)) return
  throw new OrreryError(
    'invalid',
    'unknown_partition',
    `The log has ${counted(total, 'partition')} of ${protocol}; requested: ${requested.join(', ') || 'none'}. Nothing was started. Use ${total === 1 ? 'the number 0' : `numbers from 0 to ${total - 1}`}.`,
  )
}
