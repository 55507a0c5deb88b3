// Instance storage of Aquarius's contracts: one map, its keys `Vec[Symbol(name)]`. Absent is the contract's default, so everything can be null.
// A value of another shape counts as absent: these contracts are upgraded in place, and that costs a pool its values but does not stop the fold.

import { type ContractId, matches, readInstance, type Shape, sc, writeScVal } from '@orrery/ledger'

/** @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readInstanceStorage(value: Uint8Array, contract: ContractId, what: string) {
  const { entries, executable } = readInstance(value, { contract, what })
  const find = (name: string) => {
    const key = keyOf(name)
    return entries.find((entry) => Buffer.compare(entry.key, key) === 0)
  }
  const get = <T>(name: string, shape: Shape<T>): T | null => {
    const found = find(name)
    return found === undefined ? null : matches(shape, found.value)
  }
  return {
    /** 64 hex characters, '' where the code is named elsewhere. */
    code: executable.kind === 'wasm' ? executable.hash : '',
    get,
    has: (name: string) => find(name) !== undefined,
    /** Null unless both are there. */
    pair<T>(first: string, second: string, shape: Shape<T>): readonly [T, T] | null {
      const [a, b] = [get(first, shape), get(second, shape)]
      return a === null || b === null ? null : [a, b]
    },
  }
}

export type InstanceStorage = ReturnType<typeof readInstanceStorage>

const keys = new Map<string, Uint8Array>()

function keyOf(name: string): Uint8Array {
  const key = keys.get(name) ?? writeScVal(sc.vec(sc.symbol(name)))
  keys.set(name, key)
  return key
}
