import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sharedTimer } from './each-second.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('work of each second', () => {
  it('work of each second is done by one timer, which ends with the last of it', () => {
    const eachSecond = sharedTimer()
    const done: string[] = []
    const end = eachSecond(() => done.push('a'))
    vi.advanceTimersByTime(500)
    const endOther = eachSecond(() => done.push('b'))
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1_500)
    expect(done).toEqual(['a', 'b', 'a', 'b'])
    end()
    end()
    vi.advanceTimersByTime(1_000)
    expect(done).toEqual(['a', 'b', 'a', 'b', 'b'])
    endOther()
    expect(vi.getTimerCount()).toBe(0)
    const endAgain = eachSecond(() => done.push('c'))
    vi.advanceTimersByTime(1_000)
    expect(done.at(-1)).toBe('c')
    endAgain()
  })

  it('work that is given twice is done twice, and work that ends other work ends it for the seconds after', () => {
    const eachSecond = sharedTimer()
    let count = 0
    const work = (): void => void count++
    const ends = [eachSecond(work), eachSecond(work)]
    vi.advanceTimersByTime(1_000)
    expect(count).toBe(2)
    const endLast = eachSecond(() => {
      for (const end of ends) end()
    })
    vi.advanceTimersByTime(2_000)
    expect(count).toBe(4)
    endLast()
    expect(vi.getTimerCount()).toBe(0)
  })
})
