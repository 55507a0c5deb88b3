import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashOf, makeApiKey, prefixOf, sameHash } from './api-key.ts'

describe('an API key', () => {
  it('an API key is ory_, 8 characters, _ and 43 characters of base62, whatever the random bytes', () => {
    for (let n = 0; n < 200; n++) expect(makeApiKey()).toMatch(/^ory_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/)
  })

  it('an API key is different each time in both parts', () => {
    const keys = Array.from({ length: 500 }, makeApiKey)
    expect(new Set(keys).size).toBe(500)
    expect(new Set(keys.map(prefixOf)).size).toBe(500)
  })

  it('an API key never has a secret above 2^256 - 1, which is base62 "yFLVpFb4sEXpDM..." with 43 digits at most', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const numbers = Array.from({ length: 200 }, () => [...makeApiKey().slice(13)].reduce((n, c) => n * 62n + BigInt(digits.indexOf(c)), 0n))
    expect(numbers.every((n) => n < 2n ** 256n)).toBe(true)
    // The upper half of the space is used too: of 200 numbers of 256 random bits the largest has its top bit set.
    expect(numbers.some((n) => n >= 2n ** 255n)).toBe(true)
  })

  it('an API key is compared by its SHA-256', () => {
    const key = makeApiKey()
    expect(hashOf(key)).toBe(createHash('sha256').update(key, 'utf8').digest('hex'))
    expect(sameHash(hashOf(key), hashOf(key))).toBe(true)
    expect(sameHash(hashOf(key), hashOf(makeApiKey()))).toBe(false)
  })

  it('an API key has no look-up part when it is no key', () => {
    for (const text of [
      '',
      'ory_',
      'ory_abcdefgh',
      `ory_abcdefgh_${'a'.repeat(42)}`,
      `ORY_abcdefgh_${'a'.repeat(43)}`,
      `ory_abcdefg-_${'a'.repeat(43)}`,
    ]) {
      expect(prefixOf(text)).toBeNull()
    }
    expect(prefixOf(`ory_abcdefgh_${'a'.repeat(43)}`)).toBe('ory_abcdefgh')
  })
})
