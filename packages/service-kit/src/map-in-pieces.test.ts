import { describe, expect, it } from 'vitest'
import { mapInPieces } from './map-in-pieces.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** Some tenths of a millisecond, whatever the machine. */
function work<T>(value: T): T {
  const endMs = performance.now() + 0.3
  while (performance.now() < endMs);
  return value
}

describe('a long list is mapped in pieces', () => {
  it('gives what map gives', async () => {
    for (const count of [0, 1, 16, 17, 1_000]) {
      expect(await mapInPieces(numbers(count), (item, n) => `${item} ${n}`)).toEqual(numbers(count).map((item, n) => `${item} ${n}`))
    }
  })

  it('lets other work run between', async () => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await mapInPieces(numbers(500), work)
    isOver = true
    expect(turns).toBeGreaterThan(10)
  })

  it('rejects with the error of an item', async () => {
    const failing = mapInPieces(numbers(40), (n) => {
      if (n === 30) throw new Error('item 30')
    })
    await expect(failing).rejects.toThrow('item 30')
  })
})
