// Ledgers of mainnet with given entries, as LedgerCloseMeta for ingest.

import { ledgerBuilder } from '../ledger-builder.ts'
import type { ChangeSpec } from '../ledger-spec.ts'
import type { MadeEntry } from './oracles.ts'

const PASSPHRASE = 'Public Global Stellar Network ; September 2015'
/** Beyond the ledgers of any test. */
const LEDGERS_TO_LIVE = 100_000

export interface LedgerOfEntries {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTimeSeconds: number
  /** Created in this ledger, by one operation. */
  readonly entries: readonly MadeEntry[]
}

/** XDR of each ledger, in their order. */
export function ledgersOfEntries(ledgers: readonly LedgerOfEntries[]): readonly Uint8Array[] {
  const builder = ledgerBuilder({ passphrase: PASSPHRASE })
  return ledgers.map(({ sequence, closeTimeSeconds, entries }) => {
    const changes = entries.map((entry): ChangeSpec => ({ ...entry, change: 'created', liveUntil: sequence + LEDGERS_TO_LIVE }))
    return builder.ledger({ sequence, closeTimeSeconds, transactions: changes.length === 0 ? [] : [{ operations: [{ changes }] }] })
  })
}
