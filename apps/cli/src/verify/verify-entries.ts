// Compares a sample of entries of the log with those of the network, byte by byte. The rows are compared with a fold of the same log, so an
// equal entry shows that the state of the index is that of the network.

import type { LedgerSource } from '@orrery/ingest'
import type { EntryName } from '@orrery/protocol-kit'
import { entryText } from '@orrery/protocol-kit'
import { type SampledEntry, sampleEntries } from './entry-sample.ts'
import type { Findings } from './findings.ts'
import type { Check } from './verification.ts'
import type { VerifiedIndex } from './verified-index.ts'

/** Entries of one request: the limit of Stellar RPC. */
const AT_ONCE = 200

type Read = Awaited<ReturnType<NonNullable<LedgerSource['entries']>['read']>>[number]

/** @param seed Another seed samples other entries. */
export async function verifyEntries(
  index: VerifiedIndex,
  source: LedgerSource | null,
  sample: number,
  seed: string,
  findings: Findings,
): Promise<Check> {
  const reader = source?.entries
  if (source === null || reader === undefined || sample === 0)
    return { check: 'entries', status: 'not_checked', compared: 0, detail: sample === 0 ? 'the sample is 0' : 'no RPC was named' }
  const sampled = await sampleEntries(index, sample, seed)
  const { last } = await source.range()
  let compared = 0
  for (let first = 0; first < sampled.length; first += AT_ONCE) {
    const part = sampled.slice(first, first + AT_ONCE)
    const names: readonly EntryName[] = part
    const now = new Map((await reader.read(names, new AbortController().signal)).map((entry) => [entryText(entry), entry]))
    for (const own of part) {
      const live = now.get(entryText(own)) ?? null
      const message = problemOf(own, live, index.to, last)
      if (message === null) continue
      compared++
      if (message === '') continue
      const key = { key: Buffer.from(own.key).toString('base64'), durability: own.durability, contract: own.contract }
      findings.add({ check: 'entries', where: own.at, key, ledger: own.ledger, message })
    }
  }
  const status = findings.countOf('entries') > 0 ? 'different' : 'equal'
  return {
    check: 'entries',
    status,
    compared,
    detail: `entries of ${sampled.length} sampled; others have changed since ledger ${index.to}`,
  }
}

/** '' when equal; null when the network has changed the entry after the range, so that it cannot be compared. */
function problemOf(own: SampledEntry, live: Read | null, to: number, tip: number | null): string | null {
  if (live === null) {
    if (own.value === null || own.durability === 'temporary') return ''
    return tip !== null && tip <= to ? 'the log has this entry, and the network does not' : null
  }
  if (live.lastModifiedLedger > to) return null
  if (own.value === null) return `the log removed this entry, and the network wrote it in ledger ${live.lastModifiedLedger}`
  if (live.lastModifiedLedger > own.ledger)
    return `the network wrote this entry in ledger ${live.lastModifiedLedger}, which the log does not have`
  return Buffer.compare(own.value, live.value) === 0
    ? ''
    : `the value of the log is not that of the network as of ledger ${live.asOfLedger}`
}
