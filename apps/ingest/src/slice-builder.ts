// Makes the slices of one partition, which cover its ledgers without a gap, and remembers the partition's position.
// Synchronous: values are given to the outbox in the order in which they must be appended.

import { encodeNextSlice, type LogPartition, sliceTopic } from '@orrery/event-log'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { LedgerFacts } from './ledger-facts.ts'
import type { PartitionShare } from './route.ts'

/** A partition has every ledger up to this one. */
export interface PartitionPosition {
  readonly ledger: number
  readonly rollingHash: string
}

const NOTHING: PartitionShare = { transactions: [], records: [] }

export class SliceBuilder {
  readonly at: LogPartition
  readonly #network: string
  readonly #protocol: ProtocolId
  #position: PartitionPosition
  /** The newest of the quiet ledgers (without records) after `#position` that no slice covers yet. */
  #quiet: LedgerFacts | null = null

  constructor(network: string, protocol: ProtocolId, partition: number, position: PartitionPosition) {
    this.at = { topic: sliceTopic(network, protocol), partition }
    this.#network = network
    this.#protocol = protocol
    this.#position = position
  }

  get protocol(): ProtocolId {
    return this.#protocol
  }

  /** The ledger that it takes next. */
  get next(): number {
    return (this.#quiet ?? this.#position).ledger + 1
  }

  /** Goes back to an earlier position: the ledgers after it are appended again. */
  rewind(position: PartitionPosition): void {
    this.#position = position
    this.#quiet = null
  }

  /**
   * Takes the next ledger and ignores any other: during a gap repair two loops bring ledgers, and only the next one counts.
   * Returns the slice's values, or none when the ledger is not the next, or is quiet and may wait (`atOnce` false).
   * An hour's first ledger never waits: heartbeat snapshots are of that ledger, so coalescing must not change them.
   */
  add(facts: LedgerFacts, share: PartitionShare, atOnce: boolean): readonly Uint8Array[] {
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
    const { values, rollingHash } = encodeNextSlice(this.#position.rollingHash, {
      network: this.#network,
      protocol: this.#protocol,
      partition: this.at.partition,
      after: this.#position.ledger,
      ledger: facts.ledger,
      closeTimeSeconds: facts.closeTimeSeconds,
      hourStart: facts.hourStart,
      dayStart: facts.dayStart,
      ledgerHash: facts.hash,
      transactions: share.transactions,
      records: share.records,
    })
    this.#position = { ledger: facts.ledger, rollingHash }
    this.#quiet = null
    return values
  }
}
