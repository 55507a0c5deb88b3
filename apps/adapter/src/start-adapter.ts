// A worker follows all given partitions of one protocol at once. What cannot work is refused here, before it begins.

import { OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { AdapterOptions, RunningAdapter } from './running-adapter.ts'
import { Worker } from './worker.ts'

/** @throws OrreryError `invalid`/`unknown_partition` when the log was made with fewer partitions. */
export async function startAdapter<State>(options: AdapterOptions<State>): Promise<RunningAdapter> {
  const { protocol, network, partitions, control, store, logger } = options
  const adapter = protocol.adapter(network)
  const total = control.start.partitions[protocol.id] ?? 0
  checkPartitions(protocol.id, partitions, total)
  const active = await store.activateIfNone(protocol.id, adapter.version, total)
  if (active !== adapter.version) {
    logger.warn(
      { protocol: protocol.id, version: adapter.version, active, code: 'version_not_active' },
      'Readers see the rows of another version of this adapter, which stand still while this one writes its own beside them. docs/operations/messages.md, version_not_active, says how to change over',
    )
  }
  return new Worker(options, adapter)
}

function checkPartitions(protocol: ProtocolId, asked: readonly number[], total: number): void {
  if (asked.length > 0 && asked.every((partition) => partition < total)) return
  throw new OrreryError(
    'invalid',
    'unknown_partition',
    `The log has ${total} partitions of ${protocol}; asked for: ${asked.join(', ') || 'none'}. Nothing was started. Give numbers from 0 to ${total - 1}.`,
  )
}
