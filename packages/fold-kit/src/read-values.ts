// Values that a view computes of a state, such as a pool at its prices: many accounts are asked about in the same pools.

import type { At } from '@orrery/pricing'

interface Computed<Value> {
  readonly at: At
  readonly value: Value
}

/**
 * By state and by name, each computed once for one moment. Only states that a reader loaded are remembered (`opened`): a fold changes its state, and
 * a value would be outdated.
 */
export class ReadValues<State extends object, Value> {
  readonly #of = new WeakMap<State, Map<string, Computed<Value>>>()

  /** A state that was loaded for reading: nothing is applied to it from now on. */
  opened(state: State): State {
    this.#of.set(state, new Map())
    return state
  }

  of(state: State, name: string, at: At, compute: () => Value): Value {
    const known = this.#of.get(state)
    const found = known?.get(name)
    if (found !== undefined && found.at.ledger === at.ledger && found.at.closeTimeSeconds === at.closeTimeSeconds) return found.value
    const value = compute()
    known?.set(name, { at, value })
    return value
  }
}
