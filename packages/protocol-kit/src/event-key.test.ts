import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEventKey, type EventKey, encodeEventKey, rowNumber } from './event-key.ts'
import { declareProtocolNumber } from './protocol-id.ts'

const keys = fc.record({
  ledger: fc.nat(0xffffffff),
  txOrder: fc.nat(0xffffff),
  opIndex: fc.nat(0xffff),
  eventIndex: fc.nat(0xffffff),
  row: fc.nat(0xffffffff),
})

declareProtocolNumber('soroswap', 3)

const compare = (a: EventKey, b: EventKey): number =>
  a.ledger - b.ledger || a.txOrder - b.txOrder || a.opIndex - b.opIndex || a.eventIndex - b.eventIndex || a.row - b.row

describe('an event key', () => {
  it('an event key is 32 hex characters with each part in its position', () => {
    // 1000033 = 0xf4261, protocol 3 in the high byte of the row.
    const key = { ledger: 1_000_033, txOrder: 7, opIndex: 0, eventIndex: 12, row: rowNumber('soroswap', 2) }
    expect(encodeEventKey(key)).toBe('000f4261000007000000000c03000002')
  })

  it('an event key decodes to the encoded numbers', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(decodeEventKey(encodeEventKey(key))).toEqual(key)
      }),
    )
  })

  it('event keys sort as text exactly as their numbers sort', () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const [x, y] = [encodeEventKey(a), encodeEventKey(b)]
        expect(Math.sign(compare(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0)
      }),
    )
  })

  it('a text that is not 32 lowercase hex characters is refused', () => {
    for (const text of ['', 'zz', '000F4261000007000000000C03000002', `${'0'.repeat(33)}`]) {
      expect(() => decodeEventKey(text)).toThrowError(expect.objectContaining({ kind: 'invalid', code: 'invalid_cursor' }))
    }
  })
})
