import { describe, expect, it } from 'vitest'
import { type FairQueue, type FairQueueLimits, fairQueue } from './fair-queue.ts'
import { TooManyWaiting } from './limit-concurrency.ts'

const neverAborted = new AbortController().signal

/** Work that ends when the test says so. `began` has the names in the order in which they began. */
function workshop(limits: FairQueueLimits, now?: () => number) {
  const run: FairQueue = fairQueue(limits, now)
  const began: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    began,
    /** `name`: the caller, and a number. */
    add(name: string, signal = neverAborted) {
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      const result = run(
        async () => {
          began.push(name)
          await end.promise
          return name
        },
        signal,
        name.charAt(0),
      )
      result.catch(() => undefined) // expected later
      return result
    },
    /** Ends the work and lets the next one begin. */
    async end(name: string) {
      ends.get(name)?.resolve()
      await settled()
    },
    async fail(name: string) {
      ends.get(name)?.reject(new Error(`${name} failed`))
      await settled()
    },
  }
}

/** All microtasks that are queued now, and those that they queue. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a fair queue', () => {
  it('a caller runs at most its own number at once, and other callers are not delayed by it', async () => {
    const { add, end, began } = workshop({ atOnce: 10, atOnceOfOne: 2, mostWaiting: 10 })
    const results = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => add(name))
    await settled()
    expect(began).toEqual(['a1', 'a2', 'b1', 'b2'])
    await end('b1')
    expect(began).toHaveLength(4) // the slot was not the one that a3 waits for
    await end('a2')
    expect(began.at(-1)).toBe('a3')
    for (const name of ['a1', 'a3', 'b2']) await end(name)
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  it('waiting work begins in turns of the callers, for each caller in the order of arrival', async () => {
    const { add, end, began } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 10 })
    const names = ['x1', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']
    for (const name of names) add(name)
    for (let n = 0; n < names.length; n++) {
      await settled()
      await end(began[n] ?? '')
    }
    expect(began).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('a caller whose slots are all taken loses its turn to the next caller, and keeps its place', async () => {
    const { add, end, began } = workshop({ atOnce: 3, atOnceOfOne: 2, mostWaiting: 10 })
    for (const name of ['a1', 'a2', 'b1', 'a3', 'c1', 'c2']) add(name)
    await settled()
    expect(began).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(began.at(-1)).toBe('c1') // a3 would be the third of its caller
    await end('a1')
    expect(began.at(-1)).toBe('a3')
    await end('a2')
    expect(began.at(-1)).toBe('c2')
  })

  it('failed work frees its slot', async () => {
    const { add, fail, began } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 10 })
    const failing = add('a1')
    add('b1')
    await fail('a1')
    await expect(failing).rejects.toThrow('a1 failed')
    expect(began).toEqual(['a1', 'b1'])
  })

  it('work whose signal aborts while it waits never begins, and its place is free again', async () => {
    const { add, end, began } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 1 })
    const leaving = new AbortController()
    add('a1')
    const waiting = add('b1', leaving.signal)
    await expect(add('c1')).rejects.toBeInstanceOf(TooManyWaiting)
    leaving.abort('the deadline')
    await expect(waiting).rejects.toBe('the deadline')
    add('d1')
    await end('a1')
    expect(began).toEqual(['a1', 'd1'])
    await expect(add('e1', leaving.signal)).rejects.toBe('the deadline')
  })

  it('work that runs keeps its slot after its signal has aborted, until it ends', async () => {
    const { add, end, began } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 1 })
    const leaving = new AbortController()
    add('a1', leaving.signal)
    add('b1')
    leaving.abort('the deadline')
    await settled()
    expect(began).toEqual(['a1'])
    await end('a1')
    expect(began).toEqual(['a1', 'b1'])
  })

  it('a full queue refuses further work of the caller that fills it', async () => {
    const { add, end } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 2 })
    for (const name of ['a1', 'a2', 'a3']) add(name)
    await expect(add('a4')).rejects.toBeInstanceOf(TooManyWaiting)
    await end('a1')
    const accepted = add('a5')
    for (const name of ['a2', 'a3', 'a5']) await end(name)
    expect(await accepted).toBe('a5')
  })

  it('in a full queue the newest work of the caller with the most gives its place to a caller with fewer', async () => {
    const { add, end, began } = workshop({ atOnce: 1, atOnceOfOne: 1, mostWaiting: 4 })
    add('x1')
    const [, , , fourth] = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name))
    add('b1')
    await expect(fourth).rejects.toBeInstanceOf(TooManyWaiting)
    add('b2')
    // Now both callers have two: a third of either would take a place from an equal.
    await expect(add('b3')).rejects.toBeInstanceOf(TooManyWaiting)
    await expect(add('a5')).rejects.toBeInstanceOf(TooManyWaiting)
    for (const name of ['x1', 'a1', 'b1', 'a2', 'b2']) await end(name)
    expect(began).toEqual(['x1', 'a1', 'b1', 'a2', 'b2'])
  })

  it('the queue is as at the start after all work has ended', async () => {
    const { add, end, began } = workshop({ atOnce: 2, atOnceOfOne: 1, mostWaiting: 2 })
    for (let round = 0; round < 3; round++) {
      for (const name of ['a1', 'b1', 'a2', 'b2']) add(name)
      for (const name of ['a1', 'b1', 'a2', 'b2']) await end(name)
    }
    expect(began).toHaveLength(12)
  })

  it('a caller runs its part of what runs at full speed while others are active, and its own number again five seconds after them', async () => {
    let nowMs = 0
    const { add, end, began } = workshop({ atOnce: 10, atOnceOfOne: 3, atFullSpeed: 4, mostWaiting: 10 }, () => nowMs)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9']) add(name)
    expect(began).toEqual(['a1', 'a2', 'a3'])
    // Two callers: two each. What runs already is not stopped.
    add('b1')
    expect(began).toEqual(['a1', 'a2', 'a3', 'b1'])
    await end('a1')
    expect(began).toHaveLength(4)
    await end('a2')
    expect(began.at(-1)).toBe('a4')
    // Three callers: one each.
    add('c1')
    await end('a3')
    await end('b1')
    await end('c1')
    expect(began.at(-1)).toBe('c1')
    await end('a4')
    expect(began.at(-1)).toBe('a5')

    nowMs = 4_999
    await end('a5')
    expect(began.slice(6)).toEqual(['a5', 'a6'])
    // Alone again: three begin at once.
    nowMs = 5_000
    await end('a6')
    expect(began.slice(6)).toEqual(['a5', 'a6', 'a7', 'a8', 'a9'])
  })

  it('a caller runs one at least, however many are active', async () => {
    const { add, began } = workshop({ atOnce: 10, atOnceOfOne: 4, atFullSpeed: 2, mostWaiting: 10 })
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2']) add(name)
    await settled()
    expect(began).toEqual(['a1', 'b1', 'c1', 'd1'])
  })
})
