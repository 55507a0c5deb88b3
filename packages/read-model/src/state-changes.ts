// Which contracts have state that changed in the newest ledgers: what was read of the others still holds at a newer one.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { outOfBackground } from '@orrery/service-kit'

/** What was read holds no longer than that: an operator may have repaired rows. */
export const HOLDS_FOR_MS = 60_000
/** A distance that one statement reads: further apart are two ledgers only while an index catches up. */
const MOST_LEDGERS = 1_000
/** For readings of earlier ledgers that other requests began, and for one of its own: the contracts are read as of the ledger then. */
const MOST_WAITS = 2

export interface ContractChange {
  readonly contract: ContractId
  /** The newest ledger that changed an entry of it, or recorded what an entry had been before. */
  readonly last_ledger: number
}

/** The contracts with an entry that a ledger after this one wrote: all of those up to the watermark, and some of those beyond. */
export type ReadChanges = (after: number) => Promise<readonly ContractChange[]>

export interface Unchanged {
  /** Whether no entry of the contract changed after `ledger` up to the one that was asked about. False if that is not known. */
  since(contract: ContractId, ledger: number): boolean
}

/** Of all protocols, by adapter version. */
export class StateChanges {
  readonly #followed = new Map<string, Followed>()

  /**
   * Contracts that are as they were, up to `ledger`. Null where that is not known: for a ledger before those that are followed, and where `read` is still
   * busy with earlier ones. It runs once for each newer ledger.
   */
  async upTo(protocol: ProtocolId, version: number, ledger: number, read: ReadChanges): Promise<Unchanged | null> {
    const key = `${protocol}@${version}`
    const followed = this.#followed.get(key) ?? new Followed(ledger)
    this.#followed.set(key, followed)
    return followed.upTo(ledger, read)
  }
}

class Followed {
  /** Changes after this ledger are known up to another one. */
  #since: number
  #through: number
  #readMs = performance.now()
  #lastChange = new Map<ContractId, number>()
  #reading: Promise<void> | null = null

  constructor(ledger: number) {
    this.#since = ledger
    this.#through = ledger
  }

  async upTo(ledger: number, read: ReadChanges): Promise<Unchanged | null> {
    // A reading that has begun may be of an earlier ledger; who waited for it begins one of its own.
    for (let waits = 0; ledger > this.#through; waits++) {
      if (waits === MOST_WAITS) return null
      this.#reading ??= outOfBackground(() => this.#readOn(ledger, read)).finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    if (ledger < this.#since) return null
    return { since: (contract, from) => from >= this.#since && (this.#lastChange.get(contract) ?? 0) <= from }
  }

  /** One after the other: there is no gap between two. After a failure following begins anew, and nothing that was read before holds on. */
  async #readOn(ledger: number, read: ReadChanges): Promise<void> {
    const isOld = performance.now() - this.#readMs >= HOLDS_FOR_MS || ledger - this.#through > MOST_LEDGERS
    const changes = isOld ? null : await read(this.#through).catch(() => null)
    if (changes === null) {
      this.#since = ledger
      this.#lastChange.clear()
    }
    for (const { contract, last_ledger } of changes ?? []) {
      this.#lastChange.set(contract, Math.max(last_ledger, this.#lastChange.get(contract) ?? 0))
    }
    this.#through = ledger
    this.#readMs = performance.now()
  }
}
