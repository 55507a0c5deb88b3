// A state entry is one declaration: its key, the value of its row, how the chain's bytes are read, where the state stores the value, and what
// follows from a change. Applying records, writing and loading rows and the table of state in the protocol's page all use it.

import { assert, OrreryError } from '@orrery/errors'
import type { ContractId } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import { applyTo, type KeyedRecord, type LiveEntry, type Outcome } from './apply-entry.ts'
import type { Journal, Written } from './journal.ts'
import { type KeyParts, KeyPattern } from './key-pattern.ts'
import type { FactPlace, Place } from './place.ts'
import { decodeValue, encodeValue, type Members } from './stored-value.ts'
import { decodeRow, unreadableRow } from './unreadable-row.ts'

/** Which of the entries of one kind: the contract that its row is filed under, and the parts of its key. */
export type At<P extends string> = { readonly contract: ContractId } & KeyParts<P>

/** What entries of one ledger are applied to. `changes`: the protocol's own, for later steps. */
export interface ApplyContext<State, Changes> {
  readonly state: State
  readonly journal: Journal
  readonly changes: Changes
}

/** A changed value. Null: there was none, or it was removed. */
export interface Change<T> {
  readonly before: T | null
  readonly now: T | null
}

/** The columns of the state table in the protocol's page, beside key and members. */
export interface EntryDocs {
  /** The contract that the row is filed under. */
  readonly under: string
  /** The source on chain; for a fact the step that writes it. */
  readonly from: string
  readonly what: string
}

/** A fact: a value that the fold computes and no chain entry holds. */
interface DeclaredFact<State, P extends string, T> {
  /** `pair`, `balance:{token}`, `@{owner}:shares`. */
  readonly key: P
  readonly value: Members<T>
  /** Null where the state has no such place: then a row of it is unreadable, and a record changes nothing. */
  place(state: State, at: At<P>): FactPlace<T> | null
  /** Further effects of a loaded row on the state, which the fold derives from other records of the ledger. Not called by the fold. */
  onLoad?(value: T, at: At<P>, state: State, ledger: number): void
  /** Folded alike in every partition. */
  readonly shared?: boolean
  readonly docs: EntryDocs
}

/** What a contract stores. */
interface DeclaredEntry<State, Changes, P extends string, T> extends DeclaredFact<State, P, T> {
  place(state: State, at: At<P>): Place<T> | null
  /** `persistent` by default. A temporary one is absent after its live-until ledger. */
  readonly durability?: 'persistent' | 'temporary'
  /** The chain's bytes. Null: the bytes are not such a value. */
  read(bytes: Uint8Array, at: At<P>, context: ApplyContext<State, Changes>): T | null
  /** A removed entry is `absent` (by default), keeps its last value (`kept`), or means a value. */
  readonly removal?: 'absent' | 'kept' | { readonly means: T }
  readonly notices?: EntryNotices<P>
  /** Called after the state has the new value. A longer TTL is no change. */
  onChange?(change: Change<T>, at: At<P>, context: ApplyContext<State, Changes>): void
}

/** Reasons of notices about records of the entry, under the contract that has the entry. */
interface EntryNotices<P extends string> {
  /**
   * Bytes that are not such a value. With a reason, or null for no notice, `unexpected_shape` counts as that too: the entry is skipped, and the fold continues.
   * Left out: no notice, and `unexpected_shape` stops the fold.
   */
  readonly unreadable?: string | null | ((at: At<P>) => string)
  /** It was removed, which is not expected of this kind of entry. */
  readonly removed?: string
}

/** What a list of entries needs of each entry, for every type of value. */
export interface AnyEntry<State> {
  readonly key: string
  readonly pattern: KeyPattern
  /** Of the row's JSON, in their order. */
  readonly members: readonly string[]
  readonly docs: EntryDocs
  /**
   * Puts a row's value into the state. `isShared`: many states are loaded from the same row object and nothing is applied to them, so its value is
   * decoded once.
   *
   * @throws OrreryError `corrupt`/`state_unreadable`
   */
  load(state: State, row: StateRow, at: Readonly<Record<string, string>>, isShared: boolean): void
  /** A row's JSON, decoded and encoded again: the same bytes, if this build stores the row so. @throws UnreadableMember */
  rewrite(value: string): string
}

/** Where the fold writes: into the state, and to rows. */
interface WriteContext<State> {
  readonly state: State
  readonly journal: Journal
}

interface WriteOptions {
  /** Instead of what the entry declares. */
  readonly shared?: boolean
  readonly liveUntil?: number
}

const NO_OPTIONS: WriteOptions = {}

export interface StateFact<State, P extends string, T> extends AnyEntry<State> {
  readonly key: P
  keyOf(parts: KeyParts<P>): string
  /** Sets the value in the state, and writes its row. */
  write(context: WriteContext<State>, at: At<P>, value: T, options?: WriteOptions): void
  /** Writes the row of a value that is in the state already: for many values at once, whose places the caller has at hand. */
  writeRow(journal: Journal, at: At<P>, value: T): void
  /** As `write`, with a row of the ledger before: the value before the index first saw it. */
  infer(context: WriteContext<State>, at: At<P>, value: T, options?: WriteOptions): void
  /** Removes the value from the end of this ledger on. */
  remove(context: WriteContext<State>, at: At<P>): void
}

export interface StateEntry<State, Changes, P extends string, T> extends StateFact<State, P, T> {
  /**
   * Applies a record: a new value or TTL goes into the state and into a row, and `onChange` is called for a new value. The first record of
   * a value also writes its pre-image, as an inferred row of the ledger before.
   */
  apply(record: KeyedRecord, at: At<P>, context: ApplyContext<State, Changes>): Outcome<T>
}

interface Declare<State, Changes> {
  <const P extends string, T>(declared: DeclaredEntry<State, Changes, P, T>): StateEntry<State, Changes, P, T>
  <const P extends string, T>(declared: DeclaredFact<State, P, T>): StateFact<State, P, T>
}

/** `stateEntry<State, Changes>()({ … })`: with `read` an entry that a contract stores, without it a fact. */
export function stateEntry<State, Changes = unknown>(): Declare<State, Changes> {
  function declare<P extends string, T>(declared: DeclaredEntry<State, Changes, P, T>): Entry<State, Changes, P, T>
  function declare<P extends string, T>(declared: DeclaredFact<State, P, T>): Fact<State, P, T>
  function declare<P extends string, T>(declared: DeclaredEntry<State, Changes, P, T> | DeclaredFact<State, P, T>) {
    return 'read' in declared ? new Entry(declared) : new Fact(declared, 'fact')
  }
  return declare
}

class Fact<State, P extends string, T> implements StateFact<State, P, T> {
  readonly key: P
  readonly pattern: KeyPattern
  readonly docs: EntryDocs
  readonly members: readonly string[]
  readonly #declared: DeclaredFact<State, P, T>
  readonly #durability: StateRow['durability']
  readonly #decoded = new WeakMap<StateRow, { readonly value: T }>()

  constructor(declared: DeclaredFact<State, P, T>, durability: StateRow['durability']) {
    this.key = declared.key
    this.pattern = new KeyPattern(declared.key)
    this.docs = declared.docs
    this.members = declared.value.names
    this.#declared = declared
    this.#durability = durability
  }

  keyOf(parts: KeyParts<P>): string {
    return this.pattern.key(parts)
  }

  write({ state, journal }: WriteContext<State>, at: At<P>, value: T, options: WriteOptions = NO_OPTIONS): void {
    this.#set(state, at, { value, liveUntil: options.liveUntil ?? 0 }, journal.ledger)
    journal.write(this.#written(at, value, options))
  }

  writeRow(journal: Journal, at: At<P>, value: T): void {
    journal.write(this.#written(at, value, NO_OPTIONS))
  }

  infer({ state, journal }: WriteContext<State>, at: At<P>, value: T, options: WriteOptions = NO_OPTIONS): void {
    this.#set(state, at, { value, liveUntil: options.liveUntil ?? 0 }, journal.ledger - 1)
    journal.infer(this.#written(at, value, options))
  }

  remove({ state, journal }: WriteContext<State>, at: At<P>): void {
    this.#set(state, at, null, journal.ledger)
    journal.remove(this.row(at))
  }

  load(state: State, row: StateRow, at: Readonly<Record<string, string>>, isShared: boolean): void {
    const place = this.#declared.place(state, at as At<P>)
    if (place === null) throw unreadableRow(row, 'key')
    const value = isShared ? this.#sharedValue(row) : decodeRow(this.#declared.value, row)
    place.set({ value, liveUntil: row.liveUntil }, row.ledger)
    this.#declared.onLoad?.(value, at as At<P>, state, row.ledger)
  }

  #sharedValue(row: StateRow): T {
    const known = this.#decoded.get(row)
    if (known !== undefined) return known.value
    const value = decodeRow(this.#declared.value, row)
    this.#decoded.set(row, { value })
    return value
  }

  rewrite(value: string): string {
    return this.encode(decodeValue(this.#declared.value, value))
  }

  protected isSame(a: T, b: T): boolean {
    return this.#declared.value.isSame(a, b)
  }

  protected encode(value: T): string {
    return encodeValue(this.#declared.value, value)
  }

  protected row(at: At<P>): Omit<Written, 'value' | 'liveUntil'> {
    const { shared = false } = this.#declared
    return { contract: at.contract, key: this.keyOf(at), owner: ownerOf(at), shared, durability: this.#durability }
  }

  #written(at: At<P>, value: T, { liveUntil = 0, shared = this.#declared.shared ?? false }: WriteOptions): Written {
    const [key, owner] = [this.keyOf(at), ownerOf(at)]
    return { contract: at.contract, key, value: this.encode(value), owner, liveUntil, durability: this.#durability, shared }
  }

  #set(state: State, at: At<P>, live: LiveEntry<T> | null, ledger: number): void {
    const place = this.#declared.place(state, at)
    assert(place !== null, 'a value that a fold writes has a place in the state', { key: this.key, contract: at.contract })
    place.set(live, ledger)
  }
}

function ownerOf(at: object): string {
  return 'owner' in at && typeof at.owner === 'string' ? at.owner : ''
}

/** Stands for the bytes of a removed entry that means a value. */
const REMOVED = new Uint8Array(0)

class Entry<State, Changes, P extends string, T> extends Fact<State, P, T> implements StateEntry<State, Changes, P, T> {
  readonly #declared: DeclaredEntry<State, Changes, P, T>

  constructor(declared: DeclaredEntry<State, Changes, P, T>) {
    super(declared, declared.durability ?? 'persistent')
    this.#declared = declared
  }

  apply(record: KeyedRecord, at: At<P>, context: ApplyContext<State, Changes>): Outcome<T> {
    const { removal = 'absent', notices } = this.#declared
    const { journal } = context
    const place = this.#declared.place(context.state, at)
    if (place === null) return { kind: 'unchanged' }
    const isRemoved = record.kind === 'entry' && record.value === null
    const outcome = applyTo(
      {
        row: this.row(at),
        get: () => this.#current(place, journal.ledger),
        set: (live, ledger) => place.set(live, ledger),
        ...(removal === 'absent' ? { delete: () => place.set(null, journal.ledger) } : {}),
        read: (bytes) => (bytes === REMOVED && typeof removal === 'object' ? removal.means : this.#read(bytes, at, context)),
        encode: (value) => this.encode(value),
        isSame: (a, b) => this.isSame(a, b),
      },
      isRemoved && typeof removal === 'object' ? { ...record, value: REMOVED } : record,
      journal,
    )
    if (outcome.kind === 'unreadable' && notices?.unreadable) {
      const { unreadable } = notices
      journal.notice(record.contract, 'entry', typeof unreadable === 'string' ? unreadable : unreadable(at))
    }
    if (isRemoved && notices?.removed !== undefined) journal.notice(record.contract, 'entry', notices.removed)
    if (outcome.kind === 'changed') this.#declared.onChange?.({ before: outcome.before, now: outcome.now }, at, context)
    if (outcome.kind === 'removed') this.#declared.onChange?.({ before: outcome.before, now: null }, at, context)
    return outcome
  }

  /** An expired temporary entry counts as none: a restart would not find it either. */
  #current(place: Place<T>, ledger: number): LiveEntry<T> | null {
    const live = place.get()
    const isOver = this.#declared.durability === 'temporary' && live !== null && live.liveUntil !== 0 && live.liveUntil < ledger
    return isOver ? null : live
  }

  #read(bytes: Uint8Array, at: At<P>, context: ApplyContext<State, Changes>): T | null {
    try {
      return this.#declared.read(bytes, at, context)
    } catch (error) {
      if (this.#declared.notices?.unreadable !== undefined && error instanceof OrreryError && error.code === 'unexpected_shape') return null
      throw error
    }
  }
}
