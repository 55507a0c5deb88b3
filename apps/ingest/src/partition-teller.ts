// Tells one partition its ledgers as slices that cover each other without a hole, and remembers what it was told.
// Nothing here waits: values are handed to the outbox in the order in which they must be appended.

import { encodeNextSlice, type LogPartition, sliceTopic } from '@orrery/event-log'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { LedgerFacts } from './ledger-facts.ts'
import type { PartitionShare } from './route.ts'

/** What a partition was told: every ledger up to this one. */
export interface Told {
  readonly ledger: number
  readonly rollingHash: string
}

const NOTHING: PartitionShare = { transactions: [], records: [] }

export class PartitionTeller {
  readonly at: LogPartition
  readonly #network: string
  readonly #protocol: ProtocolId
  #told: Told
  /** Quiet ledgers behind `#told` that no slice covers yet: the newest of them. */
  #quiet: LedgerFacts | null = null

  constructor(network: string, protocol: ProtocolId, partition: number, told: Told) {
    this.at = { topic: sliceTopic(network, protocol), partition }
    this.#network = network
    this.#protocol = protocol
    this.#told = told
  }

  get protocol(): ProtocolId {
    return this.#protocol
  }

  /** The ledger that it takes next. */
  get next(): number {
    return (this.#quiet ?? this.#told).ledger + 1
  }

  /** Goes back: what follows is told again, whoever brings it. */
  rewind(told: Told): void {
    this.#told = told
    this.#quiet = null
  }

  /**
   * Takes the next ledger, and no other: two readers may bring ledgers while a hole is told again, and the one that has the next is heard.
   * Returns the slice's values, or none when the ledger is told already, or is quiet and may wait (`atOnce` false).
   * An hour's first ledger never waits: heartbeats are at it, so that coalescing changes no row.
   */
  tell(facts: LedgerFacts, share: PartitionShare, atOnce: boolean): readonly Uint8Array[] {
    if (facts.ledger !== this.next) return []
    if (share.records.length === 0 && !facts.hourStart && !atOnce) {
      this.#quiet = facts
      return []
    }
    return this.#slice(facts, share)
  }

  /** Covers the quiet ledgers that wait. */
  cover(): readonly Uint8Array[] {
    return this.#quiet ? this.#slice(this.#quiet, NOTHING) : []
  }

  #slice(facts: LedgerFacts, share: PartitionShare): readonly Uint8Array[] {
    const { values, rollingHash } = encodeNextSlice(this.#told.rollingHash, {
      network: this.#network,
      protocol: this.#protocol,
      partition: this.at.partition,
      after: this.#told.ledger,
      ledger: facts.ledger,
      closeTimeSeconds: facts.closeTimeSeconds,
      hourStart: facts.hourStart,
      dayStart: facts.dayStart,
      ledgerHash: facts.hash,
      transactions: share.transactions,
      records: share.records,
    })
    this.#told = { ledger: facts.ledger, rollingHash }
    this.#quiet = null
    return values
  }
}
