// When what a protocol has in common is read again: after a while, later after a failure, never two at once.

import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WholeRead, WholeReads } from './whole-reads.ts'

const [SECOND, MINUTE] = [1_000, 60_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Begins readings that end as `result` says, and counts those that have begun. */
function readings(result: () => Promise<WholeRead>) {
  const reads = new WholeReads()
  let count = 0
  const read = () => {
    count++
    return result()
  }
  const begun = async (what = 'blend@1'): Promise<number> => {
    reads.begin(what, read)
    await setImmediate()
    return count
  }
  return { begun, reads }
}

it.each<[string, number, () => Promise<WholeRead>]>([
  ['was read', 45 * SECOND, async () => 'read'],
  ['is not read at a ledger', 5 * SECOND, async () => 'unread'],
  ['is too large', 60 * MINUTE, async () => 'too_large'],
  ['cannot be read', 3 * MINUTE, () => Promise.reject(new Error('The engine is away.'))],
])('what %s is read again after %i ms, and not before', async (_, afterMs, result) => {
  const { begun } = readings(result)
  expect(await begun()).toBe(1)
  vi.advanceTimersByTime(afterMs - 1)
  expect(await begun()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await begun()).toBe(2)
})

it('one is read after the other, and none twice at once, however long that takes', async () => {
  const held = Promise.withResolvers<WholeRead>()
  const { begun } = readings(() => held.promise)
  expect(await begun('blend@1')).toBe(1)
  expect(await begun('soroswap@1')).toBe(1)
  vi.advanceTimersByTime(60 * MINUTE)
  expect(await begun('blend@1')).toBe(1)
  held.resolve('read')
  await setImmediate()
  expect(await begun('soroswap@1')).toBe(2)
})

it('a reading ends when reading is closed, and no other one begins', async () => {
  const reads = new WholeReads()
  const begun: string[] = []
  const ended = Promise.withResolvers<WholeRead>()
  const read = (what: string) => (signal: AbortSignal) => {
    begun.push(what)
    signal.addEventListener('abort', () => ended.reject(signal.reason))
    return ended.promise
  }
  reads.begin('blend@1', read('blend'))
  reads.begin('soroswap@1', read('soroswap'))
  await setImmediate()
  reads.close()
  await expect(ended.promise).rejects.toThrow('aborted')
  await setImmediate()
  expect(begun).toEqual(['blend'])
})
