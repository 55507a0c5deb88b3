// Compiles a layout table into functions that find the end of a value: `(view, at) => end`.
// It generates source text for `new Function`: nested closures had a third of the speed, because the engine cannot inline them.
// Adjacent fields of fixed size become one addition; arms, flags, lengths, counts and depth are checked where they are read.

import { DEPTH_LIMIT } from './unreadable.ts'

/** Returns the end of the value that begins at `at`. @throws OrreryError `ledger_unreadable`; RangeError where the view ends first. */
export type Skip = (view: DataView, at: number) => number

type Type =
  | { readonly kind: 'fixed'; readonly bytes: number }
  | { readonly kind: 'range'; readonly max: number }
  | { readonly kind: 'opaque'; readonly limit: number }
  | { readonly kind: 'optional' | 'array'; readonly of: Type }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'struct'; readonly fields: readonly Type[] }
  | { readonly kind: 'union'; readonly arms: readonly { readonly values: string; readonly type: Type }[] }

/** Small types that are used often. */
const SMALL = new Set(['PublicKey', 'ExtensionPoint', 'AlphaNum4', 'AlphaNum12', 'Asset', 'MuxedAccount'])

const FIXED: Readonly<Record<string, number>> = { '-': 0, u32: 4, i32: 4, u64: 8, i64: 8 }

/**
 * @param natives Skip functions written by hand, by the name that the table uses.
 * @param fail Makes the error: (type, offset, problem, found, whether `found` is an arm or value that the layout does not list).
 */
export function compileLayout<const Name extends string>(
  layout: string,
  natives: Readonly<Record<string, Skip>>,
  fail: (type: string, offset: number, problem: string, found?: number, isUnknownArm?: boolean) => Error,
  names: readonly Name[],
): Readonly<Record<Name, Skip>> {
  const types = new Map(
    layout
      .trim()
      .split('\n')
      .map((line) => line.split(' = ') as [string, string])
      .map(([name, text]) => [name, parse(text)] as const),
  )
  const source = new Emitter(types, new Set(Object.keys(natives))).source(names)
  return new Function('natives', 'fail', source)(natives, fail)
}

function parse(text: string): Type {
  if (text.startsWith('{')) {
    const fields = text.slice(1, -1).split(',')
    return { kind: 'struct', fields: fields.map((field) => parseReference(field.slice(field.indexOf(':') + 1).trim())) }
  }
  if (text.startsWith('U(')) {
    const arms = text.slice(2, -1).split(' | ')
    return {
      kind: 'union',
      arms: arms.map((arm) => {
        const [values, type] = arm.split('->') as [string, string]
        return { values, type: parseReference(type) }
      }),
    }
  }
  return parseReference(text)
}

function parseReference(text: string): Type {
  if (text.endsWith('[]')) return { kind: 'array', of: parseReference(text.slice(0, -2)) }
  if (text.endsWith('?')) return { kind: 'optional', of: parseReference(text.slice(0, -1)) }
  if (text === 'bool') return { kind: 'range', max: 1 }
  const [, word, limit] = /^(\w+)(?:<(\d+)>)?$/.exec(text) ?? [text, text]
  if (word === 'enum') return { kind: 'range', max: Number(limit) }
  if (word === 'bytes' || word === 'str') return { kind: 'opaque', limit: limit === undefined ? 0xffffffff : Number(limit) }
  const fixed = FIXED[text] ?? (/^b\d+$/.test(text) ? Number(text.slice(1)) : undefined)
  return fixed === undefined ? { kind: 'named', name: text } : { kind: 'fixed', bytes: fixed }
}

/** Writes the functions. `p` is the offset in the view; `ahead` bytes after it are already passed and not yet added to it. */
class Emitter {
  readonly #types: ReadonlyMap<string, Type>
  readonly #natives: ReadonlySet<string>
  /** Types that can contain themselves: their functions count depth. */
  readonly #recursive: ReadonlySet<string>
  /** How often other types use each type. */
  readonly #uses = new Map<string, number>()
  #lines: string[] = []
  #ahead = 0
  #variables = 0
  /** Name of the type whose function is being written. */
  #name = ''

  constructor(types: ReadonlyMap<string, Type>, natives: ReadonlySet<string>) {
    this.#types = types
    this.#natives = natives
    for (const type of types.values()) for (const name of namesIn(type)) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
    this.#recursive = new Set([...types.keys()].filter((name) => this.#reaches(name, name, new Set())))
  }

  source(names: readonly string[]): string {
    const functions = [...this.#types].map(([name, type]) => this.#function(name, type))
    const entry = (name: string): string => (this.#recursive.has(name) ? `(v, p) => ${name}(v, p, 0)` : name)
    const exports = names.map((name) => `${name}: ${entry(name)}`).join(', ')
    return `'use strict'\nconst { ${[...this.#natives].join(', ')} } = natives\n${functions.join('\n')}\nreturn { ${exports} }`
  }

  #function(name: string, type: Type): string {
    this.#lines = []
    this.#ahead = 0
    this.#variables = 0
    this.#name = name
    const depth = this.#recursive.has(name)
    if (depth) this.#emit(`if (d > ${DEPTH_LIMIT}) throw fail('${name}', p, 'values nested deeper than ${DEPTH_LIMIT}', d)`)
    this.#skip(type)
    this.#emit(`return ${this.#place()}`)
    return `function ${name}(v, p${depth ? ', d' : ''}) {\n${this.#lines.join('\n')}\n}`
  }

  #emit(line: string): void {
    this.#lines.push(line)
  }

  #place(): string {
    return this.#ahead === 0 ? 'p' : `p + ${this.#ahead}`
  }

  #settle(): void {
    if (this.#ahead > 0) this.#emit(`p += ${this.#ahead}`)
    this.#ahead = 0
  }

  /** Reads a word into a fresh variable and passes it. */
  #word(): string {
    const variable = `x${this.#variables++}`
    this.#emit(`const ${variable} = v.getUint32(${this.#place()})`)
    this.#ahead += 4
    return variable
  }

  #fail(problem: string, found: string, isUnknownArm = false): string {
    return `throw fail('${this.#name}', ${this.#place()} - 4, ${problem}, ${found}, ${isUnknownArm})`
  }

  #skip(type: Type): void {
    switch (type.kind) {
      case 'fixed':
        this.#ahead += type.bytes
        return
      case 'range': {
        const word = this.#word()
        this.#emit(`if (${word} > ${type.max}) ${this.#fail(`'unknown value ' + ${word}`, word, true)}`)
        return
      }
      case 'opaque':
        this.#settle()
        this.#emit(`p = v.getUint32(p) === 0 ? p + 4 : opaque(v, p, ${type.limit}, '${this.#name}')`)
        return
      case 'optional':
        this.#optional(type.of)
        return
      case 'array':
        this.#array(type.of)
        return
      case 'named':
        this.#named(type.name)
        return
      case 'struct':
        for (const field of type.fields) this.#skip(field)
        return
      case 'union':
        this.#union(type.arms)
    }
  }

  #optional(of: Type): void {
    const flag = this.#word()
    this.#settle()
    this.#emit(`if (${flag} === 1) {`)
    this.#skip(of)
    this.#settle()
    this.#emit(`} else if (${flag} !== 0) ${this.#fail(`'a flag is ' + ${flag}`, flag)}`)
  }

  #array(of: Type): void {
    const count = this.#word()
    this.#settle()
    const bytes = this.#fixedBytes(of)
    const least = bytes ?? 4
    this.#emit(
      `if (${count} * ${least} > v.byteLength - p) ${this.#fail(`${count} + ' items are announced, more than can follow'`, count)}`,
    )
    if (bytes !== null) {
      this.#emit(`p += ${count} * ${bytes}`)
      return
    }
    const n = `n${this.#variables++}`
    this.#emit(`for (let ${n} = 0; ${n} < ${count}; ${n}++) {`)
    this.#skip(of)
    this.#settle()
    this.#emit('}')
  }

  #named(name: string): void {
    const type = this.#types.get(name)
    if (type === undefined) {
      if (!this.#natives.has(name)) throw new Error(`The layout names ${name} but does not define it.`)
      this.#settle()
      this.#emit(`p = ${name}(v, p)`)
      return
    }
    const bytes = this.#fixedBytes(type)
    if (bytes !== null) {
      this.#ahead += bytes
      return
    }
    if (this.#inlined(name)) {
      const outer = this.#name
      this.#name = name
      this.#skip(type)
      this.#name = outer
      return
    }
    const depth = this.#recursive.has(name) ? (this.#recursive.has(this.#name) ? ', d + 1' : ', 0') : ''
    this.#emit(`p = ${name}(v, ${this.#place()}${depth})`)
    this.#ahead = 0
  }

  #union(arms: readonly { readonly values: string; readonly type: Type }[]): void {
    const arm = this.#word()
    this.#settle()
    this.#emit(`switch (${arm} | 0) {`)
    for (const { values, type } of arms) {
      for (const value of values.split(',')) this.#emit(`case ${value}:`)
      this.#emit('{')
      this.#skip(type)
      this.#settle()
      this.#emit('break }')
    }
    this.#emit(`default: ${this.#fail(`'unknown arm ' + (${arm} | 0)`, `${arm} | 0`, true)}`)
    this.#emit('}')
  }

  /** The engine inlines little of such long chains, and a call costs more than the read. So types that are small or used once are written in place. */
  #inlined(name: string): boolean {
    return !this.#recursive.has(name) && ((this.#uses.get(name) ?? 0) <= 1 || SMALL.has(name))
  }

  /** Size of a type that needs no check inside, else null. */
  #fixedBytes(type: Type): number | null {
    switch (type.kind) {
      case 'fixed':
        return type.bytes
      case 'named': {
        const named = this.#types.get(type.name)
        return named === undefined ? null : this.#fixedBytes(named)
      }
      case 'struct': {
        let bytes = 0
        for (const field of type.fields) {
          const more = this.#fixedBytes(field)
          if (more === null) return null
          bytes += more
        }
        return bytes
      }
      default:
        return null
    }
  }

  #reaches(from: string, wanted: string, seen: Set<string>): boolean {
    const type = this.#types.get(from)
    return (
      type !== undefined &&
      namesIn(type).some((name) => {
        if (name === wanted) return true
        if (seen.has(name)) return false
        seen.add(name)
        return this.#reaches(name, wanted, seen)
      })
    )
  }
}

/** Names of the types that a type uses, each as often as it occurs. */
function namesIn(type: Type): string[] {
  switch (type.kind) {
    case 'named':
      return [type.name]
    case 'optional':
    case 'array':
      return namesIn(type.of)
    case 'struct':
      return type.fields.flatMap(namesIn)
    case 'union':
      return type.arms.flatMap((arm) => namesIn(arm.type))
    default:
      return []
  }
}
