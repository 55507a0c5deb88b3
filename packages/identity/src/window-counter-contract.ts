// What a counter of a window promises, checked on each of its stores.

import { expect, it } from 'vitest'
import type { WindowCounter } from './window-counter.ts'

/** The promises of a counter. */
export function counterContract(driver: string, withCounter: (test: (counter: WindowCounter) => Promise<void>) => Promise<void>): void {
  it(`a counter in ${driver} counts each name apart, from nothing`, () =>
    withCounter(async (counter) => {
      expect(await counter.read('a')).toEqual({ count: 0, leftMs: 0 })
      for (const count of [1, 2, 3]) expect(await counter.add('a')).toMatchObject({ count })
      expect(await counter.add('b')).toMatchObject({ count: 1 })
      expect(await counter.read('a')).toMatchObject({ count: 3 })
    }))

  it(`a counter in ${driver} returns the time until the end of the window`, () =>
    withCounter(async (counter) => {
      const { leftMs } = await counter.add('window')
      expect(leftMs).toBeGreaterThan(0)
      expect(leftMs).toBeLessThanOrEqual(60_000)
      expect((await counter.add('window')).leftMs).toBeLessThanOrEqual(leftMs)
    }))

  it(`a counter in ${driver} loses none of many counts at once`, () =>
    withCounter(async (counter) => {
      const counts = await Promise.all(Array.from({ length: 100 }, () => counter.add('crowd')))
      expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    }))

  it(`a counter in ${driver} adds and subtracts several at once, in the same window`, () =>
    withCounter(async (counter) => {
      const { leftMs } = await counter.add('many', 7)
      expect(await counter.add('many', 3)).toMatchObject({ count: 10 })
      expect(await counter.subtract('many', 4)).toMatchObject({ count: 6 })
      const left = await counter.read('many')
      expect(left.count).toBe(6)
      expect(left.leftMs).toBeLessThanOrEqual(leftMs)
    }))

  it(`a counter in ${driver} begins the window of a name again with a given count, also of a name that it does not know`, () =>
    withCounter(async (counter) => {
      await counter.add('again')
      for (const name of ['again', 'unknown']) {
        await counter.restart(name, 7)
        const { count, leftMs } = await counter.read(name)
        expect([count, leftMs > 0 && leftMs <= 60_000]).toEqual([7, true])
        expect(await counter.add(name)).toMatchObject({ count: 8 })
      }
    }))

  it(`a counter in ${driver} forgets a name on request`, () =>
    withCounter(async (counter) => {
      await counter.add('gone')
      await counter.forget('gone')
      expect(await counter.add('gone')).toMatchObject({ count: 1 })
    }))
}
