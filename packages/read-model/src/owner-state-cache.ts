// Caches the state of single accounts: a wallet asks for positions, histories and totals of the same account at once, and again after each ledger, most of which
// leave the account as it is. What is asked for twice is read once for each protocol, until a ledger changes it.

import type { Address } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { LRUCache } from 'lru-cache'
import { HOLDS_FOR_MS, type KnownChanges } from './state-changes.ts'

/** The newest row of each entry of one account in one protocol, also of those that are removed. */
interface OwnRows {
  readonly rows: readonly StateRow[]
  /** The last ledger at which they are known to hold. */
  last: number
  readonly readMs: number
}

/** An adapter version, whose rows are its own. */
export interface OwnerAdapter {
  readonly protocol: ProtocolId
  readonly version: number
}

/** Of the texts of all rows, and what else a row takes: some 2,500 accounts with ten entries each. */
const MOST_BYTES = 16 * 1024 * 1024
/** An account with more is read each time: it would replace hundreds of others. */
const MOST_BYTES_OF_ONE = 256 * 1024
const ROW_BYTES = 400
const ACCOUNT_BYTES = 200

/** Texts are of ASCII: a byte a character. */
const bytesOf = ({ rows }: OwnRows): number =>
  rows.reduce((sum, { key, value }) => sum + ROW_BYTES + key.length + value.length, ACCOUNT_BYTES)

const nameOf = ({ protocol, version }: OwnerAdapter, owner: Address): string => `${protocol}@${version} ${owner}`

export class OwnerStateCache {
  readonly #rows = new LRUCache<string, OwnRows>({ maxSize: MOST_BYTES, maxEntrySize: MOST_BYTES_OF_ONE, sizeCalculation: bytesOf })
  readonly #asked = new Map<string, { readonly ledger: number; accounts: number }>()

  /**
   * The rows as of a ledger that is final for the adapter; undefined if they have to be read.
   *
   * @param changes What is known up to the ledger. Null where that is not known: then only what was read as of `ledger` itself is used, if that is the `newest` one.
   */
  get(adapter: OwnerAdapter, owner: Address, at: LedgerOfNewest, changes: KnownChanges | null): readonly StateRow[] | undefined {
    const known = this.#rows.get(nameOf(adapter, owner))
    if (known === undefined || at.ledger < known.last) return undefined
    // A newer ledger may have recorded what an entry was at the end of this one.
    const isSame = known.last === at.ledger && at.ledger === at.newest
    if (!isYoung(known) || !(isSame || changes?.noneOfOwnerSince(owner, known.last) === true)) return undefined
    known.last = at.ledger
    return known.rows
  }

  /**
   * Whether reading what changed up to `ledger` is cheaper than reading these accounts: from the second one on that has rows of an earlier ledger. A reader of
   * one account alone would read the changes of each protocol instead of one statement.
   */
  wantsChanges(adapter: OwnerAdapter, owners: readonly Address[], ledger: number): boolean {
    const key = `${adapter.protocol}@${adapter.version}`
    const held = owners.filter((owner) => {
      const known = this.#rows.peek(nameOf(adapter, owner))
      return known !== undefined && known.last < ledger && isYoung(known)
    })
    const before = this.#asked.get(key)
    const asked = before !== undefined && before.ledger >= ledger ? before : { ledger, accounts: 0 }
    this.#asked.set(key, asked)
    asked.accounts += held.length
    return held.length > 0 && asked.accounts > 1
  }

  /**
   * What was read of an account: all its rows of the adapter at or before `ledger`, the newest of each entry.
   * @param readMs When the reading began.
   */
  set(
    adapter: OwnerAdapter,
    owner: Address,
    rows: readonly StateRow[],
    { ledger, readMs }: { readonly ledger: number; readonly readMs: number },
  ): void {
    const name = nameOf(adapter, owner)
    if ((this.#rows.peek(name)?.last ?? 0) <= ledger) this.#rows.set(name, { rows, last: ledger, readMs })
  }
}

/** A ledger, and the newest one that is final for the adapter. */
export interface LedgerOfNewest {
  readonly ledger: number
  readonly newest: number
}

/** An operator may have repaired what was read longer ago, also while the index stands still. */
const isYoung = (known: OwnRows): boolean => performance.now() - known.readMs < HOLDS_FOR_MS
