// How contract-data entries are read here: keys by a table from their symbol to what they hold, values by their shape.
// Parts of a key have the names that the keys of state rows have for them: see `state/`.

import { isInstanceKey } from '@orrery/fold-kit'
import {
  address,
  bool,
  type ContractId,
  i128,
  matches,
  type Of,
  oneOf,
  readInstance,
  type Shape,
  sc,
  symbol,
  u64,
  variant,
  vec,
  writeScVal,
} from '@orrery/ledger'

/** A key of a symbol and further parts. */
interface Line<K> {
  readonly parts: readonly Shape<unknown>[]
  readonly make: (...parts: never[]) => K | null
}

type PartsOf<S extends readonly Shape<unknown>[]> = { [N in keyof S]: Of<S[N]> }

/** A key with these parts after its symbol. `make` gives null for parts that no contract writes. */
export function key<const S extends readonly Shape<unknown>[], const K extends { readonly kind: string }>(
  parts: S,
  make: (...parts: PartsOf<S>) => K | null,
): Line<K> {
  return { parts, make: make as unknown as Line<K>['make'] }
}

type Table = Readonly<Record<string, string | Line<{ readonly kind: string }>>>

type KeysOf<T extends Table> =
  | { [N in keyof T]: T[N] extends Line<infer K> ? K : { readonly kind: T[N] } }[keyof T]
  | { readonly kind: 'instance' }
  | { readonly kind: 'unknown' }

/** Reads what a key holds. The table has for a bare symbol the kind, for a key with parts a line. */
export function keyReader<const T extends Table>(table: T): (key: Uint8Array) => KeysOf<T> {
  const lines = new Map<string, Table[string]>(Object.entries(table))
  const parts = [...lines].flatMap(([name, line]) => (typeof line === 'string' ? [] : [[name, line.parts] as const]))
  const shape = oneOf([variant(Object.fromEntries(parts)), symbol])
  const read = (key: Uint8Array) => {
    if (isInstanceKey(key)) return { kind: 'instance' }
    const found = matches(shape, key)
    if (found === null) return null
    const line = lines.get(typeof found === 'string' ? found : found.name)
    if (typeof found === 'string') return typeof line === 'string' ? { kind: line } : null
    return typeof line === 'object' ? line.make(...(found.values as never[])) : null
  }
  return (key) => (read(key) ?? UNKNOWN) as KeysOf<T>
}

const UNKNOWN = { kind: 'unknown' }

/** Reads a value of that shape, null for bytes of another one. */
export function valueReader<T, V>(shape: Shape<T>, make: (read: T) => V): (value: Uint8Array) => V | null {
  return (value) => {
    const read = matches(shape, value)
    return read === null ? null : make(read)
  }
}

const Contracts = vec(address)

/** Assets of a pool by reserve index, or the reward zone of a backstop. */
export const readContracts = (value: Uint8Array): readonly ContractId[] | null => matches(Contracts, value)
export const readSeconds = (value: Uint8Array): bigint | null => matches(u64, value)
export const readAmount = (value: Uint8Array): bigint | null => matches(i128, value)
export const readFlag = (value: Uint8Array): boolean | null => matches(bool, value)

/**
 * Reads the contracts that an instance names under these symbols; '' where it does not.
 * The reader throws OrreryError `corrupt`/`unexpected_shape` for the instance of another contract.
 */
export function contractsReader<M extends Readonly<Record<string, string>>>(
  what: string,
  symbols: M,
): (value: Uint8Array, contract: ContractId) => { readonly [K in keyof M]: ContractId } {
  const keys = Object.entries(symbols).map(([name, text]) => [name, writeScVal(sc.symbol(text))] as const)
  return (value, contract) => {
    const { get } = readInstance(value, { contract, what })
    return Object.fromEntries(keys.map(([name, key]) => [name, get(key, address) ?? ''])) as { [K in keyof M]: ContractId }
  }
}
