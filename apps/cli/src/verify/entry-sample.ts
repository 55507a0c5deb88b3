// A sample of the contract data entries in the log, each with its last value: chosen by the hash of its name and a seed, so that one pass with
// bounded memory finds the last value of every entry that it keeps.

import { createHash } from 'node:crypto'
import { sliceTopic, storedSlices } from '@orrery/event-log'
import { type EntryName, entryText } from '@orrery/protocol-kit'
import type { VerifiedIndex } from './verified-index.ts'

export interface SampledEntry extends EntryName {
  /** XDR of the value `ScVal`; null when the entry was removed. */
  readonly value: Uint8Array | null
  /** The ledger that wrote it last, as the log has it. */
  readonly ledger: number
  /** Topic and partition. */
  readonly at: string
}

/** At most `size` entries that changed in the range. Another `seed` chooses others. */
export async function sampleEntries(
  { log, network, partitions, from, to }: VerifiedIndex,
  size: number,
  seed: string,
): Promise<SampledEntry[]> {
  const kept = new Map<string, { readonly rank: string; entry: SampledEntry }>()
  for (const { protocol, partition, reach } of partitions) {
    const at = { topic: sliceTopic(network.name, protocol.id), partition }
    for await (const slice of storedSlices(log, at, reach.start)) {
      if (slice.ledger > to) break
      if (slice.ledger < from) continue
      for (const { record } of slice.records) {
        // A bootstrap entry is as of an older ledger, and an eviction archives the value.
        if (record.kind !== 'entry' || record.change === 'bootstrap') continue
        const { contract, key, durability, value } = record
        const text = entryText(record)
        const known = kept.get(text)
        if (known !== undefined) {
          if (slice.ledger >= known.entry.ledger) known.entry = { ...known.entry, value, ledger: slice.ledger }
          continue
        }
        const rank = createHash('sha256').update(`${seed} ${text}`).digest('hex')
        kept.set(text, { rank, entry: { contract, key, durability, value, ledger: slice.ledger, at: `${at.topic}/${at.partition}` } })
        if (kept.size > size) kept.delete(highest(kept))
      }
    }
  }
  return [...kept.values()].map(({ entry }) => entry)
}

/** The name with the highest rank. An entry that is dropped never returns, because the highest rank only falls. */
function highest(kept: ReadonlyMap<string, { readonly rank: string }>): string {
  let [name, rank] = ['', '']
  for (const [text, one] of kept) if (one.rank > rank) [name, rank] = [text, one.rank]
  return name
}
