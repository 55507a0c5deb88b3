// Where the state of a protocol stores an entry's value.

import type { LiveEntry } from './apply-entry.ts'

/** Where the state stores a fact. */
export interface FactPlace<T> {
  /**
   * @param live Null: removed. `liveUntil` of a fact is 0.
   * @param ledger The ledger of the value's row: the ledger before for a pre-image.
   */
  set(live: LiveEntry<T> | null, ledger: number): void
}

/** Where the state stores an entry. */
export interface Place<T> extends FactPlace<T> {
  get(): LiveEntry<T> | null
}

/** The place in a part of the state; null where the state has no such part. */
export function placeIn<O, P>(of: O | null, place: (of: O) => P): P | null {
  return of === null ? null : place(of)
}

type Held<M> = Exclude<M, null> extends LiveEntry<infer T> ? T : never

/** A member of an object that holds an entry with its TTL, or null. */
export function member<O, K extends keyof O>(of: O, name: K): Place<Held<O[K]>> {
  return {
    get: () => of[name] as LiveEntry<Held<O[K]>> | null,
    set: (live) => {
      of[name] = live as O[K]
    },
  }
}

/** An item of a map that holds entries with their TTLs. */
export function item<K, T>(of: Map<K, LiveEntry<T>>, key: K): Place<T> {
  return {
    get: () => of.get(key) ?? null,
    set: (live) => {
      if (live === null) of.delete(key)
      else of.set(key, live)
    },
  }
}

/** A member of an object that holds a fact, or null. */
export function factMember<O, K extends keyof O>(of: O, name: K): FactPlace<NonNullable<O[K]>> {
  return {
    set: (live) => {
      of[name] = (live?.value ?? null) as O[K]
    },
  }
}

/** An item of a map that holds facts. */
export function factItem<K, T>(of: Map<K, T>, key: K): FactPlace<T> {
  return {
    set: (live) => {
      if (live === null) of.delete(key)
      else of.set(key, live.value)
    },
  }
}

/** Whether a name is in a set. */
export function nameIn(of: Set<string>, name: string): FactPlace<boolean> {
  return {
    set: (live) => {
      if (live === null) of.delete(name)
      else of.add(name)
    },
  }
}
