// Several processes follow one protocol: each has the partitions that the log assigned to it, until the group of processes changes.
// Then it stores what it has folded, drops its state, and continues with its next share from the checkpoints.

import { once } from 'node:events'
import { type Share, sliceTopic } from '@orrery/event-log'
import type { Readiness } from '@orrery/service-kit'
import type { AdapterOptions } from './running-adapter.ts'
import { startAdapter } from './start-adapter.ts'

export type SharedOptions<State> = Omit<AdapterOptions<State>, 'partitions' | 'lost'>

/** Called at every change of the share with the readiness from then on. */
export type OnShare = (ready: () => Readiness) => void

/**
 * Follows this process's share of the partitions until `signal` aborts.
 * @throws the error that ended an adapter, and errors of the log.
 */
export async function followShares<State>(options: SharedOptions<State>, signal: AbortSignal, onShare: OnShare): Promise<void> {
  const { protocol, network, log, logger, metrics } = options
  const { version } = protocol.adapter(network)
  for await (const share of log.shares(sliceTopic(network.name, protocol.id), `${protocol.id}-v${version}`, signal)) {
    metrics.adapterRebalances.inc({ protocol: protocol.id })
    metrics.adapterOwned.set({ protocol: protocol.id }, share.partitions.length)
    const about = { protocol: protocol.id, version, partitions: share.partitions }
    logger.info(about, share.partitions.length === 0 ? 'Standing by: other processes have all partitions' : 'Took partitions')
    await followOne(options, share, onShare)
    onShare(() => ({ ok: false, why: `Waiting for a share of the partitions of ${protocol.id}.` }))
    if (share.lost.aborted) logger.warn(about, 'Lost partitions: the session of this process expired, so others may have taken them')
    else logger.info(about, 'Handed over partitions; everything that was folded is stored')
  }
}

async function followOne<State>(options: SharedOptions<State>, { partitions, changed, lost }: Share, onShare: OnShare): Promise<void> {
  const change = changed.aborted ? Promise.resolve() : once(changed, 'abort')
  if (partitions.length === 0) {
    onShare(() => ({ ok: true, why: '' })) // nothing to catch up with
    await change
    return
  }
  const adapter = await startAdapter({ ...options, partitions, lost })
  onShare(() => adapter.readiness())
  await Promise.race([adapter.finished, change])
  await adapter.stop()
}
