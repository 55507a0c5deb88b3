// Where an entry's value lives in the state of a protocol.

import type { Live } from './cell.ts'

/** Where a fact goes. */
export interface FactPlace<T> {
  /**
   * @param live Null: there is none any more. The life of a fact is 0.
   * @param ledger Of the row that stands for the value: the ledger before for a pre-image.
   */
  set(live: Live<T> | null, ledger: number): void
}

/** Where an entry lives. */
export interface Place<T> extends FactPlace<T> {
  get(): Live<T> | null
}

type Held<M> = Exclude<M, null> extends Live<infer T> ? T : never

/** A member of an object that holds an entry with its life, or null. */
export function member<O, K extends keyof O>(of: O, name: K): Place<Held<O[K]>> {
  return {
    get: () => of[name] as Live<Held<O[K]>> | null,
    set: (live) => {
      of[name] = live as O[K]
    },
  }
}

/** An item of a map that holds entries with their lives. */
export function item<K, T>(of: Map<K, Live<T>>, key: K): Place<T> {
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
