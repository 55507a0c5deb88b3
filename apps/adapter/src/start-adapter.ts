// Starts a worker, which follows all given partitions of one protocol. Options that cannot work are refused here.

import { OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { AdapterOptions, RunningAdapter } from './running-adapter.ts'
import { Worker } from './worker.ts'

/** @throws OrreryError `invalid`/`unknown_partition` when the log has fewer partitions. */
export async function startAdapter<State>(options: AdapterOptions<State>): Promise<RunningAdapter> {
  const { protocol, network, partitions, control, store, logger } = options
  const adapter = protocol.adapter(network)
  const total = control.start.partitions[protocol.id] ?? 0
  checkPartitions(protocol.id, partitions, total)
  const active = await store.activateIfNone(protocol.id, adapter.version, total)
  if (active !== adapter.version) {
    logger.warn(
      { protocol: protocol.id, version: adapter.version, active, code: 'version_not_active' },
      'Readers see the rows of another adapter version, which do not advance while this version writes rows of its own. To switch, see version_not_active in docs/operations/messages.md',
    )
  }
  return new Worker(options, adapter)
}

function checkPartitions(protocol: ProtocolId, requested: readonly number[], total: number): void {
  if (requested.length > 0 && requested.every((partition) => partition < total)) return
  throw new OrreryError(
    'invalid',
    'unknown_partition',
    `The log has ${total} partitions of ${protocol}; requested: ${requested.join(', ') || 'none'}. Nothing was started. Use numbers from 0 to ${total - 1}.`,
  )
}
