// Shapes: the form of a contract's value, written once as data, and read directly from its bytes without an ScVal.
// A mismatch is not an exception inside: readers return MISMATCH, so that trying alternatives is cheap.

import { OrreryError } from '@orrery/errors'
import type { Address, ContractId } from './record.ts'
import { readScAddress } from './sc-address.ts'
import { readI128, readU128, SCVAL_TYPES, type ScVal, type ScValType, scVal } from './scval.ts'
import { MISMATCH, type Mismatch, ShapeReader } from './shape-reader.ts'

export interface Shape<T> {
  /** Name of the shape in messages: `i128`, `struct {reserve0, reserve1}`. */
  readonly name: string
  /** Reads the value at the reader's position, or returns MISMATCH. */
  readonly read: (reader: ShapeReader) => T | Mismatch
}

/** The type that a shape reads. */
export type Of<S> = S extends Shape<infer T> ? T : never
type TupleOf<S extends readonly Shape<unknown>[]> = { readonly [N in keyof S]: Of<S[N]> }

/** The entry or event being read, for the error. */
export interface Where {
  readonly contract: ContractId | null
  /** Description of the entry or event: `pair instance`, `event swap`. */
  readonly what: string
}

/**
 * Reads a value of the shape that fills the bytes.
 * @throws OrreryError `corrupt`/`unexpected_shape` naming contract, what and path; `corrupt`/`ledger_unreadable` when the bytes are no XDR.
 */
export function decode<T>(shape: Shape<T>, bytes: Uint8Array, where: Where): T {
  const reader = new ShapeReader(bytes)
  const value = shape.read(reader)
  if (value === MISMATCH) throw unexpectedShape(shape.name, reader, where)
  reader.end(shape.name)
  return value
}

/** The value, or null when it has another shape. @throws OrreryError `corrupt`/`ledger_unreadable` only when the bytes are no XDR. */
export function matches<T>(shape: Shape<T>, bytes: Uint8Array): T | null {
  const reader = new ShapeReader(bytes)
  const value = shape.read(reader)
  if (value === MISMATCH) return null
  reader.end(shape.name)
  return value
}

export function unexpectedShape(expected: string, reader: ShapeReader, { contract, what }: Where): OrreryError {
  const { path, problem } = reader
  const place = path === '' ? what : `${what}, ${path}`
  return new OrreryError('corrupt', 'unexpected_shape', `Unexpected shape of ${place} of contract ${contract ?? 'unknown'}: ${problem}.`, {
    context: { contract, what, path, expected, problem },
  })
}

/** A shape of one ScVal type. */
function plain<T>(type: ScValType, read: (reader: ShapeReader) => T): Shape<T> {
  const arm = (SCVAL_TYPES as readonly ScValType[]).indexOf(type)
  return { name: type, read: (reader) => (reader.is(arm) ? read(reader) : MISMATCH) }
}

export const u32: Shape<number> = plain('u32', (reader) => reader.u32())
export const i32: Shape<number> = plain('i32', (reader) => reader.i32())
export const u64: Shape<bigint> = plain('u64', (reader) => reader.u64())
export const i64: Shape<bigint> = plain('i64', (reader) => reader.i64())
export const u128: Shape<bigint> = plain('u128', readU128)
export const i128: Shape<bigint> = plain('i128', readI128)
export const u256: Shape<bigint> = plain('u256', (reader) => (readU128(reader) << 128n) | readU128(reader))
export const i256: Shape<bigint> = plain('i256', (reader) => (readI128(reader) << 128n) | readU128(reader))
export const bool: Shape<boolean> = plain('bool', (reader) => reader.flag('ScVal.bool'))
/** A view of the bytes. */
export const bytes: Shape<Uint8Array> = plain('bytes', (reader) => reader.opaque('ScVal.bytes'))
/** Bytes that are not UTF-8 become U+FFFD: a hostile name must not stop a fold. */
export const string: Shape<string> = plain('string', (reader) => reader.text('ScVal.string').text)
export const symbol: Shape<string> = plain('symbol', (reader) => reader.text('ScVal.symbol', 32).text)
/** Any kind of address. */
export const address: Shape<Address> = plain('address', readScAddress)
/** The void value. */
export const nothing: Shape<null> = plain('void', () => null)
/** Any value, as an ScVal. */
export const any: Shape<ScVal> = { name: 'any', read: (reader) => scVal(reader) }

/** Exactly this symbol or string. */
export function literal<const L extends string>(type: 'symbol' | 'string', text: L): Shape<L> {
  const inner = type === 'symbol' ? symbol : string
  return {
    name: `${type} ${JSON.stringify(text)}`,
    read: (reader) => {
      const found = inner.read(reader)
      if (found === MISMATCH) return MISMATCH
      return found === text ? text : reader.mismatch(`expected ${type} ${JSON.stringify(text)}, found ${JSON.stringify(found)}`)
    },
  }
}

/** A Vec of any length, all items of one shape. */
export function vec<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    name: `vec of ${item.name}`,
    read: (reader) => {
      const count = reader.vec()
      if (count === MISMATCH) return MISMATCH
      const values: T[] = []
      for (let n = 0; n < count; n++) {
        const value = item.read(reader)
        if (value === MISMATCH) return reader.under(`[${n}]`)
        values.push(value)
      }
      return values
    },
  }
}

/** A Vec of exactly these items. */
export function tuple<const S extends readonly Shape<unknown>[]>(...items: S): Shape<TupleOf<S>> {
  return {
    name: `tuple (${items.map((item) => item.name).join(', ')})`,
    read: (reader) => {
      const count = reader.vec()
      if (count === MISMATCH) return MISMATCH
      if (count !== items.length) return reader.mismatch(`expected ${items.length} items, found ${count}`)
      return readItems(items, reader)
    },
  }
}

function readItems<S extends readonly Shape<unknown>[]>(items: S, reader: ShapeReader): TupleOf<S> | Mismatch {
  const values: unknown[] = []
  for (let n = 0; n < items.length; n++) {
    const value = (items[n] as Shape<unknown>).read(reader)
    if (value === MISMATCH) return reader.under(`[${n}]`)
    values.push(value)
  }
  return values as unknown as TupleOf<S>
}

/** A Map with Symbol keys that has at least these members. Others are ignored: contracts add members when they are upgraded. */
export function struct<const M extends Readonly<Record<string, Shape<unknown>>>>(members: M): Shape<{ readonly [K in keyof M]: Of<M[K]> }> {
  const names = Object.keys(members)
  const shapes = new Map(Object.entries(members))
  return {
    name: `struct {${names.join(', ')}}`,
    read: (reader) => {
      const count = reader.map()
      if (count === MISMATCH) return MISMATCH
      const found: Record<string, unknown> = {}
      let missing = names.length
      for (let n = 0; n < count; n++) {
        const name = reader.symbolOrSkip()
        const shape = name === null ? undefined : shapes.get(name)
        if (name === null || shape === undefined || Object.hasOwn(found, name)) {
          reader.skip()
          continue
        }
        const value = shape.read(reader)
        if (value === MISMATCH) return reader.under(`.${name}`)
        found[name] = value
        missing--
      }
      if (missing > 0) return reader.mismatch(`member ${names.filter((name) => !Object.hasOwn(found, name)).join(', ')} is missing`)
      return found as { readonly [K in keyof M]: Of<M[K]> }
    },
  }
}

/** Rust's `Option`: void becomes null. */
export function option<T>(some: Shape<T>): Shape<T | null> {
  return oneOf([nothing, some])
}

/** A Map with keys of one shape and values of one shape, in the order of the chain. */
export function dict<K, V>(key: Shape<K>, value: Shape<V>): Shape<readonly (readonly [K, V])[]> {
  return {
    name: `map of ${key.name} to ${value.name}`,
    read: (reader) => {
      const count = reader.map()
      if (count === MISMATCH) return MISMATCH
      const pairs: (readonly [K, V])[] = []
      for (let n = 0; n < count; n++) {
        const k = key.read(reader)
        if (k === MISMATCH) return reader.under(`[key ${n}]`)
        const v = value.read(reader)
        if (v === MISMATCH) return reader.under(`[${n}]`)
        pairs.push([k, v])
      }
      return pairs
    },
  }
}

/** Rust's enum with data: `Vec[Symbol Name, …values]`. */
export function variant<const V extends Readonly<Record<string, readonly Shape<unknown>[]>>>(
  cases: V,
): Shape<{ readonly [K in keyof V & string]: { readonly name: K; readonly values: TupleOf<V[K]> } }[keyof V & string]> {
  const shapes = new Map(Object.entries(cases))
  return {
    name: `one of ${[...shapes.keys()].join(' | ')}`,
    read: (reader) => {
      const count = reader.vec()
      if (count === MISMATCH) return MISMATCH
      if (count === 0) return reader.mismatch('expected a variant, found an empty vec')
      const name = symbol.read(reader)
      if (name === MISMATCH) return reader.under('[0]')
      const items = shapes.get(name)
      if (items === undefined) return reader.mismatch(`unknown variant ${JSON.stringify(name)}`)
      if (count !== items.length + 1) return reader.mismatch(`variant ${name} has ${count - 1} values, expected ${items.length}`)
      const values = readItems(items, reader)
      if (values === MISMATCH) return reader.under(`.${name}`)
      return { name, values } as never
    },
  }
}

/** The first shape that matches. */
export function oneOf<const S extends readonly Shape<unknown>[]>(shapes: S): Shape<Of<S[number]>> {
  const name = shapes.map((shape) => shape.name).join(' or ')
  return {
    name,
    read: (reader) => {
      const from = reader.at
      let problem = ''
      for (const shape of shapes) {
        reader.at = from
        const value = shape.read(reader)
        if (value !== MISMATCH) return value as Of<S[number]>
        // The path of the attempt goes into the problem text, so that the outer path is unchanged.
        problem += `${problem === '' ? '' : '; '}as ${shape.name}: ${reader.path === '' ? '' : `${reader.path}: `}${reader.problem}`
      }
      return reader.mismatch(problem)
    },
  }
}
