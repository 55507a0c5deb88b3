// Extracts a ledger and finds the contracts that it makes known, until there is nothing new.
// A pool's instance and share token are created before the factory announces it, so what is found is looked for again in the same ledger.

import { extractLedger, type LedgerExtract } from '@orrery/ledger'
import type { TrackedContract } from '@orrery/protocol-kit'
import type { Tracking } from './tracking.ts'

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

function discover({ header, records }: LedgerExtract, tracking: Tracking): TrackedContract[] {
  const news: TrackedContract[] = []
  for (const record of records) {
    if ((record.kind !== 'event' && record.kind !== 'entry') || record.contract === null) continue
    for (const { routing, contracts } of tracking.protocols) {
      const source = contracts.get(record.contract)
      if (!source) continue
      for (const contract of routing.discover(record, source, tracking.network)) {
        const now = tracking.add({ ...contract, fromLedger: header.sequence })
        if (now) news.push(now)
      }
    }
  }
  return news
}
