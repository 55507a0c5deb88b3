// Extracts a ledger and finds the contracts that it makes known, until none is new.
// A pool's instance and share token are created before the factory announces it, so the same ledger is extracted again for what was found.

import type { BootstrapControl } from '@orrery/event-log'
import { type EntryRecord, type EventRecord, extractLedger, type LedgerExtract } from '@orrery/ledger'
import type { TrackedContract } from '@orrery/protocol-kit'
import { bootstrapRecord } from './bootstrap-entries.ts'
import type { ProtocolTracking, Tracking } from './tracking.ts'

export interface Discovered {
  readonly extract: LedgerExtract
  /** Newly tracked contracts in the order they were found, and known contracts that were found to hold more tokens. */
  readonly found: readonly TrackedContract[]
}

/** All records of `bytes` for tracked contracts. Adds the contracts that it finds to `tracking`. */
export function extractAndDiscover(bytes: Uint8Array, tracking: Tracking): Discovered {
  const found: TrackedContract[] = []
  for (;;) {
    const extract = extractLedger(bytes, tracking.set)
    const newContracts = discover(extract, tracking)
    if (newContracts.length === 0) return { extract, found }
    found.push(...newContracts)
  }
}

/** Contracts that bootstrap entries make known. Adds them to `tracking`. */
export function discoverBootstrapped(bootstrapped: readonly BootstrapControl[], tracking: Tracking): TrackedContract[] {
  return bootstrapped.flatMap((entry) => {
    const protocol = tracking.protocols.find(({ routing }) => routing.protocol === entry.protocol)
    return protocol === undefined ? [] : discoverBy(bootstrapRecord(entry), protocol, tracking, entry.ledger)
  })
}

function discover({ header, records }: LedgerExtract, tracking: Tracking): TrackedContract[] {
  const newContracts: TrackedContract[] = []
  for (const record of records) {
    if (record.kind !== 'event' && record.kind !== 'entry') continue
    for (const protocol of tracking.protocols) newContracts.push(...discoverBy(record, protocol, tracking, header.sequence))
  }
  return newContracts
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
