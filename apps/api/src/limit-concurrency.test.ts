import { expect, it } from 'vitest'
import { limitConcurrency, TooManyWaiting } from './limit-concurrency.ts'

const neverAborted = new AbortController().signal

it('work runs at most `atOnce` at a time, in the order of arrival, and continues after a failure', async () => {
  const run = limitConcurrency(2, 10)
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
    }, neverAborted).catch((error: Error) => error.message),
  )
  for (let n = 0; n < 5; n++) {
    while (ends[n] === undefined) await Promise.resolve()
    ends[n]?.(n === 1)
  }
  expect(await Promise.all(results)).toEqual([0, '1 failed', 2, 3, 4])
  expect([began, most]).toEqual([[0, 1, 2, 3, 4], 2])
})

it('work whose caller has aborted is not started, and the others keep their order', async () => {
  const run = limitConcurrency(1, 10)
  const leaving = new AbortController()
  const first = Promise.withResolvers<string>()
  const began: string[] = []
  const begin = (name: string, signal: AbortSignal) =>
    run(async () => {
      began.push(name)
      return name === 'first' ? first.promise : name
    }, signal)
  const results = [begin('first', neverAborted), begin('gone', leaving.signal), begin('third', neverAborted)]
  leaving.abort('left')
  await expect(results[1]).rejects.toBe('left')
  first.resolve('first')
  expect(await Promise.all([results[0], results[2]])).toEqual(['first', 'third'])
  await expect(begin('too late', leaving.signal)).rejects.toBe('left')
  expect(await begin('fourth', neverAborted)).toBe('fourth')
  expect(began).toEqual(['first', 'third', 'fourth'])
})

it('work is refused at once while the queue is full, and accepted again when the queue is shorter', async () => {
  const run = limitConcurrency(1, 2)
  const ends: (() => void)[] = []
  const work = () => run(() => new Promise<string>((end) => ends.push(() => end('done'))), neverAborted)
  const taken = [work(), work(), work()]
  await expect(work()).rejects.toBeInstanceOf(TooManyWaiting)
  ends[0]?.()
  expect(await taken[0]).toBe('done')
  const later = work()
  for (const n of [1, 2, 3]) {
    while (ends[n] === undefined) await Promise.resolve()
    ends[n]?.()
  }
  expect(await Promise.all([...taken, later])).toEqual(['done', 'done', 'done', 'done'])
})

it('one caller cannot take all places in the queue', async () => {
  const run = limitConcurrency(1, 4, 2)
  const first = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const work = (from: string, signal = neverAborted) => run(async () => from, signal, from)
  const running = run(() => first.promise, neverAborted, 'a')
  const waiting = [work('a'), work('a', leaving.signal)]
  await expect(work('a')).rejects.toBeInstanceOf(TooManyWaiting)
  waiting.push(work('b'), work('c'))
  await expect(work('d')).rejects.toBeInstanceOf(TooManyWaiting) // all four places are taken
  leaving.abort('left')
  await expect(waiting[1]).rejects.toBe('left')
  waiting.push(work('a')) // a place of its share is free again
  first.resolve('done')
  await running
  expect(await Promise.all([waiting[0], ...waiting.slice(2)])).toEqual(['a', 'b', 'c', 'a'])
  expect(await work('a')).toBe('a')
})
