import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

const macKey = Buffer.alloc(32, 7)
const key = { ledger: 1_000_123, txOrder: 3, opIndex: 0, eventIndex: 6, row: 0x03000001 }
const question = '{"address":"GA","protocol":"soroswap"}'
const refused = expect.objectContaining({ code: 'invalid_cursor' })

describe('a cursor', () => {
  it('leads back to its row and to the watermark of the first page', () => {
    const text = writeCursor({ key, watermark: 1_000_500 }, question, macKey)
    expect(readCursor(text, question, macKey)).toEqual({ key, watermark: 1_000_500 })
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('is refused with another question, and under another key', () => {
    const text = writeCursor({ key, watermark: 1 }, question, macKey)
    expect(() => readCursor(text, question.replace('GA', 'GB'), macKey)).toThrow(refused)
    expect(() => readCursor(text, question, Buffer.alloc(32, 8))).toThrow(refused)
  })

  it('is refused when any character is changed, dropped or added', () => {
    const text = writeCursor({ key, watermark: 4_294_967_295 }, question, macKey)
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.+/ '
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...characters), (at, character) => {
        fc.pre(text[at] !== character)
        expect(() => readCursor(text.slice(0, at) + character + text.slice(at + 1), question, macKey)).toThrow(refused)
      }),
    )
    expect(() => readCursor(text.slice(0, -1), question, macKey)).toThrow(refused)
    expect(() => readCursor(`${text}A`, question, macKey)).toThrow(refused)
    expect(() => readCursor(`${text}=`, question, macKey)).toThrow(refused)
    expect(() => readCursor('x', question, macKey)).toThrow(refused)
  })
})
