import { describe, expect, it } from 'vitest'
import { retryWithBackoff } from './retry-with-backoff.ts'

describe('retryWithBackoff', () => {
  it('retryable work is repeated, also after a TypeError, and its result is returned', async () => {
    const errors = [new Error('down'), new TypeError('half an answer')]
    let attempts = 0
    const work = async () => {
      attempts += 1
      const error = errors.shift()
      if (error !== undefined) throw error
      return 'done'
    }
    expect(await retryWithBackoff(work, 60_000, () => true)).toBe('done')
    expect(attempts).toBe(3)
  })

  it('an error that is not retryable is thrown at once', async () => {
    const refused = new TypeError('refused')
    let attempts = 0
    const work = async () => {
      attempts += 1
      throw refused
    }
    await expect(retryWithBackoff(work, 60_000, (thrown) => thrown !== refused)).rejects.toBe(refused)
    expect(attempts).toBe(1)
  })

  it('the error of the last attempt is thrown when the time for retries is over', async () => {
    let attempts = 0
    const work = async () => {
      attempts += 1
      throw new Error(`attempt ${attempts} failed`)
    }
    await expect(retryWithBackoff(work, 150, () => true)).rejects.toSatisfy(
      (error: Error) => error.message === `attempt ${attempts} failed`,
    )
    expect(attempts).toBeGreaterThan(1)
  })

  it('an abort ends a pause with the reason of the signal', async () => {
    const stop = new AbortController()
    const work = async () => {
      queueMicrotask(() => stop.abort('stopped'))
      throw new Error('away')
    }
    await expect(retryWithBackoff(work, 60_000, () => true, stop.signal)).rejects.toBe('stopped')
  })
})
