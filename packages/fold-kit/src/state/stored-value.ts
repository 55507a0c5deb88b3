// The value of a state row's JSON, declared once: its TypeScript type, its bytes, and the names of its members for the docs.
// Integers are decimal strings, so that no digit is lost. Members are named in snake_case, and their order is that of the declaration.
// Stored bytes must not change: a field that is added, renamed or moved needs a new adapter version.

import { usdText, usdUnits } from '../usd-units.ts'

type Json = Record<string, unknown>

/** A value in one member of the JSON. */
export interface Scalar<T> {
  /** The member's name, where it is not that of the field in snake_case. */
  readonly member?: string
  /** Undefined: the member is left out. */
  toJson(value: T): unknown
  /** @throws UnreadableMember */
  fromJson(json: unknown, member: string): T
  /** Of values whose JSON is a list or an object. All others are compared with `===`. */
  isSame?(a: T, b: T): boolean
}

/** A value in several members: an object, flat in the row's JSON. */
export interface Members<T> {
  readonly names: readonly string[]
  write(value: T, json: Json): void
  /** @throws UnreadableMember */
  read(json: Readonly<Json>): T
  /** Whether both values have the same JSON. */
  isSame(a: T, b: T): boolean
}

type Field<T> = Scalar<T> | Members<T>
type Fields = Readonly<Record<string, Field<unknown>>>
type Decoded<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

/** The TypeScript type of a declared value. */
export type ValueOf<V> = V extends Scalar<infer T> ? T : V extends Members<infer T> ? T : never

/** A member that is missing or does not match its declaration. The loader adds the row. */
export class UnreadableMember extends Error {
  readonly member: string

  constructor(member: string) {
    super(`unreadable member ${member}`)
    this.member = member
  }
}

export const text: Scalar<string> = {
  toJson: (value) => value,
  fromJson: (json, member) => (typeof json === 'string' ? json : unreadable(member)),
}

export const flag: Scalar<boolean> = {
  toJson: (value) => value,
  fromJson: (json, member) => (typeof json === 'boolean' ? json : unreadable(member)),
}

/** A bigint. */
export const integer: Scalar<bigint> = {
  toJson: (value) => value.toString(),
  fromJson: (json, member) => BigInt(digits(json, member)),
}

/** A whole number that a JavaScript number holds exactly. */
export const number: Scalar<number> = {
  toJson: (value) => value.toString(),
  fromJson: (json, member) => Number(digits(json, member)),
}

/** Units of 1e-8 USD, as a decimal with up to eight fractional digits. */
export const usd: Scalar<bigint> = {
  toJson: usdText,
  fromJson: (json, member) => (typeof json === 'string' && /^-?\d+(?:\.\d{1,8})?$/.test(json) ? usdUnits(json) : unreadable(member)),
}

/** One of the given texts. */
export function choice<const T extends string>(...texts: readonly T[]): Scalar<T> {
  return { toJson: (value) => value, fromJson: (json, member) => texts.find((it) => it === json) ?? unreadable(member) }
}

export function list<T>(item: Scalar<T>): Scalar<readonly T[]> {
  return {
    toJson: (values) => values.map((value) => item.toJson(value)),
    fromJson: (json, member) => (Array.isArray(json) ? json.map((it) => item.fromJson(it, member)) : unreadable(member)),
    isSame: (a, b) => a.length === b.length && a.every((value, n) => isSameIn(item, value, b[n] as T)),
  }
}

/** A list of exactly these values. */
export function tuple<const T extends readonly unknown[]>(...items: { readonly [N in keyof T]: Scalar<T[N]> }): Scalar<T> {
  const scalars: readonly Scalar<unknown>[] = items
  return {
    toJson: (values) => scalars.map((item, n) => item.toJson(values[n])),
    fromJson: (json, member) =>
      Array.isArray(json) && json.length === scalars.length
        ? (scalars.map((item, n) => item.fromJson(json[n], member)) as readonly unknown[] as T)
        : unreadable(member),
    isSame: (a, b) => scalars.every((item, n) => isSameIn(item, a[n], b[n])),
  }
}

/** A JSON object with one member for each item of a map, in the map's order; JSON puts keys that are whole numbers first, by size. */
export function mapOf<T>(item: Scalar<T>): Scalar<ReadonlyMap<string, T>> {
  const toJson = (values: ReadonlyMap<string, T>) => Object.fromEntries([...values].map(([key, value]) => [key, item.toJson(value)]))
  return {
    toJson,
    fromJson: (json, member) =>
      isObject(json) ? new Map(Object.entries(json).map(([key, value]) => [key, item.fromJson(value, member)])) : unreadable(member),
    isSame: (a, b) => JSON.stringify(toJson(a)) === JSON.stringify(toJson(b)),
  }
}

/** A value that is stored in another form. `fromStored` may throw `UnreadableMember`. */
export function stored<T, S>(as: Scalar<S>, { toStored, fromStored }: { toStored(value: T): S; fromStored(stored: S): T }): Scalar<T> {
  return {
    toJson: (value) => as.toJson(toStored(value)),
    fromJson: (json, member) => fromStored(as.fromJson(json, member)),
    isSame: (a, b) => isSameIn(as, toStored(a), toStored(b)),
  }
}

/** Under a name that is not the field's. */
export function named<T>(member: string, field: Scalar<T>): Scalar<T> {
  return { ...field, member }
}

/** Null, or the value. Of an object all members are null. */
export function nullable<T>(field: Members<T>): Members<T | null>
export function nullable<T>(field: Scalar<T>): Scalar<T | null>
export function nullable<T>(field: Field<T>): Field<T | null> {
  if (isMembers(field)) return whole(field, null)
  return {
    ...field,
    toJson: (value) => (value === null ? null : field.toJson(value)),
    fromJson: (json, member) => (json === null ? null : field.fromJson(json, member)),
  }
}

/** Null, or an object. While it is null its members are left out. */
export function optionalObject<T>(field: Members<T>): Members<T | null> {
  return whole(field, undefined)
}

/** Left out of the JSON while it is `absent`. */
export function optional<T>(field: Scalar<T>, absent: T): Scalar<T> {
  return {
    ...field,
    toJson: (value) => (value === absent ? undefined : field.toJson(value)),
    fromJson: (json, member) => (json === undefined ? absent : field.fromJson(json, member)),
  }
}

/** An object of which all members are `none` when it is null. */
function whole<T>(field: Members<T>, none: null | undefined): Members<T | null> {
  const { names } = field
  return {
    names,
    write: (value, json) => {
      if (value !== null) field.write(value, json)
      else for (const name of names) json[name] = none
    },
    read: (json) => (names.every((name) => json[name] === none) ? null : field.read(json)),
    isSame: (a, b) => a === b || (a !== null && b !== null && field.isSame(a, b)),
  }
}

/**
 * An object. An object among its fields is flat: its members are members of the whole.
 *
 * @param prefix Of the members' names: `lowest` makes `lowest_account` of `account`.
 */
export function object<F extends Fields>(fields: F, prefix = ''): Members<Decoded<F>> {
  const places = Object.entries(fields).map(([key, field]) =>
    isMembers(field)
      ? { key, name: '', scalar: null, members: field }
      : { key, name: (prefix === '' ? '' : `${prefix}_`) + (field.member ?? snakeCase(key)), scalar: field, members: null },
  )
  return {
    names: places.flatMap(({ name, members }) => members?.names ?? name),
    write: (value, json) => {
      const of = value as Readonly<Json>
      for (const { key, name, scalar, members } of places) {
        if (scalar !== null) json[name] = scalar.toJson(of[key])
        else members.write(of[key], json)
      }
    },
    read: (json) => {
      const value: Json = {}
      for (const { key, name, scalar, members } of places)
        value[key] = scalar === null ? members.read(json) : scalar.fromJson(json[name], name)
      return value as Decoded<F>
    },
    isSame: (a, b) => {
      const [one, other] = [a as Readonly<Json>, b as Readonly<Json>]
      return places.every(({ key, scalar, members }) =>
        scalar === null ? members.isSame(one[key], other[key]) : isSameIn(scalar, one[key], other[key]),
      )
    },
  }
}

/** A value that is the row's only member. */
export function only<T>(name: string, field: Scalar<T>): Members<T> {
  return {
    names: [name],
    write: (value, json) => {
      json[name] = field.toJson(value)
    },
    read: (json) => field.fromJson(json[name], name),
    isSame: (a, b) => isSameIn(field, a, b),
  }
}

/** The JSON of a value. */
export function encodeValue<T>(of: Members<T>, value: T): string {
  const json: Json = {}
  of.write(value, json)
  return JSON.stringify(json)
}

/** @throws UnreadableMember */
export function decodeValue<T>(of: Members<T>, value: string): T {
  const json = parse(value)
  return isObject(json) ? of.read(json) : unreadable('value')
}

function isSameIn<T>(field: Scalar<T>, a: T, b: T): boolean {
  return a === b || (a !== null && b !== null && field.isSame?.(a, b) === true)
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

function isMembers<T>(field: Field<T>): field is Members<T> {
  return 'names' in field
}

function isObject(json: unknown): json is Readonly<Json> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** `reserve0` is `reserve_0`, `feeToSetter` is `fee_to_setter`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`)
}

function digits(json: unknown, member: string): string {
  return typeof json === 'string' && /^-?\d+$/.test(json) ? json : unreadable(member)
}

function unreadable(member: string): never {
  throw new UnreadableMember(member)
}
