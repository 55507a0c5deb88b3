// Extracts a ledger and finds the contracts that it makes known, until there is nothing new.
// A pool's instance and share token are created before the factory announces it, so what is found is looked for again in the same ledger.

import type { AdoptedControl } from '@orrery/event-log'
import { type EntryRecord, type EventRecord, extractLedger, type LedgerExtract } from '@orrery/ledger'
import type { TrackedContract } from '@orrery/protocol-kit'
import { adoptedRecord } from './adopted-entries.ts'
import type { ProtocolTracking, Tracking } from './tracking.ts'

export interface Discovered {
  readonly extract: LedgerExtract
  /** Newly tracked contracts in the order they were found. A contract that was found to hold more tokens is here, too. */
  readonly found: readonly TrackedContract[]
}

/** Everything that `bytes` has for what is tracked. Adds what it finds to `tracking`. */
export function extractAndDiscover(bytes: Uint8Array, tracking: Tracking): Discovered {
  const found: TrackedContract[] = []
  for (;;) {
    const extract = extractLedger(bytes, tracking.set)
    const news = discover(extract, tracking)
    if (news.length === 0) return { extract, found }
    found.push(...news)
  }
}

/** Contracts that entries read elsewhere make known. Adds them to `tracking`. */
export function discoverAdopted(adopted: readonly AdoptedControl[], tracking: Tracking): TrackedContract[] {
  return adopted.flatMap((entry) => {
    const protocol = tracking.protocols.find(({ routing }) => routing.protocol === entry.protocol)
    return protocol === undefined ? [] : discoverBy(adoptedRecord(entry), protocol, tracking, entry.ledger)
  })
}

function discover({ header, records }: LedgerExtract, tracking: Tracking): TrackedContract[] {
  const news: TrackedContract[] = []
  for (const record of records) {
    if (record.kind !== 'event' && record.kind !== 'entry') continue
    for (const protocol of tracking.protocols) news.push(...discoverBy(record, protocol, tracking, header.sequence))
  }
  return news
}

function discoverBy(
  record: EventRecord | EntryRecord,
  { routing, contracts }: ProtocolTracking,
  tracking: Tracking,
  ledger: number,
): TrackedContract[] {
  const source = record.contract === null ? undefined : contracts.get(record.contract)
  if (source === undefined) return []
  return routing.discover(record, source, tracking.network).flatMap((contract) => tracking.add({ ...contract, fromLedger: ledger }) ?? [])
}
