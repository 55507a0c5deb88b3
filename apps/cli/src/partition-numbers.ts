// How many partitions each protocol of a data folder has. The number decides which partition a contract is in, so a folder keeps the one that it began with.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from '@orrery/event-log'
import { partitionsInLog } from '@orrery/ingest'
import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import type { IndexVersion, Store } from '@orrery/read-model'

export interface ChosenPartitions {
  /** Of each protocol, as far as it can be divided; null: the folder's own, or `ofNewFolder`. */
  readonly wanted: number | null
  /** Of each protocol that the folder does not have yet, as far as it can be divided; null: the protocol's `defaultPartitions`. */
  readonly ofNewFolder: number | null
}

const NOTHING_CHOSEN: ChosenPartitions = { wanted: null, ofNewFolder: null }

/**
 * The numbers with which ingest and adapters start: those of the log. Of a protocol that it does not have, those of its rows, for a log that was lost is
 * written again from the source.
 *
 * @throws OrreryError `invalid`/`topic_mismatch` when another number is wanted.
 */
export async function partitionNumbers(
  protocols: readonly Protocol<unknown>[],
  { network, log, store }: { readonly network: Network; readonly log: EventLog; readonly store: Store },
  { wanted, ofNewFolder }: ChosenPartitions = NOTHING_CHOSEN,
): Promise<Readonly<Partial<Record<ProtocolId, number>>>> {
  const inLog = await partitionsInLog(log, network)
  const unknown = protocols.filter(({ id }) => inLog[id] === undefined).map(({ id }) => id)
  const versions = unknown.length === 0 ? null : await store.indexVersionsOf(unknown)
  const numbers = protocols.map(({ id, displayName, defaultPartitions, maxPartitions }): [ProtocolId, number] => {
    const has = inLog[id] ?? partitionsOfRows(versions?.get(id) ?? [])
    const chosen = Math.min(wanted ?? ofNewFolder ?? defaultPartitions, maxPartitions)
    if (has !== null && wanted !== null && has !== chosen) throw otherNumber(displayName, has, wanted)
    return [id, has ?? chosen]
  })
  return Object.fromEntries(numbers)
}

function partitionsOfRows(versions: readonly IndexVersion[]): number | null {
  const kept = versions.filter(({ isRetired }) => !isRetired)
  return (kept.find(({ isActive }) => isActive) ?? kept.at(-1))?.partitions ?? null
}

function otherNumber(protocol: string, has: number, wanted: number): OrreryError {
  const partitions = has === 1 ? 'one partition' : `${has} partitions`
  const message = `${protocol} has ${partitions} in this data folder, and --partitions is ${wanted}. Nothing was changed. Omit --partitions to continue, or index into a new data folder.`
  return new OrreryError('invalid', 'topic_mismatch', message, { context: { protocol, has, wanted } })
}
