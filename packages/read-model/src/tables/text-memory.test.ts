import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextMemory } from './text-memory.ts'

it('texts of any length and script are kept apart, whatever is written after them', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.string({ unit: 'binary', minLength: 20_000, maxLength: 90_000 }))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const memory = new TextMemory()
      const written = texts.map((one) => memory.write(one))
      expect(written.map((bytes) => Buffer.from(bytes).toString())).toEqual(texts.map((one) => Buffer.from(one).toString()))
    }),
    { numRuns: 30 },
  )
})

it('texts share memory until a piece of it is full', () => {
  const memory = new TextMemory()
  const written = Array.from({ length: 5 }, () => memory.write('x'.repeat(20_000)))
  expect(new Set(written.map(({ buffer }) => buffer)).size).toBe(2)
  const large = memory.write('y'.repeat(100_000))
  expect(large).toHaveLength(100_000)
  expect(memory.write('z').buffer).toBe(written[4]?.buffer) // the large one has memory of its own
})
