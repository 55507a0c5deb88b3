// API keys: `ory_` + 8 characters + `_` + 32 random bytes in base62, padded to 43 characters.
// The first part finds the row, the whole is compared by its SHA-256 in constant time. The key itself is never stored.

import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX_CHARACTERS = 8
const SECRET_BYTES = 32
/** ⌈256 / log2 62⌉ */
const SECRET_CHARACTERS = 43
const KEY = new RegExp(`^(ory_[0-9A-Za-z]{${PREFIX_CHARACTERS}})_[0-9A-Za-z]{${SECRET_CHARACTERS}}$`)

export function makeApiKey(): string {
  const prefix = Array.from({ length: PREFIX_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `ory_${prefix}_${base62(randomBytes(SECRET_BYTES))}`
}

/** The look-up part, or null when the text cannot be a key. */
export function prefixOf(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null
}

/** 64 hex characters. One round is enough: the key has 256 random bits, there is nothing to guess slowly. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Takes the same time whatever differs. */
export function sameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))
}

/** The bytes as one big-endian number in base 62, padded with `0` so that every key has the same length. */
function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text.padStart(SECRET_CHARACTERS, '0')
}
