// What the newest ledgers changed in the state of each protocol: what was read of the rest still holds at a newer ledger, and what was read of a contract holds
// with the rows that changed.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { outOfBackground } from '@orrery/service-kit'

/** What was read holds no longer than that: an operator may have repaired rows. */
export const HOLDS_FOR_MS = 60_000
/** A distance that one statement reads: further apart are two ledgers only while an index catches up. */
const MOST_LEDGERS = 1_000
/** The rows that changed are read over a distance of a tip that is asked about now and then. */
const MOST_LEDGERS_OF_ROWS = 16
/** Of a protocol: rows in one reading, rows and accounts in all that are remembered together. */
export const MOST_CHANGED_ROWS = 5_000
/** For readings of earlier ledgers that other requests began, and for one of its own: the contracts are read as of the ledger then. */
const MOST_WAITS = 2

export interface ContractChange {
  readonly contract: ContractId
  /** The newest ledger that changed an entry of it, or recorded what an entry had been before. */
  readonly last_ledger: number
}

/** Both read what a ledger after `after` wrote: everything up to the watermark, and some of what is beyond. */
export interface ReadChanges {
  /** The contracts with such an entry. */
  contracts(after: number): Promise<readonly ContractChange[]>
  /** The newest row of each such entry, of entries of accounts without the value; more than `MOST_CHANGED_ROWS` if there are more. */
  rows(after: number): Promise<readonly StateRow[]>
}

/** Changes up to the ledger that was asked about, and some after it. */
export interface KnownChanges {
  /** Whether no entry of the contract changed after `ledger`. False if that is not known. */
  noneSince(contract: ContractId, ledger: number): boolean
  /** Whether no entry of the account changed after `ledger`. False if that is not known. */
  noneOfOwnerSince(owner: Address, ledger: number): boolean
  /**
   * The newest row of each entry of the contract that belongs to no account and changed after `ledger`, also where it was removed. Null if that is not known, and
   * where an entry has a newer row than that of the ledger that was asked about.
   */
  rowsSince(contract: ContractId, ledger: number): readonly StateRow[] | null
}

/** Of all protocols, by adapter version. */
export class StateChanges {
  readonly #followed = new Map<string, Followed>()

  /**
   * What is known up to `ledger`. Null where that is not known: for a ledger before those that are followed, and where `read` is still
   * busy with earlier ones. It runs once for each newer ledger.
   */
  async upTo(protocol: ProtocolId, version: number, ledger: number, read: ReadChanges): Promise<KnownChanges | null> {
    return this.#follow(protocol, version, ledger).upTo(ledger, read)
  }

  /** The same where it takes no reading; null otherwise. The protocol is followed from now on. */
  known(protocol: ProtocolId, version: number, ledger: number): KnownChanges | null {
    return this.#follow(protocol, version, ledger).known(ledger)
  }

  #follow(protocol: ProtocolId, version: number, ledger: number): Followed {
    const key = `${protocol}@${version}`
    const known = this.#followed.get(key)
    if (known !== undefined) return known
    // Another version of the protocol is no longer active.
    for (const other of this.#followed.keys()) if (other.startsWith(`${protocol}@`)) this.#followed.delete(other)
    const followed = new Followed(ledger)
    this.#followed.set(key, followed)
    return followed
  }
}

/** The changes of a minute or so. */
class Remembered {
  /** Changes after this ledger are in here. */
  readonly since: number
  readonly beganMs = performance.now()
  /** Those of accounts and the rows: after this ledger. */
  rowsSince: number
  readonly contracts = new Map<ContractId, number>()
  readonly owners = new Map<Address, number>()
  readonly rows = new Map<ContractId, Map<string, StateRow>>()
  #size = 0

  constructor(since: number) {
    this.since = since
    this.rowsSince = since
  }

  add(changes: readonly ContractChange[]): void {
    for (const { contract, last_ledger } of changes) raise(this.contracts, contract, last_ledger)
  }

  /** @param through The ledger up to which everything is among them. */
  addRows(changes: readonly StateRow[], through: number): void {
    for (const row of changes) {
      raise(this.contracts, row.contract, changedBy(row))
      if (row.owner === '') this.#addRow(row)
      else {
        if (!this.owners.has(row.owner)) this.#size += 1
        raise(this.owners, row.owner, changedBy(row))
      }
    }
    if (this.#size > MOST_CHANGED_ROWS) this.forgetRows(through)
  }

  /** What is known of single rows and of accounts begins after this ledger. */
  forgetRows(through: number): void {
    this.rowsSince = through
    this.owners.clear()
    this.rows.clear()
    this.#size = 0
  }

  #addRow(row: StateRow): void {
    const own = this.rows.get(row.contract) ?? new Map<string, StateRow>()
    this.rows.set(row.contract, own)
    if (!own.has(row.key)) this.#size += 1
    own.set(row.key, row)
  }
}

/** The ledger that wrote a row: what an entry had been before is written by the next one. */
const changedBy = ({ ledger, inferred }: StateRow): number => ledger + Number(inferred)

function raise<Key>(ledgers: Map<Key, number>, key: Key, ledger: number): void {
  ledgers.set(key, Math.max(ledger, ledgers.get(key) ?? 0))
}

class Followed {
  #through: number
  #readMs = performance.now()
  /** The newest first, at most two. */
  #remembered: readonly Remembered[]
  #reading: Promise<void> | null = null

  constructor(ledger: number) {
    this.#through = ledger
    this.#remembered = [new Remembered(ledger)]
  }

  async upTo(ledger: number, read: ReadChanges): Promise<KnownChanges | null> {
    // A reading that has begun may be of an earlier ledger; who waited for it begins one of its own.
    for (let waits = 0; ledger > this.#through; waits++) {
      if (waits === MOST_WAITS) return null
      this.#reading ??= outOfBackground(() => this.#readOn(ledger, read)).finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    return this.known(ledger)
  }

  known(ledger: number): KnownChanges | null {
    const remembered = this.#remembered
    const since = remembered.at(-1)?.since ?? this.#through
    if (ledger > this.#through || ledger < since) return null
    return {
      noneSince: (contract, from) => from >= since && lastOf(remembered, ({ contracts }) => contracts.get(contract)) <= from,
      noneOfOwnerSince: (owner, from) => from >= rowsSince(remembered) && lastOf(remembered, ({ owners }) => owners.get(owner)) <= from,
      rowsSince: (contract, from) => {
        if (from < rowsSince(remembered)) return null
        // The newest last: it replaces the others.
        const newest = new Map(remembered.toReversed().flatMap(({ rows }) => [...(rows.get(contract) ?? [])]))
        const changed = [...newest.values()].filter((row) => changedBy(row) > from)
        return changed.some((row) => row.ledger > ledger) ? null : changed
      },
    }
  }

  /** One after the other: there is no gap between two. After a failure following begins anew, and nothing that was read before holds on. */
  async #readOn(ledger: number, read: ReadChanges): Promise<void> {
    const isOld = performance.now() - this.#readMs >= HOLDS_FOR_MS || ledger - this.#through > MOST_LEDGERS
    if (isOld) this.#remembered = [new Remembered(ledger)]
    else
      await this.#remember(ledger, read).catch(() => {
        this.#remembered = [new Remembered(ledger)]
      })
    this.#through = ledger
    this.#readMs = performance.now()
  }

  async #remember(ledger: number, read: ReadChanges): Promise<void> {
    const after = this.#through
    const rows = ledger - after > MOST_LEDGERS_OF_ROWS ? null : await read.rows(after)
    const isWhole = rows !== null && rows.length <= MOST_CHANGED_ROWS
    const contracts = isWhole ? [] : await read.contracts(after)
    const newest = this.#newest()
    if (isWhole) newest.addRows(rows, ledger)
    else {
      newest.add(contracts)
      newest.forgetRows(ledger)
    }
  }

  /** What the next changes are added to. What was read before the one before it holds no longer. */
  #newest(): Remembered {
    const [newest = new Remembered(this.#through)] = this.#remembered
    if (performance.now() - newest.beganMs < HOLDS_FOR_MS) return newest
    const next = new Remembered(this.#through)
    this.#remembered = [next, newest]
    return next
  }
}

const lastOf = (remembered: readonly Remembered[], of: (one: Remembered) => number | undefined): number =>
  Math.max(...remembered.map((one) => of(one) ?? 0))

/** The ledger after which rows and accounts that changed are known. */
function rowsSince(remembered: readonly Remembered[]): number {
  let known = Number.POSITIVE_INFINITY
  for (const one of remembered) {
    known = one.rowsSince
    if (one.rowsSince > one.since) break
  }
  return known
}
