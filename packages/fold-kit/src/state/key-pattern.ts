// Keys of state rows as patterns: `pair`, `balance:{token}`, `@{owner}:vault:{denomination}`. The same pattern writes a key, reads it and names its parts.
// Keys of an account begin with `@{owner}:`, all others with a letter, so `key >= 'a'` selects the state of a contract that belongs to no account.

import { assert } from '@orrery/errors'

type PartNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PartNames<Rest> : never

/** The parts of a key by the names in its pattern, `owner` included. */
export type KeyParts<P extends string> = { readonly [K in PartNames<P>]: string }

type Parts = Readonly<Record<string, string>>

export class KeyPattern {
  readonly isOwned: boolean
  /** `pair` of keys without further parts, `pair:` of those with. `isOwned` distinguishes owned keys from the others. */
  readonly form: string
  readonly #name: string
  readonly #parts: readonly string[]

  constructor(pattern: string) {
    assert(
      /^(@\{owner\}:)?[a-z][a-z_]*(:\{\w+\})*$/.test(pattern),
      'a pattern of a key is `name:{part}…`, after `@{owner}:` for accounts',
      { pattern },
    )
    this.isOwned = pattern.startsWith('@')
    const [name = '', ...parts] = pattern.replace('@{owner}:', '').split(':')
    this.#name = name
    this.#parts = parts.map((part) => part.slice(1, -1))
    this.form = parts.length > 0 ? `${name}:` : name
  }

  key(parts: Parts): string {
    let key = this.isOwned ? `@${parts.owner}:${this.#name}` : this.#name
    for (const part of this.#parts) key += `:${parts[part]}`
    return key
  }

  /** @param rest The key after its first word. The last part may contain colons. */
  parts(contract: string, owner: string, rest: string): Parts & { readonly contract: string } {
    const parts: Record<string, string> & { contract: string } = { contract }
    if (this.isOwned) parts.owner = owner
    let from = 0
    for (let n = 0; n < this.#parts.length; n++) {
      const colon = n === this.#parts.length - 1 ? -1 : rest.indexOf(':', from)
      const end = colon < 0 ? rest.length : colon
      parts[this.#parts[n] as string] = rest.slice(from, end)
      from = end + 1
    }
    return parts
  }
}

/** A parsed key: the form of its pattern, and the rest. `owner` is '' for keys that belong to no account. */
export function splitKey(key: string, owner: string): { readonly form: string; readonly rest: string } {
  const start = owner === '' ? 0 : owner.length + 2
  const behind = key.indexOf(':', start) + 1
  return behind === 0 ? { form: key.slice(start), rest: '' } : { form: key.slice(start, behind), rest: key.slice(behind) }
}
