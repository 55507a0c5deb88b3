import { describe, expect, it } from 'vitest'
import { jsonInPieces } from './json-in-pieces.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** Turns of the event loop while `work` runs. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const result = await work()
  isOver = true
  return { result, turns }
}

/** Some tenths of a millisecond, whatever the machine. */
function work<T>(value: T): T {
  const endMs = performance.now() + 0.3
  while (performance.now() < endMs);
  return value
}

describe('an answer is written in pieces', () => {
  const point = (n: number) => ({ n, text: `"é"\n${n}`, nothing: null, absent: undefined, list: [n, { n }] })

  it.each([
    ['a long list', { address: 'G', points: numbers(333).map(point) }],
    ['two lists, one of them short', { points: numbers(17).map(point), absent: undefined, others: numbers(16).map(point), last: true }],
    ['a list with undefined and null', { points: [...numbers(20), undefined, null, ...numbers(20)] }],
    ['no list', { a: 1, b: { c: numbers(3) } }],
    ['nothing', {}],
    ['a list of its own', numbers(33).map(point)],
    ['an empty list', []],
  ])('as JSON.stringify writes it: %s', async (_, value) => {
    expect(await jsonInPieces(value)).toBe(JSON.stringify(value))
  })

  it('lets other work run between', async () => {
    const slow = {
      get value() {
        return work(1)
      },
    }
    const { turns } = await turnsDuring(() => jsonInPieces({ points: numbers(500).map(() => slow) }))
    expect(turns).toBeGreaterThan(10)
  })
})
