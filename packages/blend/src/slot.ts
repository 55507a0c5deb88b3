// One entry of a contract on its way into a place of the state and into its row.

import { OrreryError } from '@orrery/errors'
import { applyTo, type Journal, type KeyedRecord, type LiveEntry, type Outcome } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Codec } from './row-codecs.ts'

/** A place of the state. */
export interface Slot<T> {
  get(): LiveEntry<T> | null
  set(live: LiveEntry<T> | null): void
}

/** What a place holds: its row, and how its bytes are read. */
export interface Filing<T> {
  readonly row: { readonly contract: ContractId; readonly key: string; readonly owner?: Address; readonly shared?: boolean }
  readonly durability?: 'persistent' | 'temporary'
  /** What it is in words, for the notice about one that cannot be read. */
  readonly what: string
  /** The contract is made before it is set up: an entry that says nothing yet is not unexpected. */
  readonly maySayNothing?: boolean
  read(value: Uint8Array): T | null
  readonly codec: Codec<T>
}

type Held<L> = Exclude<L, null> extends LiveEntry<infer T> ? T : never

/** A member of an object that holds one entry. */
export function member<O, K extends keyof O>(of: O, name: K): Slot<Held<O[K]>> {
  return {
    get: () => of[name] as LiveEntry<Held<O[K]>> | null,
    set: (live) => {
      of[name] = live as O[K]
    },
  }
}

/** An item of a map. */
export function item<K, T>(of: Map<K, LiveEntry<T>>, key: K): Slot<T> {
  return {
    get: () => of.get(key) ?? null,
    set: (live) => {
      if (live === null) of.delete(key)
      else of.set(key, live)
    },
  }
}

/** Applies a record. Bytes that nobody can read are counted, and what was known before stays. */
export function put<T>(slot: Slot<T>, filing: Filing<T>, record: KeyedRecord, journal: Journal): Outcome<T> {
  const isOver = (live: LiveEntry<T>) => filing.durability === 'temporary' && live.liveUntil !== 0 && live.liveUntil < journal.ledger
  const outcome = applyTo(
    {
      row: filing.row,
      durability: filing.durability ?? 'persistent',
      get: () => {
        const live = slot.get()
        return live === null || isOver(live) ? null : live
      },
      set: (live) => slot.set(live),
      delete: () => slot.set(null),
      read: (value) => readable(() => filing.read(value)),
      encode: filing.codec.encode,
    },
    record,
    journal,
  )
  if (outcome.kind === 'unreadable' && filing.maySayNothing !== true) journal.notice(record.contract, 'entry', `unreadable ${filing.what}`)
  return outcome
}

/** Null instead of an error where a shape is another than we know: that costs the entry, not the fold. */
function readable<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof OrreryError && error.code === 'unexpected_shape') return null
    throw error
  }
}
