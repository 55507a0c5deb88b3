import { expect, it } from 'vitest'
import { readPageCursor, writePageCursor } from './page-cursor.ts'

const KEY = new Uint8Array(32).fill(7)
const CURSOR = { after: `C${'A'.repeat(55)}`, watermark: 4_294_967_295 }
const text = writePageCursor(CURSOR, '["/v1/assets"]', KEY)
const refused = (given: string, question = '["/v1/assets"]', key = KEY) =>
  expect(() => readPageCursor(given, question, key)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))

it('a cursor gives back its key and its watermark', () => {
  expect(readPageCursor(text, '["/v1/assets"]', KEY)).toEqual(CURSOR)
})

it('a cursor of another question or deployment is refused', () => {
  refused(text, '["/v1/pools"]')
  refused(text, '["/v1/assets"]', new Uint8Array(32))
})

it('an altered, cut, lengthened or invented cursor is refused', () => {
  for (let n = 0; n < text.length; n++) refused(`${text.slice(0, n)}${text[n] === 'A' ? 'B' : 'A'}${text.slice(n + 1)}`)
  for (let n = 0; n < text.length; n++) refused(text.slice(0, n))
  refused(`${text}A`)
  refused(`${text}=`)
  refused('%')
})
