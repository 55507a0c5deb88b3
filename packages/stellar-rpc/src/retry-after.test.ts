import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

describe('Retry-After', () => {
  // The two examples of RFC 9110, section 10.2.3, read half a minute before that date.
  const nowMs = Date.UTC(1999, 11, 31, 23, 59, 29)

  it.each([
    ['120', 120_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 30_000],
    ['Fri, 31 Dec 1999 23:59:00 GMT', 0], // in the past
    ['soon', null],
    ['', null],
    [null, null],
  ])('the header %j means a wait of %j ms', (header, ms) => {
    expect(retryAfterMs(header, nowMs)).toBe(ms)
  })
})
