// All state entries of a protocol: loading rows into a state, and the table of state of the protocol's page.

import { assert } from '@orrery/errors'
import type { ContractId } from '@orrery/ledger'
import type { Pricing, PricingState } from '@orrery/pricing'
import type { StateRow } from '@orrery/protocol-kit'
import { splitKey } from './key-pattern.ts'
import type { AnyEntry } from './state-entry.ts'
import { unreadableRow } from './unreadable-row.ts'

/** What the state of every protocol has. */
export interface FoldState {
  /** The newest ledger in it. */
  ledger: number
  readonly pricing: PricingState
}

/** Loads a row that belongs to pricing. True when it did. */
type TakesPricing = { take(state: PricingState, row: StateRow): boolean }

/** A row's key, read: which entry it is of, its contract, and the parts of the key, `owner` included. */
export interface ReadKey<State> {
  readonly entry: AnyEntry<State>
  readonly at: { readonly contract: ContractId } & Readonly<Record<string, string>>
}

export class StateEntries<State extends FoldState> {
  readonly list: readonly AnyEntry<State>[]
  readonly #owned: ReadonlyMap<string, AnyEntry<State>>
  readonly #others: ReadonlyMap<string, AnyEntry<State>>

  constructor(list: readonly AnyEntry<State>[]) {
    this.list = list
    const byForm = (of: readonly AnyEntry<State>[]) => new Map(of.map((entry) => [entry.pattern.form, entry]))
    this.#owned = byForm(list.filter(({ pattern }) => pattern.isOwned))
    this.#others = byForm(list.filter(({ pattern }) => !pattern.isOwned))
    const keys = list.map(({ key }) => key).join(' ')
    assert(this.#owned.size + this.#others.size === list.length, 'two entries have keys that cannot be distinguished', { keys })
  }

  /** Null where the key is of no entry. */
  readKey({ contract, key, owner }: Pick<StateRow, 'contract' | 'key' | 'owner'>): ReadKey<State> | null {
    const { form, rest } = splitKey(key, owner)
    const entry = (owner === '' ? this.#others : this.#owned).get(form)
    return entry === undefined ? null : { entry, at: entry.pattern.parts(contract, owner, rest) }
  }

  /**
   * The state at the end of ledger `asOf`: `empty`, with the newest row at or before it of every (contract, key), in any order. Later rows, removed
   * ones and expired temporary ones are skipped.
   *
   * @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger.
   */
  load(empty: State, rows: Iterable<StateRow>, asOf: number, pricing: TakesPricing): State {
    return this.#load(empty, rows, { asOf, isRead: false }, (row) => pricing.take(empty.pricing, row))
  }

  /** As `load`, for readers: the part of pricing is shared with other states of the same rows, so nothing may be applied to the state. */
  read(emptyOf: (pricing: Pricing) => State, rows: Iterable<StateRow>, asOf: number, pricing: Pricing): State {
    const { state, others } = pricing.read(Array.from(rows).filter(({ ledger }) => ledger <= asOf))
    return this.#load(emptyOf({ ...pricing, empty: () => state }), others, { asOf, isRead: true }, () => false)
  }

  #load(
    empty: State,
    rows: Iterable<StateRow>,
    { asOf, isRead }: { readonly asOf: number; readonly isRead: boolean },
    take: (row: StateRow) => boolean,
  ): State {
    empty.ledger = asOf
    for (const row of rows) {
      if (row.ledger > asOf || take(row) || row.removed || isExpired(row, asOf)) continue
      const read = this.readKey(row)
      if (read === null) throw unreadableRow(row, 'key')
      // The rows of an account are read for one answer; all others come from a cache.
      read.entry.load(empty, row, read.at, isRead && row.owner === '')
    }
    return empty
  }
}

/** The lines of a table in Markdown: where each entry is filed, its key, its source on chain, its meaning and the members of its JSON. */
export function stateTable(entries: readonly AnyEntry<never>[]): string[] {
  const cells = entries.map(({ key, members, docs }) => [
    docs.under,
    `\`${key.replaceAll('{', '<').replaceAll('}', '>')}\``,
    docs.from,
    docs.what,
    members.map((name) => `\`${name}\``).join(', '),
  ])
  const header = ['under', 'key', 'from', 'what', 'members of the JSON']
  return [header, header.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
}

function isExpired({ durability, liveUntil }: StateRow, ledger: number): boolean {
  return durability === 'temporary' && liveUntil !== 0 && liveUntil < ledger
}
