// Several processes follow one protocol: each has the partitions that the log gave it, until the group of processes changes.
// Then it stores what it has folded, drops its state, and goes on with its next share from the checkpoints.

import { once } from 'node:events'
import { type Share, sliceTopic } from '@orrery/event-log'
import type { Readiness } from '@orrery/service-kit'
import type { AdapterOptions } from './running-adapter.ts'
import { startAdapter } from './start-adapter.ts'

export type SharedOptions<State> = Omit<AdapterOptions<State>, 'partitions' | 'lost'>

/** Told with every change how ready this process is from now on. */
export type OnShare = (ready: () => Readiness) => void

/**
 * Follows this process's share of the partitions until `signal` aborts.
 * @throws what ended an adapter, and what the log throws.
 */
export async function followShares<State>(options: SharedOptions<State>, signal: AbortSignal, onShare: OnShare): Promise<void> {
  const { protocol, network, log, logger } = options
  const { version } = protocol.adapter(network)
  for await (const share of log.shares(sliceTopic(network.name, protocol.id), `${protocol.id}-v${version}`, signal)) {
    const about = { protocol: protocol.id, version, partitions: share.partitions }
    logger.info(about, share.partitions.length === 0 ? 'Stands by: other processes have all partitions' : 'Took partitions')
    await followOne(options, share, onShare)
    onShare(() => ({ ok: false, why: `Waits for its share of the partitions of ${protocol.id}.` }))
    if (share.lost.aborted)
      logger.warn(about, 'Lost partitions: nothing was heard of this process for a whole session, so others may have gone on with them')
    else logger.info(about, 'Handed over partitions: everything that was folded is stored')
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
