// Strkeys of SEP-23, with its examples and with damaged ones.

import { describe, expect, it } from 'vitest'
import { contractBytes, contractId, decodeStrkey, encodeStrkey, isAccountId, isContractId } from './strkey.ts'

// The valid examples of SEP-23.
const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
const CONTRACT = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'
const POOL = 'LA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUPJN'
const BALANCE = 'BAAD6DBUX6J22DMZOHIEZTEQ64CVCHEDRKWZONFEUL5Q26QD7R76RGR4TU'

describe('a strkey', () => {
  it.each([ACCOUNT, MUXED, CONTRACT, POOL, BALANCE])('the strkey of SEP-23 %s is decoded and encoded again', (text) => {
    const { kind, payload } = decodeStrkey(text)
    expect(encodeStrkey(kind, payload)).toBe(text)
  })

  it('a strkey with one letter changed, removed or added is refused', () => {
    for (let n = 0; n < CONTRACT.length; n++) {
      const other = CONTRACT[n] === 'A' ? 'B' : 'A'
      expect(isContractId(CONTRACT.slice(0, n) + other + CONTRACT.slice(n + 1))).toBe(false)
    }
    for (const text of [
      '',
      'C',
      CONTRACT.slice(1),
      CONTRACT.slice(0, -1),
      `${CONTRACT}A`,
      CONTRACT.toLowerCase(),
      `${CONTRACT.slice(0, -1)}é`,
      ACCOUNT,
    ]) {
      expect(isContractId(text)).toBe(false)
    }
  })

  it('a strkey has a kind', () => {
    expect([isContractId(CONTRACT), isAccountId(ACCOUNT), isAccountId(MUXED), isAccountId(CONTRACT)]).toEqual([true, true, false, false])
    expect(() => contractBytes(ACCOUNT)).toThrow(expect.objectContaining({ code: 'invalid_strkey' }))
    expect(() => encodeStrkey('C', new Uint8Array(31))).toThrow(expect.objectContaining({ code: 'invalid_strkey' }))
  })

  it('the strkey of a contract is the same each time, also after others replaced it in the cache', () => {
    const bytes = contractBytes(CONTRACT)
    expect(contractId(bytes)).toBe(CONTRACT)
    for (let n = 0; n < 256; n++) contractId(bytes.map((byte, place) => (place > 1 ? n : byte)))
    expect(contractId(Uint8Array.from([9, 9, ...bytes]), 2)).toBe(CONTRACT)
  })
})
