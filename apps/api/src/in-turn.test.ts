import { expect, it } from 'vitest'
import { inTurn } from './in-turn.ts'

it('runs at most so many at once, in the order in which they came, and goes on after a failure', async () => {
  const run = inTurn(2)
  const began: number[] = []
  const ends: ((failed: boolean) => void)[] = []
  let running = 0
  let most = 0
  const results = Array.from({ length: 5 }, (_, n) =>
    run(async () => {
      began.push(n)
      running += 1
      most = Math.max(most, running)
      const failed = await new Promise<boolean>((end) => ends.push(end))
      running -= 1
      if (failed) throw new Error(`${n} failed`)
      return n
    }).catch((error: Error) => error.message),
  )
  for (let n = 0; n < 5; n++) {
    while (ends[n] === undefined) await Promise.resolve()
    ends[n]?.(n === 1)
  }
  expect(await Promise.all(results)).toEqual([0, '1 failed', 2, 3, 4])
  expect([began, most]).toEqual([[0, 1, 2, 3, 4], 2])
})
